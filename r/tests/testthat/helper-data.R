endometrial <- function() {
  skip_if_not_installed("brglm2")
  held <- new.env()
  utils::data("endometrial", package = "brglm2", envir = held)
  held$endometrial
}

lizards <- function() {
  skip_if_not_installed("brglm2")
  held <- new.env()
  utils::data("lizards", package = "brglm2", envir = held)
  held$lizards
}

sex2 <- function() {
  file <- file.path(Sys.getenv("LINSEP_DATA", "nowhere"), "sex2.csv")
  skip_if_not(file.exists(file), "sex2.csv is not in LINSEP_DATA")
  utils::read.csv(file)
}

# Quasi-separable: dose is 0 in all who survived, and in some who died.
patients <- data.frame(
  died = c(0, 1, 0, 1, 1, 0, 1, 1),
  dose = c(0, 0, 0, 1, 2, 0, 0, 1),
  age = c(41, 52, 63, 47, 58, 49, 66, 55)
)

# Drawn data with three columns, one of them a factor.
drawn <- function(seed, n = 40 + seed %% 60) {
  set.seed(seed)
  data <- data.frame(a = rnorm(n), b = round(rnorm(n), 1), g = factor(sample(c("u", "v", "w"), n, TRUE)))
  data$y <- rbinom(n, 1, plogis(0.3 + data$a - 0.5 * data$b + 0.4 * (data$g == "v")))
  data
}

near <- function(found, wanted, within) {
  expect_equal(length(found), length(wanted))
  expect_lt(max(abs(as.vector(found) - as.vector(wanted))), within)
  expect_gt(length(found), 0)
}

same_matrix <- function(found, wanted) expect_equal(found, wanted, tolerance = 1e-6, ignore_attr = TRUE)
