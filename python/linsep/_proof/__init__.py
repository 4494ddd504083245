"""Parts of proofs and of reports on separation; `_separation` is one of their faces.

| module | what it holds |
|---|---|
| audit | `audit`, and `Audit`: how far a trained classifier is from the best possible one |
| objectives | what estimators of scikit-learn were trained for, by their parameters |
| certificate | `certify`, `verify`, and `Certificate`: saved, sealed, checked, compared |
| statement | what it states: verdict, bounds, witness, coefficients |
| file | its JSON, with columns by name, rows from 0 and numbers as Fractions |
| witness | the witness as a table, and the point that it shows |
| parts | small answers: what a checker found, bounds on mistakes |
| rows | what the calls are given, as the core takes it |
| exact | texts of exact numbers, and doubles on the safe side of a bound |
| words | sentences for reprs, reports and errors |
| design | the matrix, outcomes and names of a regression, out of whatever holds them |
| collinear | columns that are nearly a sum of others |
| advice | what separation means for a regression, and what to do |
"""
