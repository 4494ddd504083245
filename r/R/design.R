# From formulas to what the C++ code takes: rows of 0 and 1 with weights.

# Successes and failures of every observation, as binomial() reads a response: a factor whose first level is failure,
# logical, 0 and 1, a proportion with weights, or a matrix of successes and failures.
binomial_counts <- function(y, weights) {
  if (is.matrix(y) && ncol(y) == 2L) {
    if (any(y < 0)) stop("counts of successes and failures can't be negative")
    return(list(success = y[, 1L] * weights, failure = y[, 2L] * weights))
  }
  if (is.character(y)) y <- factor(y)
  if (is.factor(y)) y <- y != levels(y)[1L]
  y <- as.double(y)
  if (any(y < 0 | y > 1)) stop("the response must be a factor, logical, or numbers from 0 to 1")
  success <- weights * y
  if (any(abs(success - round(success)) > 1e-3 & y > 0 & y < 1)) {
    warning("non-integer number of successes", call. = FALSE)
  }
  list(success = success, failure = weights - success)
}

# Every observation with successes as one row with y = 1 and that weight, with failures as one with y = 0.
# `observation` is the one that a row belongs to.
bernoulli_rows <- function(counts) {
  up <- which(counts$success > 0)
  down <- which(counts$failure > 0)
  observation <- c(up, down)
  order <- order(observation)
  weights <- c(counts$success[up], counts$failure[down])[order]
  list(
    observation = observation[order],
    y = rep(c(1, 0), c(length(up), length(down)))[order],
    weights = if (all(weights == 1)) NULL else as.double(weights)
  )
}

# The log-likelihood of counts beyond that of their single trials, and that of the saturated model.
count_terms <- function(counts) {
  trials <- counts$success + counts$failure
  x_log <- function(x) ifelse(x > 0, x * log(x / trials), 0)
  binary <- counts$success == 0 | counts$failure == 0
  list(
    constant = sum(ifelse(binary, 0, lchoose(round(trials), round(counts$success)))),
    saturated = sum(x_log(counts$success) + x_log(counts$failure))
  )
}

# One call of the C++ code. `terms`: lists of columns of `x` (from 1) that are tested jointly. The intercept's column
# of `x` is known by `intercept`, its number or 0.
run_logit <- function(x, counts, offset, intercept, method, profile = TRUE, robust = FALSE, level = 0.95, terms = list(),
                      infinite_interval = "mid-p") {
  rows <- bernoulli_rows(counts)
  kept <- setdiff(seq_len(ncol(x)), intercept)
  columns <- x[rows$observation, kept, drop = FALSE]
  # A regression of the intercept alone has a column of zeros, which is left out of the answer.
  blank <- length(kept) == 0L
  if (blank) columns <- cbind(columns, 0)
  has_offset <- !is.null(offset) && any(offset != 0)
  if (has_offset) columns <- cbind(columns, offset[rows$observation])
  storage.mode(columns) <- "double"
  names <- c(if (blank) "0" else colnames(x)[kept], if (has_offset) "offset")
  if (!length(rows$y)) stop("no observation has a weight above 0")
  flags <- c(intercept = intercept > 0L, offset = has_offset, profile = profile, robust = robust)
  answer <- .Call(
    linsep_logit, t(columns), rows$y, rows$weights, names, method, infinite_interval, flags, level,
    lapply(terms, function(term) match(setdiff(term, intercept), kept) - 1L)
  )
  # The answer has the intercept first, then columns in their order.
  place <- match(seq_len(ncol(x)), if (intercept > 0L) c(intercept, kept) else kept)
  answer$coefficients <- as.data.frame(answer$coefficients)[place, , drop = FALSE]
  rownames(answer$coefficients) <- colnames(x)
  size <- length(place) + blank
  covariance <- if (length(answer$covariance)) answer$covariance else rep(NaN, size^2)
  answer$covariance <- matrix(covariance, size, size)[place, place, drop = FALSE]
  dimnames(answer$covariance) <- list(colnames(x), colnames(x))
  of <- function(columns) c("(Intercept)", colnames(x)[kept])[columns + 1L]
  if (blank) answer$aliases <- list()
  names(answer$aliases) <- vapply(answer$aliases, function(alias) of(alias[1L]), "")
  answer$aliases <- lapply(answer$aliases, function(alias) of(alias[-1L]))
  answer$separated <- unique(rows$observation[answer$separated])
  answer
}

# The column of a model matrix that stands for the intercept; 0: none.
intercept_column <- function(x) {
  assign <- attr(x, "assign")
  if (is.null(assign)) return(match("(Intercept)", colnames(x), nomatch = 0L))
  match(0L, assign, nomatch = 0L)
}
