method_names <- c(
  ml = "maximum likelihood", firth = "Firth's penalized likelihood", flic = "FLIC (Firth's, intercept corrected)",
  flac = "FLAC (Firth's, with added covariate)"
)

separation_lines <- function(fit) {
  infinite <- fit$status[fit$status %in% c("+infinity", "-infinity")]
  open <- names(fit$status)[fit$status == "undetermined"]
  # A penalty fits no observation perfectly.
  words <- switch(paste(fit$verdict, if (fit$method == "ml") "ml" else "penalized"),
    "quasi-separable ml" = sprintf("Quasi-separable (proven): %d of %d observations are fitted perfectly.",
                                   length(fit$separated), fit$nobs),
    "separable ml" = "Separable (proven): all observations are fitted perfectly.",
    "quasi-separable penalized" = "Quasi-separable (proven): maximum likelihood has infinite estimates.",
    "separable penalized" = "Separable (proven): maximum likelihood has no finite estimate.",
    "None: the data overlap, so that all estimates are finite (proven)."
  )
  c(
    paste("Separation:", words),
    if (length(infinite)) {
      paste("Infinite:", paste(shown(names(infinite)), "=", ifelse(infinite == "+infinity", "+Inf", "-Inf"), collapse = ", "))
    },
    if (length(open)) paste("Not determined by the data:", paste(shown(open), collapse = ", ")),
    vapply(names(fit$aliases), function(name) {
      sprintf("Left out: %s, a combination of %s.", shown(name), paste(shown(fit$aliases[[name]]), collapse = ", "))
    }, "", USE.NAMES = FALSE)
  )
}

print.linsep_logit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  say("\nCall:  ", paste(deparse(x$call), collapse = "\n"), "\n\nCoefficients:\n")
  print(with_shown_names(format(x$coefficients, digits = digits)), print.gap = 2L, quote = FALSE)
  say("\n", paste0(separation_lines(x), "\n"))
  say("Log-likelihood ", format(x$log_likelihood, digits = max(5L, digits)), " on ", x$rank,
      " Df, AIC ", format(AIC(x), digits = max(5L, digits)), "\n")
  invisible(x)
}

summary.linsep_logit <- function(object, ...) {
  table <- object$table
  ends <- paste(format(100 * c((1 - object$level) / 2, (1 + object$level) / 2), digits = 3, trim = TRUE), "%")
  columns <- cbind(object$coefficients, table$standard_error, table$low, table$high)
  tests <- if (object$profile) cbind(table$chi_square, table$p) else cbind(table$z, table$wald_p)
  columns <- cbind(columns, tests)
  columns[is.nan(columns)] <- NA
  dimnames(columns) <- list(
    rownames(table),
    c("Estimate", "Std. Error", ends, if (object$profile) c("Chisq", "Pr(>Chisq)") else c("z value", "Pr(>|z|)"))
  )
  keep <- c("call", "status", "verdict", "separated", "aliases", "nobs", "method", "profile", "robust", "level", "overall", "infinite_interval",
            "rank", "log_likelihood", "na.action", "deviance", "df.residual", "null.deviance", "df.null")
  structure(
    c(object[keep], list(coefficients = columns, aic = AIC(object), bic = BIC(object))),
    class = "summary.linsep_logit"
  )
}

print.summary.linsep_logit <- function(x, digits = max(3L, getOption("digits") - 3L),
                                       signif.stars = getOption("show.signif.stars"), ...) {
  say("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n")
  say("Logistic regression by ", method_names[[x$method]], "\n")
  infinite <- x$profile && any(x$status %in% c("+infinity", "-infinity")) && x$infinite_interval != "profile"
  say(if (x$profile) "Profile likelihood intervals, likelihood-ratio tests" else "Wald intervals and tests",
      if (x$robust) ", robust standard errors (HC1)",
      if (infinite) {
        paste0("\nInfinite: intervals by the probability of the perfectly fitted outcomes",
               if (x$infinite_interval == "mid-p") " (mid-p)")
      },
      "\n\nCoefficients:\n")
  table <- with_shown_names(x$coefficients[x$status != "aliased", , drop = FALSE])
  # printCoefmat takes columns of tests from the end, and formats the rest.
  printCoefmat(table, digits = digits, signif.stars = signif.stars, cs.ind = 1:4, tst.ind = 5L, na.print = "", ...)
  say("\n", paste0(separation_lines(x), "\n"))
  say("Log-likelihood ", format(x$log_likelihood, digits = max(6L, digits)), " on ", x$rank, " Df; AIC ",
      format(x$aic, digits = max(5L, digits)), ", BIC ", format(x$bic, digits = max(5L, digits)), "; ", x$nobs,
      " observations\n")
  if (x$overall[["df"]] > 0) {
    say(if (x$robust) "Wald" else "Likelihood-ratio", " test of all terms: ")
    if (is.nan(x$overall[["chi_square"]])) {
      say("none, because an estimate isn't finite\n")
    } else {
      say(format(x$overall[["chi_square"]], digits = max(5L, digits)), " on ", x$overall[["df"]], " Df, p ",
          sub("^([^<])", "= \\1", format.pval(x$overall[["p"]], digits = digits)), "\n")
    }
  }
  if (nzchar(dropped <- naprint(x$na.action))) say("(", dropped, ")\n")
  invisible(x)
}

vcov.linsep_logit <- function(object, ...) {
  covariance <- object$covariance
  covariance[is.nan(covariance)] <- NA
  covariance
}

confint.linsep_logit <- function(object, parm, level = 0.95, type = if (object$robust) "wald" else "profile",
                                 infinite_interval = object$infinite_interval, ...) {
  chkDots(...)
  type <- match.arg(type, c("profile", "wald"))
  infinite_interval <- match.arg(infinite_interval, c("mid-p", "face", "profile"))
  if (type == "wald") {
    half <- qnorm((1 + level) / 2) * object$table$standard_error
    ends <- object$coefficients + cbind(-half, half)
  } else {
    table <- object$table
    if (!object$profile || level != object$level || infinite_interval != object$infinite_interval) {
      table <- refit(object, profile = TRUE, level = level, infinite_interval = infinite_interval)$coefficients
    }
    ends <- cbind(table$low, table$high)
  }
  ends[is.nan(ends)] <- NA
  shares <- c((1 - level) / 2, (1 + level) / 2)
  dimnames(ends) <- list(names(object$coefficients), paste(format(100 * shares, trim = TRUE, digits = 3), "%"))
  if (missing(parm)) ends else ends[parm, , drop = FALSE]
}

logLik.linsep_logit <- function(object, ...) {
  structure(object$log_likelihood, df = object$rank, nobs = object$nobs, class = "logLik")
}
nobs.linsep_logit <- function(object, ...) object$nobs
formula.linsep_logit <- function(x, ...) x$formula
deviance.linsep_logit <- function(object, ...) object$deviance
family.linsep_logit <- function(object, ...) binomial()
model.frame.linsep_logit <- function(formula, ...) formula$model
model.matrix.linsep_logit <- function(object, ...) model.matrix(object$terms, object$model, object$contrasts)

residuals.linsep_logit <- function(object, type = c("deviance", "pearson", "response"), ...) {
  type <- match.arg(type)
  y <- object$y
  p <- object$fitted.values
  trials <- object$prior.weights
  value <- switch(type,
    deviance = sign(y - p) * sqrt(binomial()$dev.resids(y, p, trials)),
    pearson = ifelse(y == p, 0, (y - p) * sqrt(trials / (p * (1 - p)))),
    response = y - p
  )
  naresid(object$na.action, structure(value, names = names(p)))
}

extractAIC.linsep_logit <- function(fit, scale = 0, k = 2, ...) c(fit$rank, -2 * fit$log_likelihood + k * fit$rank)

predict.linsep_logit <- function(object, newdata, type = c("link", "response"), se.fit = FALSE,
                                 na.action = na.pass, interval = c("none", "confidence"), level = 0.95, ...) {
  chkDots(...)
  type <- match.arg(type)
  interval <- match.arg(interval)
  if (missing(newdata) || is.null(newdata)) {
    x <- model.matrix(object)
    eta <- napredict(object$na.action, object$linear.predictors)
  } else {
    terms <- delete.response(object$terms)
    frame <- model.frame(terms, newdata, na.action = na.action, xlev = object$xlevels)
    x <- model.matrix(terms, frame, contrasts.arg = object$contrasts)
    offset <- model.offset(frame)
    given <- object$call$offset
    if (!is.null(given)) {
      added <- eval(given, newdata, environment(object$terms))
      offset <- if (is.null(offset)) added else offset + added
    }
    eta <- linear_predictor(object, x, offset)
    names(eta) <- rownames(x)
  }
  eta[is.nan(eta)] <- NA
  value <- if (type == "response") plogis(eta) else eta
  if (!se.fit && interval == "none") return(value)
  finite <- object$status == "finite"
  z <- x[, finite, drop = FALSE]
  error <- sqrt(rowSums((z %*% object$covariance[finite, finite, drop = FALSE]) * z))
  error[rowSums(x[, !finite & object$status != "aliased", drop = FALSE] != 0) > 0] <- NA
  if (missing(newdata) || is.null(newdata)) error <- napredict(object$na.action, error)
  if (interval == "confidence") {
    half <- qnorm((1 + level) / 2) * error
    ends <- cbind(lwr = eta - half, upr = eta + half)
    value <- cbind(fit = value, if (type == "response") plogis(ends) else ends)
  }
  if (!se.fit) return(value)
  if (type == "response") error <- error * dlogis(eta)
  list(fit = value, se.fit = error)
}

# Tests of terms are likelihood ratios, with a penalty those of the penalized likelihood, whose penalty stays that of
# the whole model.
term_columns <- function(object) {
  x <- model.matrix(object)
  assign <- attr(x, "assign")
  labels <- attr(object$terms, "term.labels")
  structure(lapply(seq_along(labels), function(k) which(assign == k)), names = labels)
}

term_tests <- function(object, columns) {
  as.data.frame(refit(object, terms = columns)$tests)
}

drop1.linsep_logit <- function(object, scope, ...) {
  labels <- attr(object$terms, "term.labels")
  scope <- if (missing(scope)) drop.scope(object) else if (is.character(scope)) scope else attr(terms(update.formula(object, scope)), "term.labels")
  if (!all(scope %in% labels)) stop("scope is not a subset of term labels")
  tests <- term_tests(object, term_columns(object)[scope])
  table <- data.frame(Df = c(NA, tests$df), row.names = c("<none>", scope))
  if (object$method == "ml") {
    table$Deviance <- object$deviance + c(0, tests$chi_square)
    table$AIC <- AIC(object) + c(0, tests$chi_square - 2 * tests$df)
  }
  table$LRT <- c(NA, tests$chi_square)
  table[["Pr(>Chi)"]] <- c(NA, tests$p)
  heading <- c("Single term deletions", "\nModel:", deparse(object$formula), "")
  structure(table, heading = heading, class = c("anova", "data.frame"))
}

anova.linsep_logit <- function(object, ...) {
  others <- list(...)
  if (length(others)) return(anova_models(c(list(object), others)))
  columns <- term_columns(object)
  labels <- names(columns)
  # Terms from the k-th on, tested together: the differences are the terms one after the other.
  behind <- lapply(seq_along(columns), function(k) unlist(columns[k:length(columns)], use.names = FALSE))
  tests <- if (length(columns)) term_tests(object, behind) else data.frame(chi_square = numeric(), df = numeric())
  # Without an intercept no column is left of the first model.
  nothing <- attr(object$terms, "intercept") == 0L && length(columns) > 0L
  if (nothing && object$method == "ml") tests[1L, 1:2] <- c(object$null.deviance - object$deviance, object$rank)
  above <- c(tests$chi_square, 0)
  left <- c(tests$df, 0)
  steps <- pmax(-diff(above), 0)
  degrees <- -diff(left)
  table <- data.frame(Df = c(NA, degrees), row.names = c("NULL", labels))
  table$Deviance <- c(NA, steps)
  table[["Resid. Df"]] <- object$df.residual + left
  table[["Resid. Dev"]] <- object$deviance + above
  table[["Pr(>Chi)"]] <- c(NA, pchisq(steps, degrees, lower.tail = FALSE))
  if (object$method != "ml") {
    table[["Resid. Dev"]] <- NULL
    names(table)[2L] <- "LRT"
  }
  title <- sprintf("Analysis of deviance, %s\n\nResponse: %s\n\nTerms added sequentially (first to last)\n\n",
                   method_names[[object$method]], deparse(object$formula[[2L]]))
  structure(table, heading = title, class = c("anova", "data.frame"))
}

anova_models <- function(models) {
  if (!all(vapply(models, inherits, NA, "linsep_logit"))) stop("all models must be made by logit()")
  methods <- vapply(models, function(model) model$method, "")
  sizes <- vapply(models, nobs, 0)
  if (length(unique(methods)) > 1L) stop("all models must be fitted by the same method")
  if (length(unique(sizes)) > 1L) stop("models were not all fitted to the same size of dataset")
  degrees <- vapply(models, function(model) model$df.residual, 0)
  deviances <- vapply(models, deviance, 0)
  steps <- vapply(seq_along(models)[-1L], function(k) {
    if (methods[1L] == "ml") return(deviances[k - 1L] - deviances[k])
    pair <- models[c(k - 1L, k)]
    if (degrees[k - 1L] < degrees[k]) pair <- rev(pair)
    beyond <- which(!names(coef(pair[[2L]])) %in% names(coef(pair[[1L]])))
    sign <- if (degrees[k - 1L] < degrees[k]) -1 else 1
    sign * term_tests(pair[[2L]], list(beyond))$chi_square
  }, 0)
  change <- -diff(degrees)
  table <- data.frame("Resid. Df" = degrees, check.names = FALSE)
  if (methods[1L] == "ml") table[["Resid. Dev"]] <- deviances
  table$Df <- c(NA, change)
  table[[if (methods[1L] == "ml") "Deviance" else "LRT"]] <- c(NA, steps)
  table[["Pr(>Chi)"]] <- c(NA, ifelse(change == 0, NA, pchisq(abs(steps), abs(change), lower.tail = FALSE)))
  formulas <- vapply(models, function(model) paste(deparse(model$formula), collapse = " "), "")
  title <- sprintf("Analysis of deviance, %s\n\n", method_names[[methods[1L]]])
  lines <- paste0("Model ", format(seq_along(models)), ": ", formulas, collapse = "\n")
  structure(table, heading = c(title, lines), class = c("anova", "data.frame"))
}
