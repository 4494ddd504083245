detect_separation <- function(x, ...) UseMethod("detect_separation")

# What glm() calls with method = "detect_separation".
detect_separation.default <- function(x, y, weights = rep(1, NROW(y)), start = NULL, etastart = NULL, mustart = NULL,
                                      offset = rep(0, NROW(y)), family = binomial(), control = list(),
                                      intercept = TRUE, singular.ok = TRUE, ...) {
  if (family$family != "binomial") stop("detect_separation is for binomial responses")
  if (family$link == "log") stop("detect_separation is for links with values of all sizes, not for log")
  x <- as.matrix(x)
  if (is.null(colnames(x))) colnames(x) <- paste0("x", seq_len(ncol(x)))
  if (is.null(weights)) weights <- rep(1, NROW(y))
  counts <- binomial_counts(y, weights)
  answer <- run_logit(x, counts, NULL, intercept_column(x), "ml", profile = FALSE)
  status <- structure(answer$coefficients$status, names = colnames(x))
  if (!singular.ok && any(status == "aliased")) stop("singular fit encountered")
  known <- c("finite" = 0, "+infinity" = Inf, "-infinity" = -Inf, "undetermined" = NA, "aliased" = NA)
  list(
    coefficients = structure(known[status], names = colnames(x)),
    outcome = answer$verdict != "overlapping",
    verdict = answer$verdict,
    status = status,
    separated = answer$separated,
    aliases = answer$aliases,
    nobs = sum(counts$success + counts$failure > 0),
    class = "detect_separation"
  )
}

detect_separation.formula <- function(formula, data, ...) {
  call <- match.call(expand.dots = TRUE)
  fit <- call
  fit[[1L]] <- quote(stats::glm)
  if (is.null(fit$family)) fit$family <- quote(stats::binomial())
  fit$method <- detect_separation.default
  fit <- eval(fit, parent.frame())
  call[[1L]] <- quote(detect_separation)
  fit$call <- call
  fit
}

detect_separation.glm <- function(x, ...) {
  call <- update(x, ..., evaluate = FALSE)
  call$method <- detect_separation.default
  fit <- eval(call, parent.frame())
  fit$call$method <- "detect_separation"
  fit
}

coef.detect_separation <- function(object, ...) object$coefficients

print.detect_separation <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  say("Separation: ", x$outcome, sprintf(" (%s, proven)", x$verdict), " \n")
  say("Existence of maximum likelihood estimates\n")
  print(with_shown_names(x$coefficients))
  say("0: finite value, Inf: infinity, -Inf: -infinity",
      if (anyNA(x$coefficients)) ", NA: not determined or aliased", "\n")
  if (length(x$separated)) say(length(x$separated), " of ", x$nobs, " observations are fitted perfectly\n")
  invisible(x)
}

summary.detect_separation <- function(object, ...) object
