library(testthat)
library(linsep)

test_check("linsep")
