logit <- function(formula, data, firth = FALSE, weights, subset, na.action, offset, contrasts = NULL,
                  method = if (firth) "firth" else "ml", profile = !robust, level = 0.95, robust = FALSE,
                  infinite_interval = c("mid-p", "face", "profile")) {
  call <- match.call()
  method <- match.arg(method, c("ml", "firth", "flic", "flac"))
  infinite_interval <- match.arg(infinite_interval)
  stopifnot(is.numeric(level), length(level) == 1L, level > 0, level < 1)
  if (robust && profile) stop("robust standard errors have Wald's intervals and tests: leave out profile or robust")
  frame <- call[c(1L, match(c("formula", "data", "subset", "weights", "na.action", "offset"), names(call), 0L))]
  frame$drop.unused.levels <- TRUE
  frame[[1L]] <- quote(stats::model.frame)
  frame <- eval(frame, parent.frame())
  terms <- attr(frame, "terms")
  x <- model.matrix(terms, frame, contrasts)
  fit <- fit_frame(frame, x, method, profile = profile, robust = robust, level = level, infinite_interval = infinite_interval)
  fit$call <- call
  fit$formula <- formula(terms)
  fit$terms <- terms
  fit$model <- frame
  fit$contrasts <- attr(x, "contrasts")
  fit$xlevels <- .getXlevels(terms, frame)
  fit$na.action <- attr(frame, "na.action")
  structure(fit, class = "linsep_logit")
}

frame_counts <- function(frame) {
  y <- model.response(frame, "any")
  if (is.null(y)) stop("the formula has no response")
  size <- if (is.matrix(y)) nrow(y) else length(y)
  weights <- as.double(model.weights(frame))
  if (!length(weights)) weights <- rep(1, size)
  if (any(weights < 0)) stop("negative weights not allowed")
  binomial_counts(y, weights)
}

fit_frame <- function(frame, x, method, profile, robust, level, infinite_interval) {
  counts <- frame_counts(frame)
  offset <- model.offset(frame)
  intercept <- intercept_column(x)
  answer <- run_logit(x, counts, offset, intercept, method, profile, robust, level, infinite_interval = infinite_interval)
  table <- answer$coefficients
  named <- function(values) structure(values, names = rownames(table))
  estimates <- named(table$estimate)
  estimates[is.nan(estimates)] <- NA
  extra <- count_terms(counts)
  trials <- counts$success + counts$failure
  observed <- sum(trials > 0)
  fit <- list(
    coefficients = estimates,
    status = named(table$status),
    table = table,
    covariance = answer$covariance,
    verdict = answer$verdict,
    separated = answer$separated,
    aliases = answer$aliases,
    log_likelihood = answer$log_likelihood + extra$constant,
    penalised_log_likelihood = answer$penalised_log_likelihood,
    deviance = 2 * (extra$saturated - answer$log_likelihood),
    null.deviance = 2 * (extra$saturated - answer$null_log_likelihood),
    rank = answer$rank,
    df.residual = observed - answer$rank,
    df.null = observed - (intercept > 0L),
    nobs = observed,
    overall = unlist(answer$overall),
    prior.weights = trials,
    y = ifelse(trials > 0, counts$success / trials, 0),
    offset = offset,
    method = method,
    profile = profile,
    robust = robust,
    level = level,
    infinite_interval = infinite_interval
  )
  fit$limit <- limiting_model(fit, x, counts)
  eta <- linear_predictor(fit, x, offset)
  split <- fit$separated[method == "ml"]
  eta[split] <- ifelse(fit$y[split] > 0, Inf, -Inf)
  fit$linear.predictors <- structure(eta, names = rownames(x))
  fit$fitted.values <- plogis(fit$linear.predictors)
  if (method == "flac") {  # its likelihood is that of other rows: this is the one of the data
    p <- fit$fitted.values
    value <- sum(counts$success * log(p) + counts$failure * log1p(-p))
    fit$log_likelihood <- value + extra$constant
    fit$deviance <- 2 * (extra$saturated - value)
  }
  fit
}

# Where estimates are infinite: the regression on the observations that aren't fitted perfectly. Scores of rows in
# their span are its scores; the scores of others move without limit in the directions `outside`.
limiting_model <- function(fit, x, counts) {
  used <- fit$status != "aliased"
  if (all(fit$status[used] == "finite")) return(NULL)
  z <- x[, used, drop = FALSE]
  unit <- apply(abs(z), 2L, max)
  unit[unit == 0] <- 1
  left <- setdiff(which(fit$prior.weights > 0), fit$separated)
  if (!length(left)) return(list(unit = unit, beta = rep(0, ncol(z)), outside = diag(ncol(z))))
  parts <- svd(sweep(z[left, , drop = FALSE], 2L, unit, "/"), nu = 0, nv = ncol(z))
  rank <- sum(parts$d > 1e-10 * max(parts$d))
  basis <- parts$v[, seq_len(rank), drop = FALSE] / unit
  # Columns of full rank, since glm.fit takes columns for independent with so small an epsilon.
  found <- suppressWarnings(glm.fit(
    z[left, , drop = FALSE] %*% basis, fit$y[left], fit$prior.weights[left], offset = fit$offset[left], family = binomial(),
    control = list(epsilon = 1e-14, maxit = 100)
  ))
  beta <- drop(basis %*% found$coefficients)
  list(unit = unit, beta = beta, outside = parts$v[, seq_len(ncol(z)) > rank, drop = FALSE])
}

# Scores; infinite where infinite coefficients decide, NaN where the data don't determine them.
linear_predictor <- function(fit, x, offset = NULL) {
  used <- fit$status != "aliased"
  z <- x[, used, drop = FALSE]
  if (is.null(offset)) offset <- rep(0, nrow(x))
  limit <- fit$limit
  if (is.null(limit)) return(drop(z %*% fit$table$estimate[used]) + offset)
  eta <- drop(z %*% limit$beta) + offset
  scaled <- sweep(z, 2L, limit$unit, "/")
  moves <- which(rowSums(abs(scaled %*% limit$outside) > 1e-9 * sqrt(rowSums(scaled^2))) > 0)
  status <- fit$status[used]
  signed <- sweep(z, 2L, (status == "+infinity") - (status == "-infinity"), "*")
  up <- rowSums(signed > 0) > 0
  down <- rowSums(signed < 0) > 0
  open <- rowSums(z[, status == "undetermined", drop = FALSE] != 0) > 0
  eta[moves] <- ifelse(open | up == down, NaN, ifelse(up, Inf, -Inf))[moves]
  eta
}

# The same regression again, for likelihood ratios, which robust standard errors don't change.
refit <- function(fit, terms = list(), profile = FALSE, level = fit$level, infinite_interval = fit$infinite_interval) {
  x <- model.matrix(fit)
  run_logit(x, frame_counts(fit$model), fit$offset, intercept_column(x), fit$method, profile, FALSE, level, terms,
            infinite_interval)
}
