# Published figures: Heinze and Schemper (2002), logistf, brglm2.

test_that("endometrial: NV is infinite, and the limiting model has the other estimates", {
  fit <- logit(HG ~ NV + PI + EH, endometrial())
  expect_identical(fit$verdict, "quasi-separable")
  expect_identical(unname(fit$status), c("finite", "+infinity", "finite", "finite"))
  expect_identical(coef(fit)[["NV"]], Inf)
  near(coef(fit)[-2], c(4.30451778, -0.0421834, -2.90260561), 1e-8)
  near(sqrt(diag(vcov(fit)))[-2], c(1.63729864, 0.04433197, 0.84555156), 1e-8)
  expect_true(is.na(vcov(fit)["NV", "NV"]))
  near(as.numeric(logLik(fit)), -27.69663018, 1e-8)
  near(confint(fit, infinite_interval = "profile")["NV", 1], 1.28411179, 1e-8)
  expect_lt(confint(fit)["NV", 1], 1.28411179)
  expect_identical(confint(fit)["NV", 2], Inf)
  near(fit$table["NV", "chi_square"], 9.35764301, 1e-8)
  expect_length(fit$separated, 13)
})

test_that("endometrial by Firth's penalty", {
  fit <- logit(HG ~ NV + PI + EH, endometrial(), firth = TRUE)
  near(coef(fit), c(3.77455951, 2.92927330, -0.03475175, -2.60416387), 1e-6)
  near(sqrt(diag(vcov(fit))), c(1.48869, 1.55076, 0.03958, 0.77602), 1e-5)
  near(confint(fit)[, 1], c(1.0825371, 0.6097244, -0.1244587, -4.3651832), 1e-6)
  near(confint(fit)[, 2], c(7.20928050, 7.85463171, 0.04045547, -1.23272106), 1e-6)
})

test_that("sex2 by Firth's penalty, as logistf prints it", {
  fit <- logit(case ~ age + oc + vic + vicl + vis + dia, sex2(), firth = TRUE)
  near(coef(fit), c(0.12025405, -1.10598131, -0.06881673, 2.26887464, -2.11140817, -0.78831694, 3.09601166), 1e-6)
  near(confint(fit)[, 1], c(-0.8185591, -1.9737884, -0.9414363, 1.2730216, -3.2608611, -1.6080879, 0.7745682), 1e-6)
  near(confint(fit)[, 2], c(1.07315122, -0.30742514, 0.78920202, 3.43543273, -1.11773495, 0.01518468, 8.03029352), 1e-6)
  near(fit$table$chi_square, c(0.06286298, 7.50773092, 0.02467044, 22.93139022, 19.10407252, 3.69740975, 7.89693139), 1e-5)
  near(fit$overall[["chi_square"]], 49.09064, 1e-5)
  near(fit$overall[["p"]], 7.15089e-09, 1e-13)
  near(sqrt(diag(vcov(fit)))[c("(Intercept)", "dia")], c(.48554151, 1.67500841), 1e-6)
})

test_that("lizards: counts of successes and failures, by Firth's penalty", {
  fit <- logit(cbind(grahami, opalinus) ~ height + diameter + light + time, lizards(), firth = TRUE)
  near(coef(fit), c(1.901833086, 1.106426283, -0.753629211, -0.817659279, 0.227960386, -0.727311109), 1e-6)
  near(sqrt(diag(vcov(fit))), c(.337353354, .254403284, .210271522, .318605746, .248841080, .297458160), 1e-6)
})
