# R's glm and brglm2, run on the same data.

test_that("200 drawn sets that overlap: estimates, standard errors and likelihood ratios are those of glm", {
  compared <- 0
  for (seed in 1:230) {
    data <- drawn(seed)
    fit <- logit(y ~ a + b + g, data, profile = FALSE)
    if (fit$verdict != "overlapping" || any(fit$status != "finite")) next
    peer <- glm(y ~ a + b + g, binomial, data, control = list(epsilon = 1e-14, maxit = 100))
    near(coef(fit), coef(peer), 1e-6)
    same_matrix(vcov(fit), vcov(peer))
    near(as.numeric(logLik(fit)), as.numeric(logLik(peer)), 1e-8)
    near(c(AIC(fit), BIC(fit), deviance(fit), fit$null.deviance), c(AIC(peer), BIC(peer), deviance(peer), peer$null.deviance), 1e-8)
    near(drop1(fit)[["LRT"]][-1], drop1(peer, test = "LRT")[["LRT"]][-1], 1e-6)
    near(fitted(fit), fitted(peer), 1e-7)
    compared <- compared + 1
  }
  expect_gte(compared, 200)
})

test_that("sequential and single tests are those of glm, with weights and an offset", {
  data <- drawn(21, 120)
  data$w <- 1 + seq_len(nrow(data)) %% 3
  data$o <- data$a / 3
  fit <- logit(y ~ a * g + b, data, weights = w, offset = o)
  peer <- glm(y ~ a * g + b, binomial, data, weights = w, offset = o, control = list(epsilon = 1e-14))
  near(coef(fit), coef(peer), 1e-6)
  ours <- anova(fit)
  theirs <- anova(peer, test = "Chisq")
  expect_identical(rownames(ours), rownames(theirs))
  for (column in c("Df", "Deviance", "Pr(>Chi)")) near(ours[[column]][-1], theirs[[column]][-1], 1e-6)
  for (column in c("Resid. Df", "Resid. Dev")) near(ours[[column]], theirs[[column]], 1e-6)
  ours <- drop1(fit)
  theirs <- drop1(peer, test = "Chisq")
  expect_identical(rownames(ours), rownames(theirs))
  near(ours[["AIC"]], theirs[["AIC"]], 1e-6)
  near(ours[["Pr(>Chi)"]][-1], theirs[["Pr(>Chi)"]][-1], 1e-6)
  smaller <- update(fit, . ~ a)
  peer_smaller <- update(peer, . ~ a)
  near(anova(smaller, fit)[2, "Deviance"], anova(peer_smaller, peer)[2, "Deviance"], 1e-6)
})

test_that("profile intervals of glm (MASS) are ours", {
  skip_if_not_installed("MASS")
  data <- drawn(11)
  fit <- logit(y ~ a + b, data)
  peer <- glm(y ~ a + b, binomial, data, control = list(epsilon = 1e-14))
  # MASS interpolates the profile by splines.
  near(confint(fit), suppressMessages(confint(peer)), 2e-3)
  near(confint(fit, level = 0.8), suppressMessages(confint(peer, level = 0.8)), 2e-3)
  near(confint(fit, type = "wald"), confint.default(peer), 1e-6)
})

test_that("counts, proportions, factors and logical values are read as glm reads them", {
  counts <- data.frame(yes = c(6, 13, 18, 28, 52, 0), no = c(53, 47, 44, 28, 11, 0), dose = 1:6)
  fit <- logit(cbind(yes, no) ~ dose, counts)
  peer <- glm(cbind(yes, no) ~ dose, binomial, counts, control = list(epsilon = 1e-14))
  near(coef(fit), coef(peer), 1e-8)
  near(c(logLik(fit), AIC(fit), deviance(fit)), c(logLik(peer), AIC(peer), deviance(peer)), 1e-8)
  expect_identical(as.numeric(nobs(fit)), as.numeric(nobs(peer)))
  near(fitted(fit), fitted(peer), 1e-8)
  share <- logit(yes / (yes + no) ~ dose, counts[1:5, ], weights = yes + no)
  near(coef(share), coef(peer), 1e-8)
  near(c(logLik(share), BIC(share)), c(logLik(peer), BIC(update(peer, subset = 1:5))), 1e-8)
  data <- drawn(3)
  wanted <- coef(logit(y ~ a, data))
  expect_identical(coef(logit(factor(y, labels = c("no", "yes")) ~ a, data)), wanted)
  expect_identical(coef(logit(y == 1 ~ a, data)), wanted)
})

test_that("Firth's estimates are those of brglm2", {
  skip_if_not_installed("brglm2")
  for (seed in 1:25) {
    data <- drawn(seed, 25)
    fit <- logit(y ~ a + b + g, data, firth = TRUE, profile = FALSE)
    peer <- glm(y ~ a + b + g, binomial, data, method = brglm2::brglmFit, type = "AS_mean", epsilon = 1e-10, maxit = 1000)
    near(coef(fit), coef(peer), 1e-6)
    near(vcov(fit), vcov(peer), 1e-5)
  }
})
