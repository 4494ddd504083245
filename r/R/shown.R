# Names as a terminal may show them: no colors, cursor movements, further lines or marks that turn text around. Every
# print method writes by say(), never by cat(), and prints tables with_shown_names().

# Each of some words in one line.
shown <- function(words) .Call(linsep_shown, as.character(words), FALSE)

# A vector, or the rows of a matrix.
with_shown_names <- function(x) {
  if (is.null(dim(x))) {
    if (!is.null(names(x))) names(x) <- shown(names(x))
  } else if (!is.null(rownames(x))) {
    rownames(x) <- shown(rownames(x))
  }
  x
}

say <- function(...) cat(.Call(linsep_shown, paste(c(...), collapse = ""), TRUE))
