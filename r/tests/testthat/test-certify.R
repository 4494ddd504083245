x <- as.matrix(patients[c("dose", "age")])

test_that("a certificate is checked against its data, from a file too", {
  proof <- certify(x, patients$died)
  expect_identical(proof$verdict, "quasi-separable")
  expect_identical(proof$status, c(dose = "+infinity", age = "finite", "(Intercept)" = "finite"))
  expect_identical(proof$separated, c(4, 5, 8))
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  writeLines(as.character(proof), file)
  for (given in list(proof, proof$json, file)) {
    answer <- verify(given, x, patients$died)
    expect_true(answer$valid)
    expect_match(answer$reason, "separable")
  }
  expect_output(print(proof), "Quasi-separable")
  expect_output(print(answer), "Valid")
})

test_that("other data, other labels and a changed certificate are refused", {
  proof <- certify(x, patients$died)
  other <- x
  other[1, "age"] <- 41 + 2^-40
  expect_false(verify(proof, other, patients$died)$valid)
  expect_false(verify(proof, x, 1 - patients$died)$valid)
  changed <- sub('"quasi-separable"', '"separable"', proof$json, fixed = TRUE)
  expect_false(identical(changed, proof$json))
  expect_false(verify(changed, x, patients$died)$valid)
  expect_error(verify("{\"no\": 1}", x, patients$died), "certificate")
})

test_that("an overlap is often proven without the data, by the rows that the certificate carries", {
  data <- drawn(12)
  proof <- certify(y ~ a + b, data)
  expect_identical(proof$verdict, "overlapping")
  expect_true(verify(proof)$valid)
  expect_gt(nrow(proof$witness), 1)
  near(sum(proof$witness$share), 2, 1e-9)
  quasi <- verify(certify(x, patients$died))
  expect_false(quasi$valid)
  expect_true(quasi$needs_data)
})

test_that("a separable set, by factors and through the origin", {
  proof <- certify(cbind(1:6), factor(c("no", "no", "no", "yes", "yes", "yes")))
  expect_identical(proof$verdict, "separable")
  expect_identical(proof$classes, c("no", "yes"))
  expect_true(verify(proof, cbind(1:6), rep(c("no", "yes"), each = 3))$valid)
  origin <- certify(cbind(1:6), rep(0:1, each = 3), intercept = FALSE)
  expect_identical(origin$verdict, "overlapping")
  expect_output(print(origin), "Overlapping: no linear classifier through the origin separates these rows", fixed = TRUE)
})

test_that("what can't be certified is refused", {
  expect_error(certify(x, 1:8), "two classes")
  expect_error(certify(x, patients$died[-1]), "8 rows and y 7 labels")
  expect_error(certify(cbind(c("a", "b")), 0:1), "matrix of numbers")
  expect_error(certify(cbind(c(1, NA)), 0:1), "missing")
  expect_error(verify(certify(x, patients$died), x), "both")
})
