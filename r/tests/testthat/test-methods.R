test_that("predictions are limits: 0 and 1 where infinite estimates decide, NA where they contradict", {
  fit <- logit(died ~ dose + age, patients)
  new <- data.frame(dose = c(0, 1, -1, 0), age = c(50, 50, 50, NA))
  p <- predict(fit, new, type = "response")
  near(p[1], plogis(coef(fit)[[1]] + 50 * coef(fit)[[3]]), 1e-8)
  expect_identical(unname(p[2:4]), c(1, 0, NA))
  expect_identical(unname(predict(fit, new)[2:3]), c(Inf, -Inf))
  with_errors <- predict(fit, new[1:2, ], se.fit = TRUE)
  expect_true(is.na(with_errors$se.fit[[2]]))
  both <- data.frame(y = c(0, 0, 0, 1, 1, 1), x = 1:6)
  expect_true(is.na(predict(logit(y ~ x, both), data.frame(x = 3.5))))
})

test_that("predictions with standard errors are those of glm", {
  data <- drawn(9)
  fit <- logit(y ~ a + g, data)
  peer <- glm(y ~ a + g, binomial, data, control = list(epsilon = 1e-14))
  new <- data[c(3, 1, 7), ]
  for (type in c("link", "response")) {
    ours <- predict(fit, new, type = type, se.fit = TRUE)
    theirs <- predict(peer, new, type = type, se.fit = TRUE)
    near(ours$fit, theirs$fit, 1e-7)
    near(ours$se.fit, theirs$se.fit, 1e-7)
  }
})

test_that("residuals are those of glm, and 0 where an observation is fitted perfectly", {
  counts <- data.frame(yes = c(6, 13, 18, 28, 52), no = c(53, 47, 44, 28, 11), dose = 1:5)
  fit <- logit(cbind(yes, no) ~ dose, counts)
  peer <- glm(cbind(yes, no) ~ dose, binomial, counts, control = list(epsilon = 1e-14))
  for (type in c("deviance", "pearson", "response")) near(residuals(fit, type), residuals(peer, type), 1e-7)
  fit <- logit(died ~ dose + age, patients)
  for (type in c("deviance", "pearson", "response")) expect_identical(unname(residuals(fit, type)[fit$separated]), c(0, 0, 0))
  near(sum(residuals(fit)^2), deviance(fit), 1e-7)
})

test_that("missing values are left out, and na.exclude fills them in", {
  data <- drawn(4)
  data$a[c(2, 5)] <- NA
  fit <- logit(y ~ a, data)
  expect_identical(as.numeric(nobs(fit)), nrow(data) - 2)
  expect_length(predict(logit(y ~ a, data, na.action = na.exclude)), nrow(data))
  expect_output(print(summary(fit)), "2 observations deleted")
})

test_that("a regression without an intercept, and one of the intercept alone", {
  data <- drawn(6)
  peer <- glm(y ~ 0 + a + b, binomial, data, control = list(epsilon = 1e-14))
  fit <- logit(y ~ 0 + a + b, data)
  near(coef(fit), coef(peer), 1e-8)
  near(anova(fit)[["Resid. Dev"]], anova(peer)[["Resid. Dev"]], 1e-7)
  mean <- logit(y ~ 1, data)
  near(coef(mean), qlogis(mean(data$y)), 1e-8)
  expect_identical(names(coef(mean)), "(Intercept)")
  expect_length(mean$aliases, 0)
  near(confint(mean, type = "wald"), confint.default(glm(y ~ 1, binomial, data, control = list(epsilon = 1e-14))), 1e-8)
})

test_that("without an intercept all terms are tested against no coefficients", {
  data <- drawn(6)
  fit <- logit(y ~ 0 + g, data)
  near(fit$overall[["chi_square"]], 2 * (as.numeric(logLik(fit)) + nrow(data) * log(2)), 1e-8)
  expect_identical(fit$overall[["df"]], as.numeric(nlevels(factor(data$g))))
})

test_that("estimates that the data don't determine have a test, and any value in their interval", {
  fit <- logit(y ~ a + b, data.frame(a = c(-1, 1, -2, 2), b = c(1, -3, 2.5, 1), y = c(0, 1, 0, 1)))
  expect_identical(unname(fit$status), c("undetermined", "+infinity", "undetermined"))
  expect_identical(unname(confint(fit)["b", ]), c(-Inf, Inf))
  expect_identical(unname(summary(fit)$coefficients["b", 5:6]), c(0, 1))
})

test_that("columns of any scale are estimated", {
  data <- drawn(6)
  peer <- logit(y ~ a, data)
  for (unit in c(1e155, 1e-160)) {
    fit <- logit(y ~ z, transform(data, z = a * unit))
    expect_length(fit$aliases, 0)
    near(coef(fit)[["z"]] * unit, coef(peer)[["a"]], 1e-8)
  }
})

test_that("step() drops terms by AIC as it does for glm", {
  data <- drawn(8)
  ours <- step(logit(y ~ a + b + g, data, profile = FALSE), trace = 0)
  theirs <- step(glm(y ~ a + b + g, binomial, data), trace = 0)
  expect_identical(sort(attr(terms(ours), "term.labels")), sort(attr(terms(theirs), "term.labels")))
})

test_that("tests of Firth's method keep the penalty of the whole model", {
  fit <- logit(died ~ dose + age, patients, firth = TRUE)
  single <- drop1(fit)
  near(single["dose", "LRT"], fit$table["dose", "chi_square"], 1e-8)
  table <- anova(fit)
  near(sum(table$LRT, na.rm = TRUE), fit$overall[["chi_square"]], 1e-8)
  near(anova(update(fit, . ~ age), fit)[2, "LRT"], single["dose", "LRT"], 1e-8)
})

test_that("robust standard errors are sandwiches, and likelihood ratios don't change", {
  data <- drawn(14)
  plain <- logit(y ~ a + b, data)
  fit <- update(plain, robust = TRUE)
  peer <- glm(y ~ a + b, binomial, data, control = list(epsilon = 1e-14))
  scores <- model.matrix(peer) * residuals(peer, "response")
  n <- nrow(data)
  same_matrix(vcov(fit), vcov(peer) %*% crossprod(scores) %*% vcov(peer) * n / (n - 3))
  expect_identical(coef(fit), coef(plain))
  expect_equal(drop1(fit), drop1(plain))
})

test_that("robust standard errors have Wald's intervals and tests", {
  data <- drawn(14)
  fit <- logit(y ~ a + b, data, robust = TRUE)
  errors <- sqrt(diag(vcov(fit)))
  near(confint(fit), coef(fit) + errors %o% qnorm(c(0.025, 0.975)), 1e-12)
  table <- summary(fit)$coefficients
  expect_identical(colnames(table)[5:6], c("z value", "Pr(>|z|)"))
  near(table[, 3:4], confint(fit), 1e-12)
  near(table[, 6], 2 * pnorm(-abs(coef(fit) / errors)), 1e-10)
  expect_output(print(summary(fit)), "Wald intervals and tests, robust standard errors")
  expect_error(logit(y ~ a, data, robust = TRUE, profile = TRUE), "leave out profile or robust")
})

test_that("under separation robust errors leave out what doesn't exist", {
  fit <- logit(died ~ dose + age, patients, robust = TRUE)
  expect_true(is.na(confint(fit)["dose", 1]))
  expect_true(all(is.finite(confint(fit)[c(1, 3), ])))
  printed <- paste(c(capture.output(print(fit)), capture.output(print(summary(fit)))), collapse = "\n")
  expect_no_match(printed, "NaN")
  expect_match(printed, "Wald test of all terms: none, because an estimate isn't finite")
})

test_that("predictions have intervals, and what isn't one is refused", {
  data <- drawn(9)
  fit <- logit(y ~ a + g, data)
  new <- data[c(3, 1, 7), ]
  link <- predict(fit, new, se.fit = TRUE)
  ends <- predict(fit, new, interval = "confidence", level = 0.9)
  expect_identical(colnames(ends), c("fit", "lwr", "upr"))
  near(ends[, "lwr"], link$fit - qnorm(0.95) * link$se.fit, 1e-12)
  same_matrix(predict(fit, new, type = "response", interval = "confidence", level = 0.9), plogis(ends))
  expect_named(predict(fit, new, interval = "confidence", se.fit = TRUE), c("fit", "se.fit"))
  expect_error(predict(fit, new, interval = "prediction"), "should be one of")
  expect_warning(predict(fit, new, intervals = "confidence"), "intervals")
  infinite <- logit(died ~ dose + age, patients)
  ends <- predict(infinite, data.frame(dose = 0:1, age = 50), type = "response", interval = "confidence")
  expect_identical(unname(is.na(ends[, "lwr"])), c(FALSE, TRUE))
  expect_identical(ends[[2, "fit"]], 1)
})

test_that("a penalty fits no observation perfectly", {
  printed <- capture.output(print(summary(logit(died ~ dose, patients, firth = TRUE))))
  expect_no_match(printed, "fitted perfectly")
  expect_true(any(grepl("Quasi-separable (proven): maximum likelihood has infinite estimates.", printed, fixed = TRUE)))
})

test_that("FLIC and FLAC have the mean probability of the data", {
  data <- drawn(2, 60)
  for (method in c("flic", "flac")) {
    fit <- logit(y ~ a + b, data, method = method)
    near(mean(fitted(fit)), mean(data$y), 1e-6)
    near(as.numeric(logLik(fit)), sum(dbinom(data$y, 1, fitted(fit), log = TRUE)), 1e-8)
  }
})

test_that("what is printed", {
  fit <- logit(died ~ dose + age, patients)
  expect_output(print(fit), "Infinite: dose = \\+Inf")
  expect_output(print(summary(fit)), "Quasi-separable \\(proven\\): 3 of 8 observations")
  expect_identical(formula(fit), died ~ dose + age)
  expect_identical(dim(summary(fit)$coefficients), c(3L, 6L))
  expect_output(print(summary(logit(died ~ dose, patients, firth = TRUE))), "Firth")
  expect_output(print(drop1(fit)), "Single term deletions")
})

test_that("what can't be fitted is refused", {
  expect_error(logit(rep(1, 8) ~ dose, patients), "one class")
  expect_error(logit(dose ~ age, patients), "from 0 to 1")
  expect_error(logit(died ~ I(1 / dose), patients), "infinity|finite")
  expect_error(logit(died ~ dose, patients, weights = -age), "negative weights")
  expect_error(logit(died ~ dose, patients, method = "probit"), "should be one of")
})

test_that("names can't steer a terminal", {
  expect_identical(linsep:::shown(c("a\033[31m\nb", "plain")), c("a\\x1b[31m\\nb", "plain"))
  expect_identical(names(linsep:::with_shown_names(c("a\033" = 1))), "a\\x1b")
  expect_identical(rownames(linsep:::with_shown_names(matrix(1, 1, dimnames = list("a\u202e", "b")))), linsep:::shown("a\u202e"))
  expect_output(linsep:::say("two\n", c("words\033", " more"), NULL, 7L), "two\nwords\\\\x1b more7")
})
