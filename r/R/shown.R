# Names as a terminal may show them: no colours, cursor movements, further lines or marks that turn text around. Every
# print method writes by say(), never by cat().

# Each of some words in one line.
shown <- function(words) .Call(linsep_shown, as.character(words), FALSE)

say <- function(...) cat(.Call(linsep_shown, paste(c(...), collapse = ""), TRUE))
