logit <- function(formula, data, firth = FALSE, weights, subset, na.action, offset, contrasts = NULL,
                  method = if (firth) "firth" else "ml", profile = TRUE, level = 0.95, robust = FALSE) {
  call <- match.call()
  method <- match.arg(method, c("ml", "firth", "flic", "flac"))
  stopifnot(is.numeric(level), length(level) == 1L, level > 0, level < 1)
  frame <- call[c(1L, match(c("formula", "data", "subset", "weights", "na.action", "offset"), names(call), 0L))]
  frame$drop.unused.levels <- TRUE
  frame[[1L]] <- quote(stats::model.frame)
  frame <- eval(frame, parent.frame())
  terms <- attr(frame, "terms")
  x <- model.matrix(terms, frame, contrasts)
  fit <- fit_frame(frame, x, method, profile = profile, robust = robust, level = level)
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

fit_frame <- function(frame, x, method, profile, robust, level) {
  counts <- frame_counts(frame)
  offset <- model.offset(frame)
  intercept <- intercept_column(x)
  answer <- run_logit(x, counts, offset, intercept, method, profile, robust, level)
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
    level = level
  )
  fit$limit <- limiting_model(fit, x, counts)
  eta <- linear_predictor(fit, x, offset)
  split <- fit$separated[method == "ml"]
  eta[split] <- ifelse(fit$y[split] > 0, Inf, -Inf)
  fit$linear.predictors <- structure(eta, names = rownames(x))
  fit$fitted.values <- plogis(fit$linear.predictors)
  fit
}

# Where estimates are infinite: the regression on the observations that aren't fitted perfectly. Scores of rows in
# their span are its scores; `outside` has the directions in which the scores of others move without limit.
limiting_model <- function(fit, x, counts) {
  if (!anyNA(fit$table$estimate[fit$status != "aliased"]) && all(is.finite(fit$table$estimate[fit$status != "aliased"]))) {
    return(NULL)
  }
  used <- which(fit$status != "aliased")
  left <- setdiff(which(fit$prior.weights > 0), fit$separated)
  rows <- x[left, used, drop = FALSE]
  unit <- apply(abs(x[, used, drop = FALSE]), 2L, max)
  unit[unit == 0] <- 1
  outside <- diag(length(used))
  beta <- rep(0, length(used))
  if (length(left)) {
    scaled <- svd(sweep(rows, 2L, unit, "/"), nu = 0, nv = length(used))
    rank <- sum(scaled$d > 1e-10 * max(scaled$d))
    outside <- scaled$v[, seq_along(used) > rank, drop = FALSE]
    trials <- fit$prior.weights[left]
    offset <- if (is.null(fit$offset)) NULL else fit$offset[left]
    found <- suppressWarnings(glm.fit(
      rows, fit$y[left], trials, offset = offset, family = binomial(), control = list(epsilon = 1e-14, maxit = 100)
    ))
    beta <- ifelse(is.na(found$coefficients), 0, found$coefficients)
  }
  list(beta = beta, outside = outside / unit)
}

# Scores; infinite where infinite coefficients decide, NaN where the data don't determine them.
linear_predictor <- function(fit, x, offset = NULL) {
  used <- fit$status != "aliased"
  z <- x[, used, drop = FALSE]
  if (is.null(offset)) offset <- rep(0, nrow(x))
  if (is.null(fit$limit)) return(drop(z %*% fit$table$estimate[used]) + offset)
  eta <- drop(z %*% fit$limit$beta) + offset
  sizes <- abs(z) %*% abs(fit$limit$outside)
  moves <- rowSums(abs(z %*% fit$limit$outside) > 1e-9 * sizes) > 0
  status <- fit$status[used]
  sign <- (status == "+infinity") - (status == "-infinity")
  signed <- sweep(z, 2L, sign, "*")
  up <- rowSums(signed > 0) > 0
  down <- rowSums(signed < 0) > 0
  open <- rowSums(z[, status == "undetermined", drop = FALSE] != 0) > 0
  eta[moves] <- ifelse(open | up == down, NaN, ifelse(up, Inf, -Inf))[moves]
  eta
}

# The same regression again, with other options.
refit <- function(fit, terms = list(), profile = FALSE, level = fit$level) {
  x <- model.matrix(fit)
  run_logit(x, frame_counts(fit$model), fit$offset, intercept_column(x), fit$method, profile, fit$robust, level, terms)
}
