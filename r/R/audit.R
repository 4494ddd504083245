# How far a trained classifier is from the best possible one. Each method says what its package minimizes, as the mean loss
# of rows plus lambda * (l1_ratio * sum(abs(theta)) + (1 - l1_ratio) / 2 * sum(theta^2)).
audit <- function(model, x, y, ...) UseMethod("audit")

audit.default <- function(model, x, y, loss = "logistic", lambda = NULL, cost = NULL, l1_ratio = 0, wi = NULL, gap = 1e-3, ...) {
  refuse_more(...)
  if (!is.numeric(model) || !is.null(dim(model))) {
    stop("audit() takes models of glmnet and LiblineaR, and coefficients as a vector of numbers, not an object of class ",
         paste(class(model), collapse = "/"))
  }
  rows <- proof_rows(x, y)
  theta <- named_weights(model, rows)
  objective <- list(loss = loss, lambda = positive_number(lambda), cost = positive_number(cost), l1_ratio = decimal(l1_ratio))
  if (length(objective$lambda) + length(objective$cost) != 1L) {
    stop("give lambda (the penalty's factor, for the mean loss) or cost (the factor of the summed loss)")
  }
  audited(rows, theta, objective, wi, gap)
}

audit.glm <- function(model, x, y, ...) {
  stop("glm() maximizes a likelihood without a penalty: its optimum needn't exist, and an audit needs a penalty. ",
       "detect_separation() proves whether its estimates exist, and logit() computes them")
}

audit.cv.glmnet <- function(model, x, y, s = c("lambda.1se", "lambda.min"), ...) {
  if (is.character(s)) s <- model[[match.arg(s)]]
  audit(model$glmnet.fit, x, y, s = s, ...)
}

audit.glmnet <- function(model, x, y, s = NULL, alpha = NULL, standardize = NULL, intercept = NULL, gap = 1e-3, ...) {
  refuse_more(...)
  if (!inherits(model, "lognet")) {
    stop("audit() takes glmnet's models of family = \"binomial\", not those of class ", paste(class(model), collapse = "/"))
  }
  if (!requireNamespace("glmnet", quietly = TRUE)) stop("audit() of a glmnet model needs the package glmnet")
  told <- function(given, name, value) {
    if (!is.null(given)) given else if (is.null(model$call[[name]])) value else argument_of(model$call, name)
  }
  for (name in c("weights", "offset", "penalty.factor", "exclude", "lower.limits", "upper.limits")) {
    if (!is.null(model$call[[name]])) stop("the model was fitted with ", name, ", which an audit doesn't know")
  }
  if (is.null(s)) s <- model$lambda
  if (!is.numeric(s) || length(s) != 1L) stop("s must be one lambda: the model has ", length(model$lambda))
  rows <- proof_rows(x, y)
  same_classes(rows, model$classnames)
  weights <- as.vector(as.matrix(coef(model, s = s)))
  theta <- weights[-1L]
  if (length(theta) != nrow(rows$x)) stop("the model has ", length(theta), " columns, and x ", nrow(rows$x))
  note <- NULL
  if (isTRUE(told(standardize, "standardize", TRUE))) {
    # The penalty is on the weights of columns with standard deviation 1. A column that is constant has none, and no weight.
    deviation <- sqrt(rowMeans((rows$x - rowMeans(rows$x))^2))
    kept <- apply(rows$x, 1L, function(column) min(column) < max(column))
    rows <- with_columns(rows, rows$x[kept, , drop = FALSE] / deviation[kept], rows$names[kept[seq_along(rows$names)]])
    theta <- (theta * deviation)[kept]
    note <- "Columns are divided by their standard deviations, as glmnet's penalty takes them."
  }
  if (isTRUE(told(intercept, "intercept", TRUE))) theta <- c(theta, weights[1L])
  objective <- list(loss = "logistic", lambda = positive_number(s), l1_ratio = decimal(told(alpha, "alpha", 1)))
  audited(rows, theta, objective, NULL, gap, note)
}

audit.LiblineaR <- function(model, x, y, cost = 1, wi = NULL, gap = 1e-3, ...) {
  refuse_more(...)
  loss <- c("logistic", "squared-hinge", "squared-hinge", "hinge", NA, "squared-hinge", "logistic", "logistic")[model$Type + 1L]
  if (is.na(loss)) stop("audit() takes LiblineaR's types 0, 1, 2, 3, 5, 6 and 7, not ", model$Type)
  rows <- proof_rows(x, y)
  # W is towards the class of the first row that it was trained on.
  same_classes(rows, as.character(model$ClassNames), in_order = FALSE)
  theta <- as.vector(model$W) * if (as.character(model$ClassNames[1L]) == rows$classes[2L]) 1 else -1
  bias <- max(0, as.numeric(model$Bias))
  if (length(theta) != nrow(rows$x) + (bias > 0)) {
    stop("the model has ", length(theta) - (bias > 0), " columns, and x ", nrow(rows$x))
  }
  objective <- list(loss = loss, cost = positive_number(cost), l1_ratio = if (model$Type %in% 5:6) "1" else "0")
  note <- NULL
  if (bias > 0 && model$Type %in% 5:6) {
    rows <- with_columns(rows, rbind(rows$x, bias), if (length(rows$names)) c(rows$names, "Bias"))
    note <- "The last column is the constant that LIBLINEAR adds: its weight is penalized like any other."
  } else if (bias > 0) {
    objective$constant <- decimal(bias)
    objective$intercept_penalty <- ""
  }
  audited(rows, theta, objective, wi, gap, note)
}

# The proof, by the same code as the command line's. Weights are those of the columns of `rows`, and then the intercept's if
# there is one more.
audited <- function(rows, theta, objective, wi, gap, note = NULL) {
  if (!all(is.finite(theta))) stop("the model has weights that aren't finite")
  classes <- class_weights(wi, rows$classes)
  facts <- modifyList(list(negative_weight = classes[1L], positive_weight = classes[2L], intercept_penalty = "0",
                                  lambda = character(), cost = character(), constant = character(), l1_ratio = "0"), objective)
  origin <- length(theta) == nrow(rows$x)
  answer <- .Call(linsep_audit, rows$x, rows$y, rows$names, rows$classes, decimal(theta), origin, facts, as.numeric(gap))
  answer$above_best <- structure(answer$above_best, names = c("at_least", "at_most"))
  columns <- if (length(rows$names)) rows$names
  names(answer$certain_signs) <- columns
  y <- factor(rows$classes[rows$y + 1], rows$classes)
  structure(c(answer, list(note = note, x = structure(t(rows$x), dimnames = list(NULL, columns)), y = y)), class = "linsep_audit")
}

# 17 digits are the number itself.
decimal <- function(numbers) {
  if (!is.numeric(numbers) || !all(is.finite(numbers))) stop("not a finite number: ", paste(shown(numbers), collapse = ", "))
  sprintf("%.17g", numbers)
}

positive_number <- function(number) {
  if (is.null(number)) return(character())
  if (!is.numeric(number) || length(number) != 1L || !isTRUE(number > 0)) stop("lambda and cost must be one number above 0")
  decimal(number)
}

class_weights <- function(wi, classes) {
  if (is.null(wi)) return(c("1", "1"))
  if (is.null(names(wi)) || !all(classes %in% names(wi))) stop("wi must have a weight named after each class: ", paste(shown(classes), collapse = ", "))
  decimal(wi[classes])
}

# By the names of columns if there are names, with "(Intercept)" wherever it stands; the intercept last.
named_weights <- function(weights, rows) {
  intercept <- names(weights) == "(Intercept)"
  if (is.null(names(weights))) intercept <- rep(FALSE, length(weights))
  theta <- weights[!intercept]
  if (length(theta) != nrow(rows$x)) stop("the model has ", length(theta), " columns, and x ", nrow(rows$x))
  if (!is.null(names(theta)) && length(rows$names)) {
    if (!setequal(names(theta), rows$names)) stop("the coefficients have other names than the columns of x")
    theta <- theta[rows$names]
  }
  as.vector(c(theta, weights[intercept]))
}

with_columns <- function(rows, x, names) {
  rows$x <- x
  dimnames(rows$x) <- NULL
  rows$names <- as.character(names)
  rows
}

same_classes <- function(rows, classes, in_order = TRUE) {
  if (!(if (in_order) identical(rows$classes, classes) else setequal(rows$classes, classes))) {
    stop("y has the classes ", paste(shown(rows$classes), collapse = " and "), ", the model ", paste(shown(classes), collapse = " and "))
  }
}

# What a model was fitted with, by its call. A variable may have another value by now.
argument_of <- function(call, name) {
  if (length(all.vars(call[[name]])) > 0L) {
    stop("the model was fitted with ", name, " = ", deparse(call[[name]])[1L], ": give audit() the value of ", name)
  }
  eval(call[[name]], baseenv())
}

refuse_more <- function(...) {
  if (...length() > 0L) stop("audit() has no argument ", shown(c(names(list(...)), "without a name")[1L]), " for such a model")
}

print.linsep_audit <- function(x, ...) {
  say(x$sentences)
  if (!is.null(x$note)) say(x$note, "\n")
  say("Proof: ", nchar(x$json, "bytes"), " bytes of JSON; see as.character() and verify().\n")
  invisible(x)
}

format.linsep_audit <- function(x, ...) x$words

as.character.linsep_audit <- function(x, ...) x$json
