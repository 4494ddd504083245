set.seed(7)
x <- matrix(rnorm(120 * 5), 120) %*% diag(c(1, 3, 0.5, 1, 1))
colnames(x) <- c("a", "b", "c", "d", "e")
sick <- ifelse(drop(x %*% c(1, -0.5, 1, 0, 0)) + 0.5 + rnorm(120) > 0, "well", "ill")
sign_of <- ifelse(sick == "well", 1, -1)

losses <- function(name, margins) {
  switch(name, logistic = log1p(exp(-margins)), hinge = pmax(0, 1 - margins), "squared-hinge" = pmax(0, 1 - margins)^2)
}

# The mean loss of rows that count by their class, plus the penalty.
objective <- function(theta, offset, loss, lambda, l1_ratio, counts = c(ill = 1, well = 1), intercept_penalty = 0, rows = x) {
  weights <- counts[sick]
  mean <- sum(weights * losses(loss, sign_of * (drop(rows %*% theta) + offset))) / sum(weights)
  mean + lambda * (l1_ratio * sum(abs(theta)) + (1 - l1_ratio) / 2 * sum(theta^2) + intercept_penalty / 2 * offset^2)
}

# Its own objective is what was written out, it is within `gap` of the best, and nothing near it is below the bound.
expect_audit <- function(proof, own, gap) {
  expect_equal(proof$at_most, own, tolerance = 1e-12)
  expect_gte(proof$at_most, own * (1 - 1e-13))
  expect_lte(proof$at_least, own)
  expect_lt(proof$gap, gap)
  expect_true(verify(proof)$valid)
}

deviations <- function(columns) apply(columns, 2, function(column) sqrt(mean((column - mean(column))^2)))

test_that("glmnet's objective: lambda, alpha, standardized columns, a free intercept", {
  skip_if_not_installed("glmnet")
  scale <- deviations(x)
  for (alpha in c(0, 0.4, 1)) {
    fit <- glmnet::glmnet(x, sick, family = "binomial", alpha = alpha, thresh = 1e-14)
    for (s in fit$lambda[c(20, 40)]) {
      theta <- as.vector(as.matrix(coef(fit, s = s)))
      proof <- audit(fit, x, sick, s = s, alpha = alpha, gap = 1e-6)
      expect_audit(proof, objective(theta[-1] * scale, theta[1], "logistic", s, alpha, rows = sweep(x, 2, scale, "/")), 1e-6)
      expect_match(proof$note, "standard deviations")
      plain <- glmnet::glmnet(x, sick, family = "binomial", alpha = alpha, lambda = s, standardize = FALSE, thresh = 1e-14)
      theta <- as.vector(as.matrix(coef(plain)))
      proof <- audit(plain, x, sick, alpha = alpha, gap = 1e-6)
      expect_audit(proof, objective(theta[-1], theta[1], "logistic", s, alpha), 1e-6)
      expect_null(proof$note)
    }
  }
})

test_that("glmnet without an intercept, with a constant column, of sparse rows and by cv.glmnet", {
  skip_if_not_installed("glmnet")
  fit <- glmnet::glmnet(x, sick, family = "binomial", alpha = 0.5, intercept = FALSE, lambda = 0.02, thresh = 1e-14)
  theta <- as.vector(as.matrix(coef(fit)))[-1]
  scale <- deviations(x)
  expect_audit(audit(fit, x, sick, gap = 1e-6), objective(theta * scale, 0, "logistic", 0.02, 0.5, rows = sweep(x, 2, scale, "/")), 1e-6)
  longer <- cbind(x, same = 3)
  fit <- glmnet::glmnet(longer, sick, family = "binomial", lambda = 0.02, thresh = 1e-14)
  proof <- audit(fit, longer, sick)
  expect_identical(colnames(proof$x), colnames(x))
  expect_lt(proof$gap, 1e-3)
  expect_identical(audit(fit, Matrix::Matrix(longer, sparse = TRUE), sick)$json, proof$json)
  set.seed(1)
  found <- glmnet::cv.glmnet(x, sick, family = "binomial")
  expect_identical(audit(found, x, sick, s = "lambda.min")$json, audit(found$glmnet.fit, x, sick, s = found$lambda.min)$json)
  expect_identical(audit(found, x, sick)$json, audit(found$glmnet.fit, x, sick, s = found$lambda.1se)$json)
})

test_that("what glmnet was given must be known", {
  skip_if_not_installed("glmnet")
  chosen <- 0.5
  fit <- glmnet::glmnet(x, sick, family = "binomial", alpha = chosen)
  expect_error(audit(fit, x, sick, s = 0.01), "the value of alpha")
  expect_lt(audit(fit, x, sick, s = fit$lambda[30], alpha = 0.5)$gap, 1e-3)
  expect_error(audit(fit, x, sick), "one lambda")
  expect_error(audit(fit, x[, 1:4], sick, s = 0.01, alpha = 0.5), "5 columns, and x 4")
  expect_error(audit(fit, x, sign_of, s = 0.01, alpha = 0.5), "classes")
  expect_error(audit(fit, x, sick, lamda = 0.01), "no argument lamda")
  weighted <- glmnet::glmnet(x, sick, family = "binomial", weights = rep(1:2, 60))
  expect_error(audit(weighted, x, sick, s = 0.01), "weights")
  factors <- glmnet::glmnet(x, sick, family = "binomial", penalty.factor = 1:5)
  expect_error(audit(factors, x, sick, s = 0.01), "penalty.factor")
  expect_error(audit(glmnet::glmnet(x, sign_of), x, sick, s = 0.01), "binomial")
})

# A model as LiblineaR 2.10 makes it, at weights that are given towards the class of the first row.
liblinear <- function(type, theta, bias, first = sick[1]) {
  names <- factor(c(first, setdiff(c("ill", "well"), first)))
  structure(list(TypeDetail = "", Type = type, W = matrix(theta, 1), Bias = bias, ClassNames = names, NbClass = 2), class = "LiblineaR")
}

test_that("LIBLINEAR's objectives: cost, weights of classes, the penalized bias", {
  turn <- if (sick[1] == "well") 1 else -1
  counts <- c(ill = 2, well = 0.5)
  total <- sum(counts[sick])
  kinds <- c("logistic", "squared-hinge", "squared-hinge", "hinge", NA, "squared-hinge", "logistic", "logistic")
  for (type in c(0:3, 5:7)) {
    l1 <- type %in% 5:6
    theta <- c(0.8, -0.4, 0.6, 0, 0.1)
    for (bias in c(-1, 2)) {
      weights <- c(theta, if (bias > 0) 0.15)
      proof <- audit(liblinear(type, turn * weights, bias), x, sick, cost = 0.3, wi = counts, gap = 1e-4)
      rows <- if (bias > 0) cbind(x, bias) else x
      own <- objective(weights, 0, kinds[type + 1], 1 / (0.3 * total), as.numeric(l1), counts, rows = rows)
      expect_equal(proof$at_most, own, tolerance = 1e-12)
      expect_true(verify(proof)$valid)
      expect_gt(proof$above_best[["at_least"]], 0)
      expect_lt(diff(proof$above_best), 2e-4)
      # No classifier is below the bound, and a general method comes near it.
      start <- if (l1) weights else 0 * weights
      found <- optim(start, function(at) {
        objective(at, 0, kinds[type + 1], 1 / (0.3 * total), as.numeric(l1), counts, rows = rows)
      }, method = if (l1 || type == 3) "Nelder-Mead" else "BFGS", control = list(maxit = 5000, reltol = 1e-14))
      expect_lte(proof$at_least, found$value)
      if (!l1 && type != 3) expect_gte(proof$at_least * (1 + 2e-4), found$value)
    }
  }
  expect_error(audit(liblinear(4, theta, -1), x, sick), "types")
  expect_error(audit(liblinear(0, theta, 1), x, sick), "4 columns, and x 5")
  expect_error(audit(liblinear(0, theta, -1), x, sick, wi = c(1, 2)), "named after each class")
})

test_that("LiblineaR's models", {
  skip_if_not_installed("LiblineaR")
  counts <- c(ill = 2, well = 0.5)
  for (type in c(0:3, 5:7)) {
    for (bias in c(0, 1, 3)) {
      model <- LiblineaR::LiblineaR(x, sick, type = type, cost = 0.3, bias = bias, wi = counts, epsilon = 1e-8)
      expect_lt(audit(model, x, sick, cost = 0.3, wi = counts, gap = 1e-5)$gap, 1e-4)
      expect_gt(audit(model, x, sick, cost = 0.6, wi = counts, gap = 1e-5)$gap, 1e-4)
    }
  }
})

test_that("coefficients of any origin, by name or by place", {
  theta <- c(a = 0.8, b = -0.4, c = 0.6, d = 0, e = 0.1)
  proof <- audit(c("(Intercept)" = 0.3, theta), x, sick, lambda = 0.05)
  expect_equal(proof$at_most, objective(theta, 0.3, "logistic", 0.05, 0), tolerance = 1e-12)
  expect_identical(audit(c(rev(theta), "(Intercept)" = 0.3), x, sick, lambda = 0.05)$json, proof$json)
  origin <- audit(unname(theta), unname(x), sick, cost = 2, loss = "hinge")
  expect_equal(origin$at_most, objective(theta, 0, "hinge", 1 / 240, 0), tolerance = 1e-12)
  mixed <- audit(theta, x, sick, lambda = 0.05, l1_ratio = 0.5, wi = c(ill = 3, well = 1))
  expect_equal(mixed$at_most, objective(theta, 0, "logistic", 0.05, 0.5, c(ill = 3, well = 1)), tolerance = 1e-12)
  for (proof in list(proof, origin, mixed)) expect_true(verify(proof)$valid)
  expect_error(audit(theta, x, sick), "give lambda")
  expect_error(audit(theta, x, sick, lambda = 1, cost = 1), "give lambda")
  expect_error(audit(theta, x, sick, lambda = -1), "above 0")
  expect_error(audit(theta, x, sick, lambda = 1, loss = "huber"), "hinge")
  expect_error(audit(c(theta, f = 1), x, sick, lambda = 1), "6 columns, and x 5")
  expect_error(audit(c(theta[1:4], f = 1), x, sick, lambda = 1), "other names")
  expect_error(audit(c(theta[1:4], e = NA), x, sick, lambda = 1), "finite")
  expect_error(audit(list(theta), x, sick, lambda = 1), "class list")
  expect_error(audit(glm(sign_of > 0 ~ x, binomial()), x, sick), "logit")
})

test_that("what it says, and files", {
  theta <- c("(Intercept)" = 0.3, a = 0.8, b = -0.4, c = 0.6, d = 0, e = 0.1)
  proof <- audit(theta, x, sick, lambda = 0.05)
  expect_output(print(proof), "x: 120 rows, 5 features \\(logistic loss, \u03bb = 0.05\\)")
  expect_output(print(proof), "No linear classifier's is below")
  expect_match(format(proof), "^objective .* above the best possible one \\(.*, proven\\)$")
  expect_named(proof$certain_signs, colnames(x))
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  writeLines(as.character(proof), file)
  answer <- verify(file, x, sick)
  expect_true(answer$valid)
  expect_gt(answer$certain_labels, 60)
  expect_length(answer$zeros, 0)
  expect_output(print(answer), "the model's objective on these rows is at most")
  expect_true(verify(file)$needs_data)
  expect_false(verify(proof, x, rev(sick))$valid)
  changed <- sub('"at_least": "0.', '"at_least": "1.', proof$json, fixed = TRUE)
  expect_false(identical(changed, proof$json))
  expect_false(verify(changed, x, sick)$valid)
})
