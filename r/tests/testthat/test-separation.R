test_that("a quasi-separable set has a limiting model", {
  fit <- logit(died ~ dose + age, patients)
  expect_identical(fit$verdict, "quasi-separable")
  expect_identical(coef(fit)[["dose"]], Inf)
  rest <- patients[patients$dose == 0, ]
  peer <- glm(died ~ age, binomial, rest, control = list(epsilon = 1e-14))
  near(coef(fit)[-2], coef(peer), 1e-8)
  same_matrix(vcov(fit)[-2, -2], vcov(peer))
  near(as.numeric(logLik(fit)), as.numeric(logLik(peer)), 1e-8)
  expect_identical(fit$separated, c(4L, 5L, 8L))
  expect_identical(unname(fitted(fit)[fit$separated]), c(1, 1, 1))
  near(fitted(fit)[-fit$separated], fitted(peer), 1e-8)
})

test_that("the interval of an infinite estimate is where the perfectly fitted outcomes are unlikely", {
  fit <- logit(died ~ dose + age, patients)
  probability <- function(b) {
    at <- glm(died ~ age, binomial, patients, offset = b * dose, control = list(epsilon = 1e-14))
    prod(fitted(at)[fit$separated])
  }
  near(probability(confint(fit)["dose", 1]), 0.05, 1e-7)
  near(probability(confint(fit, level = 0.9)["dose", 1]), 0.1, 1e-7)
  face <- update(fit, infinite_interval = "face")
  # With so few observations the profile at 99.9 % is nearer than a probability of 0.025.
  expect_gt(probability(confint(face)["dose", 1]), 0.025)
  expect_lt(confint(face)["dose", 1], confint(fit)["dose", 1])
  expect_identical(confint(fit, infinite_interval = "face"), confint(face))
  expect_output(print(summary(fit)), "probability of the perfectly fitted outcomes \\(mid-p\\)")
  expect_output(print(summary(face)), "probability of the perfectly fitted outcomes\n")
  counts <- data.frame(exposed = c(0, 1), yes = c(17, 13), no = c(49, 0))
  fit <- logit(cbind(yes, no) ~ exposed, counts)
  near(exp(confint(fit)["exposed", 1]), 9.085, 5e-4)
  near(exp(confint(fit, infinite_interval = "face")["exposed", 1]), 6.904, 5e-4)
  expect_error(logit(died ~ dose, patients, infinite_interval = "exact"), "should be one of")
})

test_that("the interval of an infinite estimate by its profile is where that passes the threshold", {
  fit <- logit(died ~ dose + age, patients, infinite_interval = "profile")
  low <- confint(fit)["dose", 1]
  profile <- function(b) logLik(glm(died ~ age, binomial, patients, offset = b * dose, control = list(epsilon = 1e-14)))
  drop <- function(b) 2 * (as.numeric(logLik(fit)) - as.numeric(profile(b)))
  near(drop(low), qchisq(0.95, 1), 1e-6)
  near(fit$table["dose", "chi_square"], drop(0), 1e-8)
  near(drop1(fit)["dose", "LRT"], drop(0), 1e-8)
  expect_identical(confint(fit)["dose", 2], Inf)
})

test_that("with an offset and weights separation is decided without them", {
  data <- cbind(patients, w = c(2, 1, 3, 1, 1, 2, 2, 1), o = patients$age / 50)
  fit <- logit(died ~ dose + age, data, weights = w, offset = o)
  rest <- data[data$dose == 0, ]
  peer <- glm(died ~ age, binomial, rest, weights = w, offset = o, control = list(epsilon = 1e-14))
  near(coef(fit)[-2], coef(peer), 1e-8)
  expect_identical(fit$separated, c(4L, 5L, 8L))
  near(predict(fit, data)[data$dose == 0], predict(peer), 1e-8)
})

test_that("an observation of weight 0 has no say", {
  more <- rbind(patients, data.frame(died = 0, dose = 2, age = 50))
  fit <- logit(died ~ dose + age, more, weights = c(rep(1, 8), 0))
  expect_identical(coef(fit), coef(logit(died ~ dose + age, patients)))
  expect_identical(as.numeric(nobs(fit)), 8)
  expect_identical(fitted(fit)[[9]], 1)
})

test_that("a separable set is fitted perfectly, and Firth's estimates are finite", {
  data <- data.frame(y = c(0, 0, 0, 1, 1, 1), x = 1:6)
  fit <- logit(y ~ x, data)
  expect_identical(fit$verdict, "separable")
  expect_identical(unname(coef(fit)), c(-Inf, Inf))
  expect_identical(as.numeric(logLik(fit)), 0)
  expect_identical(unname(fitted(fit)), as.double(data$y))
  expect_true(all(is.finite(coef(update(fit, firth = TRUE)))))
  expect_output(print(summary(fit)), "Separable")
})

test_that("aliased columns are named and left out, as by glm", {
  data <- drawn(5)
  data$twice <- 2 * data$a + 1
  fit <- logit(y ~ a + twice + b, data)
  expect_identical(fit$status[["twice"]], "aliased")
  expect_identical(fit$aliases, list(twice = "a"))
  expect_true(is.na(coef(fit)[["twice"]]))
  peer <- glm(y ~ a + twice + b, binomial, data, control = list(epsilon = 1e-10))
  near(coef(fit)[-3], coef(peer)[-3], 1e-8)
  expect_identical(as.numeric(attr(logLik(fit), "df")), 3)
  near(predict(fit), predict(peer), 1e-7)
  expect_output(print(fit), "Left out: twice")
})

test_that("detect_separation is what glm's users know", {
  separation <- detect_separation(died ~ dose + age, patients)
  expect_identical(coef(separation), c("(Intercept)" = 0, dose = Inf, age = 0))
  expect_true(separation$outcome)
  expect_s3_class(separation, c("detect_separation", "glm"), exact = FALSE)
  fit <- suppressWarnings(glm(died ~ dose + age, binomial, patients))
  expect_identical((coef(fit) + coef(separation))[["dose"]], Inf)
  expect_identical((coef(fit) + coef(separation))[["age"]], coef(fit)[["age"]])
  same <- glm(died ~ dose + age, binomial, patients, method = "detect_separation")
  expect_identical(coef(same), coef(separation))
  expect_identical(coef(detect_separation(fit)), coef(separation))
  expect_identical(coef(update(fit, method = "detect_separation")), coef(separation))
  smaller <- update(same, . ~ age)
  expect_false(smaller$outcome)
  expect_identical(coef(smaller), c("(Intercept)" = 0, age = 0))
  expect_identical(coef(update(separation, . ~ . - age))[["dose"]], Inf)
  expect_output(print(same), "Separation: TRUE")
})

test_that("detect_separation refuses what it can't decide", {
  expect_error(glm(died ~ dose, poisson, patients, method = "detect_separation"), "binomial")
  expect_error(glm(died ~ dose, binomial("log"), patients, method = "detect_separation"), "log")
})

# All directions along which no row is misclassified, by enumeration: the extreme ones leave two rows at 0.
directions <- function(z) {
  found <- NULL
  for (i in seq_len(nrow(z))) for (j in seq_len(i - 1)) {
    a <- z[i, ]
    b <- z[j, ]
    w <- c(a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1])
    for (side in c(1, -1)) {
      score <- z %*% (side * w)
      if (all(score >= 0) && any(score > 0)) found <- rbind(found, side * w)
    }
  }
  found
}

test_that("300 drawn sets of small integers: every estimate is what enumeration says", {
  seen <- character()
  for (seed in 1:300) {
    set.seed(seed)
    data <- data.frame(a = sample(-2:2, 9, TRUE), b = sample(-2:2, 9, TRUE), y = sample(0:1, 9, TRUE))
    x <- cbind(1, data$a, data$b)
    if (length(unique(data$y)) < 2 || qr(x)$rank < 3) next
    rays <- directions(x * (2 * data$y - 1))
    wanted <- c("finite", "finite", "finite")
    if (!is.null(rays)) {
      up <- colSums(rays > 0) > 0
      down <- colSums(rays < 0) > 0
      wanted <- ifelse(up & down, "undetermined", ifelse(up, "+infinity", ifelse(down, "-infinity", "finite")))
    }
    fit <- logit(y ~ a + b, data, profile = FALSE)
    expect_identical(unname(fit$status), wanted)
    expect_identical(is.null(rays), fit$verdict == "overlapping")
    split <- if (is.null(rays)) integer() else which((x * (2 * data$y - 1)) %*% colSums(rays) > 0)
    expect_identical(sort(fit$separated), split)
    expect_identical(unname(fitted(fit)[split]), as.double(data$y[split]))
    expect_false(anyNA(fitted(fit)))
    seen <- c(seen, fit$verdict)
  }
  expect_true(all(c("overlapping", "quasi-separable", "separable") %in% seen))
})
