certify <- function(x, ...) UseMethod("certify")

certify.formula <- function(formula, data, ...) {
  frame <- model.frame(formula, if (missing(data)) environment(formula) else data)
  x <- model.matrix(attr(frame, "terms"), frame)
  intercept <- intercept_column(x)
  y <- model.response(frame, "any")
  certify.default(x[, setdiff(seq_len(ncol(x)), intercept), drop = FALSE], y, intercept = intercept > 0L)
}

certify.default <- function(x, y, intercept = TRUE, ...) {
  rows <- proof_rows(x, y)
  answer <- .Call(linsep_certify, rows$x, rows$y, rows$names, rows$classes, intercept)
  columns <- if (length(rows$names)) rows$names else paste0("x", seq_len(nrow(rows$x)))
  columns <- c(columns, if (intercept) "(Intercept)")
  status <- if (length(answer$estimates)) answer$estimates else rep("finite", length(columns))
  structure(
    list(
      verdict = answer$verdict,
      words = answer$words,
      status = structure(status, names = columns),
      separated = answer$separated,
      witness = data.frame(row = answer$witness, share = answer$shares),
      classes = rows$classes,
      rows = length(rows$y),
      json = answer$json
    ),
    class = "linsep_certificate"
  )
}

# A matrix and labels as the C++ code takes them. The second class is the positive one.
proof_rows <- function(x, y) {
  x <- as.matrix(x)
  if (!is.numeric(x) && !is.logical(x)) stop("x must be a matrix of numbers; see model.matrix() for factors")
  if (nrow(x) != length(y)) stop("x has ", nrow(x), " rows and y ", length(y), " labels")
  if (anyNA(x) || anyNA(y)) stop("x and y must not have missing values")
  if (ncol(x) == 0L) stop("x has no columns")
  storage.mode(x) <- "double"
  y <- if (is.factor(y)) droplevels(y) else if (is.logical(y)) factor(y, c(FALSE, TRUE)) else factor(y)
  if (nlevels(y) != 2L) stop("y must have two classes, not ", nlevels(y))
  names <- colnames(x)
  if (is.null(names)) names <- character()
  list(x = t(x), y = as.double(y == levels(y)[2L]), names = names, classes = levels(y))
}

print.linsep_certificate <- function(x, ...) {
  say(toupper(substr(x$words, 1L, 1L)), substring(x$words, 2L), ".\n")
  if (x$verdict != "overlapping") {
    say("Maximum likelihood estimates:\n")
    print(with_shown_names(x$status), quote = FALSE)
  }
  say("Certificate: ", nchar(x$json, "bytes"), " bytes of JSON; see as.character() and verify().\n")
  invisible(x)
}

as.character.linsep_certificate <- function(x, ...) x$json

verify <- function(certificate, x = NULL, y = NULL) {
  name <- "certificate"
  if (is.null(x) != is.null(y)) stop("give both x and y, or neither")
  if (inherits(certificate, c("linsep_certificate", "linsep_audit"))) {
    json <- certificate$json
    if (is.null(x)) {
      x <- certificate$x
      y <- certificate$y
    }
  } else {
    if (!is.character(certificate)) stop("certificate must be made by certify() or audit(), its text, or the name of its file")
    json <- paste(certificate, collapse = "\n")
    if (!grepl("^\\s*\\{", json)) {
      name <- json
      json <- paste(readLines(json, encoding = "UTF-8", warn = FALSE), collapse = "\n")
    }
  }
  rows <- if (is.null(x)) list(names = character(), classes = character()) else proof_rows(x, y)
  answer <- .Call(linsep_verify, enc2utf8(json), name, rows$x, rows$y, rows$names, rows$classes)
  structure(answer, class = "linsep_verification")
}

print.linsep_verification <- function(x, ...) {
  if (x$valid && x$verdict == "near-optimal") {
    say("Valid:\n", paste0("  ", x$proven, "\n"))
  } else {
    say(if (x$valid) "Valid: " else if (x$needs_data) "Not decided without the data: " else "Not valid: ", shown(x$reason), "\n")
  }
  invisible(x)
}
