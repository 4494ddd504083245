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
  expect_identical(confint(fit), confint(plain))
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
