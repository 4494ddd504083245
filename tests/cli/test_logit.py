"""`linsep logit`: the table in every form, separation said in words, categories, missing values, and what is refused.
tests/logit holds its numbers against others."""
import csv
import io
import json
import shutil
import subprocess
import unittest
import unittest.mock
from pathlib import Path

from program import PROGRAM, CommandLineTest

MPIRUN = shutil.which("mpirun")
MODULE = Path(PROGRAM).parent / "liblinsep_mpi.so"

TRIAL = "drug,severe,patients,died\n0,0,40,0\n0,0,6,1\n0,1,14,0\n0,1,12,1\n1,0,44,0\n1,1,21,0\n"
PATIENTS = """id,age,smoker,stage,ill
a,31,never,1,yes
b,45,never,2,no
c,52,former,3,yes
d,38,current,1,no
e,61,current,2,yes
f,58,never,3,no
g,,former,1,no
h,49,former,2,no
i,66,never,3,yes
j,47,current,1,yes
k,70,,2,yes
l,35,former,3,no
m,44,former,1,yes
n,59,current,2,no
"""
HEADER = ("name,status,estimate,error,standard_error,z,wald_p,chi_square,p,low,high,odds_ratio,odds_ratio_low,odds_ratio_high")


class Logit(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("trial.csv", TRIAL)
        self.write("patients.csv", PATIENTS)

    def logit(self, data, *options):
        return self.answer("logit", data, *options)

    def trial(self, *options):
        return self.logit("trial.csv", "--label", "died", "--weight", "patients", *options)

    def by_name(self, answer):
        return {each["name"]: each for each in answer["coefficients"]}

    def test_an_infinite_coefficient_has_no_finite_number(self):
        drug = self.by_name(self.trial())["drug"]
        self.assertEqual((drug["status"], drug["estimate"], drug["low"]), ("-infinity", "-infinity", "-infinity"))
        self.assertIsNone(drug["standard_error"])
        self.assertIsNone(drug["z"])
        self.assertIsNone(drug["wald_p"])
        self.assertLess(drug["high"], 0)
        words = self.words("logit", "trial.csv", "--label", "died", "--weight", "patients")
        self.assertIn("Quasi-separable (proven)", words)
        line = next(line for line in words.splitlines() if line.startswith("  drug"))
        self.assertEqual(line.split()[1:3], ["−∞", "–"])

    def test_wald_gives_infinite_coefficients_nothing_but_their_sign(self):
        drug = self.by_name(self.trial("--wald"))["drug"]
        self.assertEqual(drug["estimate"], "-infinity")
        for name in ("standard_error", "chi_square", "p", "low", "high"):
            self.assertIsNone(drug[name], name)

    def test_every_form_has_the_same_numbers(self):
        answer = self.by_name(self.trial())
        lines = list(csv.DictReader(io.StringIO(self.words("logit", "trial.csv", "--label", "died", "--weight", "patients", "--csv"))))
        self.assertEqual(",".join(lines[0]), HEADER)
        self.assertEqual([line["name"] for line in lines], list(answer))
        for line in lines:
            for name in ("estimate", "standard_error", "p", "low", "high"):
                wanted = answer[line["name"]][name]
                self.assertEqual(float(line[name]) if line[name] else None, None if wanted is None else float(wanted))
        markdown = self.words("logit", "trial.csv", "--label", "died", "--weight", "patients", "--markdown").splitlines()
        self.assertEqual(len(markdown), 5)
        self.assertTrue(all(line.count("|") == 9 for line in markdown))
        latex = self.words("logit", "trial.csv", "--label", "died", "--weight", "patients", "--latex")
        self.assertTrue(latex.startswith("\\begin{tabular}{lrrrrrrr}\n"))
        self.assertIn("drug & $-\\infty$ & --", latex)
        self.assertNotIn("∞", latex)

    def test_categories_have_a_reference_level_and_missing_rows_are_left_out(self):
        answer = self.logit("patients.csv", "--id", "id", "--category", "stage", "--reference", "smoker=never")
        self.assertEqual(list(self.by_name(answer)),
                         ["(intercept)", "age", "smoker=current", "smoker=former", "stage=2", "stage=3"])
        self.assertEqual((answer["rows"], answer["dropped"]["missing_value"]), (12, 2))
        self.assertEqual(answer["dropped"]["missing_by_column"], {"age": 1, "smoker": 1})
        words = self.words("logit", "patients.csv", "--id", "id", "--category", "stage")
        self.assertIn("Left out: 2 rows with a missing value (age 1, smoker 1).", words)
        self.assertEqual([(test["name"], test["degrees"]) for test in answer["terms"]], [("smoker", 2), ("stage", 2)])

    def test_the_reference_level_changes_the_coding_only(self):
        never = self.logit("patients.csv", "--id", "id", "--reference", "smoker=never")
        former = self.logit("patients.csv", "--id", "id", "--reference", "smoker=former")
        self.assertAlmostEqual(never["log_likelihood"], former["log_likelihood"], delta=1e-9)
        a, b = self.by_name(never)["smoker=former"], self.by_name(former)["smoker=never"]
        self.assertAlmostEqual(a["estimate"], -b["estimate"], delta=1e-9)
        self.assertAlmostEqual(a["low"], -b["high"], delta=1e-7)
        self.assertAlmostEqual(a["chi_square"], b["chi_square"], delta=1e-8)

    def test_missing_values_may_stay_with_an_indicator(self):
        answer = self.logit("patients.csv", "--id", "id", "--missing", "indicator", "--firth")
        self.assertEqual((answer["rows"], answer["dropped"]["missing_value"]), (14, 0))
        self.assertIn("age is missing", self.by_name(answer))

    def test_odds_ratios_are_per_unit_or_per_deviation(self):
        import math
        unit = self.by_name(self.logit("patients.csv", "--id", "id"))["age"]
        deviation = self.by_name(self.logit("patients.csv", "--id", "id", "--per-sd"))["age"]
        self.assertAlmostEqual(unit["odds_ratio"], math.exp(unit["estimate"]), delta=1e-12)
        self.assertAlmostEqual(deviation["odds_ratio"], math.exp(unit["estimate"] * unit["deviation"]), delta=1e-9)

    def test_joint_tests(self):
        answer = self.logit("patients.csv", "--id", "id", "--test", "age,smoker", "--test", "age")
        self.assertEqual(self.answer("logit", "--id", "id", "--test", "age", "patients.csv")["terms"][0]["name"], "age")
        self.assertEqual([(test["name"], test["degrees"]) for test in answer["terms"]], [("age,smoker", 3), ("age", 1)])
        self.assertAlmostEqual(answer["terms"][1]["chi_square"], self.by_name(answer)["age"]["chi_square"], delta=1e-7)

    def test_the_certificate_is_checked_by_verify(self):
        self.write("rows.csv", "x,y,ill\n0,1,0\n0,2,1\n0,3,0\n1,2,1\n2,5,1\n")
        words = self.words("logit", "rows.csv", "-o", "proof.json")
        self.assertIn("Check it with `linsep verify proof.json rows.csv`", words)
        self.assertEqual(json.loads(self.read("proof.json"))["claim"], "quasi-separable")
        self.assertIn("alid", self.words("verify", "proof.json", "rows.csv"))

    def test_aliased_columns_are_named(self):
        self.write("rows.csv", "a,b,c,ill\n1,2,3,0\n2,2,4,1\n3,1,4,0\n4,5,9,1\n5,1,6,1\n6,3,9,0\n2,5,7,0\n4,1,5,1\n")
        self.assertIn("c is left out: it is a linear combination of a and b.", self.words("logit", "rows.csv"))
        self.assertEqual(self.by_name(self.logit("rows.csv"))["c"]["status"], "aliased")

    def test_interactions_leave_out_reference_levels(self):
        rows = "".join(f"{'fm'[i % 2]},{('a', 'b', 'c')[i * i % 7 % 3]},{i * 5 % 13},{i * i % 11 % 2}\n" for i in range(90))
        self.write("cross.csv", "sex,arm,age,ill\n" + rows)
        answer = self.logit("cross.csv", "--cross", "sex*arm", "--reference", "arm=b")
        self.assertEqual(sorted(self.by_name(answer)), sorted(
            ["(intercept)", "sex=m", "arm=a", "arm=c", "age", "sex=m*arm=a", "sex=m*arm=c"]))
        self.assertEqual(answer["aliases"], [])
        self.assertEqual([(term["name"], term["degrees"]) for term in answer["terms"]], [("arm", 2), ("sex*arm", 2)])
        # The same regression with columns made by hand.
        lines = ["m,a,c,age,ma,mc,ill"]
        for line in rows.splitlines():
            sex, arm, age, ill = line.split(",")
            m, a, c = 1 * (sex == "m"), 1 * (arm == "a"), 1 * (arm == "c")
            lines.append(f"{m},{a},{c},{age},{m * a},{m * c},{ill}")
        self.write("hand.csv", "\n".join(lines) + "\n")
        hand = self.by_name(self.logit("hand.csv"))
        self.assertAlmostEqual(self.by_name(answer)["sex=m*arm=c"]["estimate"], hand["mc"]["estimate"], delta=1e-8)
        answer = self.logit("cross.csv", "--cross", "age*arm")
        self.assertEqual(answer["aliases"], [])
        self.assertEqual(answer["degrees"], 7)

    def test_a_test_beside_an_interaction_says_at_which_level(self):
        rows = "".join(f"{'fm'[i % 2]},{('a', 'b', 'c')[i * i % 7 % 3]},{i * 5 % 13},{i * i % 11 % 2}\n" for i in range(90))
        self.write("cross.csv", "sex,arm,age,ill\n" + rows)
        words = self.words("logit", "cross.csv", "--cross", "sex*arm,age*arm", "--reference", "sex=m", "--test", "arm", "--test", "age,arm")
        self.assertIn("\narm (all levels, at sex=m, age=0): χ²", words)
        self.assertIn("\nage,arm (jointly, at sex=m): χ²", words)
        answer = self.logit("cross.csv", "--cross", "sex*arm")
        self.assertEqual([term.get("at") for term in answer["terms"]], ["sex=f", None])
        self.assertIn("\narm (all levels): χ²", self.words("logit", "cross.csv"))
        # At that level: sex coded the other way round gives another test of arm, and the same of the interaction.
        other = self.logit("cross.csv", "--cross", "sex*arm", "--reference", "sex=m")
        self.assertEqual(other["terms"][0]["at"], "sex=m")
        self.assertNotAlmostEqual(other["terms"][0]["chi_square"], answer["terms"][0]["chi_square"], delta=1e-3)
        self.assertAlmostEqual(other["terms"][1]["chi_square"], answer["terms"][1]["chi_square"], delta=1e-6)

    def test_without_an_intercept_the_whole_is_tested_against_no_coefficients(self):
        words = self.words("logit", "patients.csv", "--id", "id", "--origin")
        self.assertIn("Against no coefficients, where every probability is ½: χ²", words)
        self.assertNotIn("intercept", words)
        answer = self.logit("patients.csv", "--id", "id", "--origin")
        import math
        self.assertAlmostEqual(answer["null_log_likelihood"], 12 * math.log(0.5), delta=1e-9)
        words = self.words("logit", "patients.csv", "--id", "id", "--ignore", "smoker", "--origin", "--offset", "stage")
        self.assertIn("Against no coefficients but the offset: χ²", words)

    def test_undetermined_coefficients_have_a_test_and_an_interval(self):
        self.write("open.csv", "x,z,y\n1,1,0\n2,1,0\n1,5,1\n2,5,1\n3,6,1\n")
        x = self.by_name(self.logit("open.csv"))["x"]
        self.assertEqual([x[name] for name in ("status", "estimate", "chi_square", "p", "low", "high", "odds_ratio_low", "odds_ratio_high")],
                         ["undetermined", None, 0, 1, "-infinity", "infinity", 0, "infinity"])
        line = next(line for line in self.words("logit", "open.csv").splitlines() if line.startswith("  x "))
        self.assertEqual(line.split(), ["x", "–", "–", "(−∞,", "∞)", "0", "1.0000", "–", "(0,", "∞)"])

    def test_overflow_is_not_infinity(self):
        for scale, factor in (("e155", 1e155), ("e-160", 1e-160)):
            rows = "".join(f"{i * 7 % 11}{scale},{i * i % 5},{i * i % 7 % 2}\n" for i in range(40))
            plain = "".join(f"{i * 7 % 11},{i * i % 5},{i * i % 7 % 2}\n" for i in range(40))
            self.write("scaled.csv", "z,x,y\n" + rows)
            self.write("plain.csv", "z,x,y\n" + plain)
            words = self.words("logit", "scaled.csv")
            self.assertNotIn("left out", words)
            self.assertNotIn("∞", words)
            found, wanted = (self.by_name(self.logit(name))["z"] for name in ("scaled.csv", "plain.csv"))
            for name in ("estimate", "standard_error", "low", "high"):
                self.assertAlmostEqual(found[name] * factor / wanted[name], 1, delta=1e-9)
            self.assertAlmostEqual(found["chi_square"], wanted["chi_square"], delta=1e-9)
        self.assertIsNone(found["odds_ratio"])
        line = next(line for line in words.splitlines() if line.startswith("  z "))
        self.assertRegex(line, "> 1e\\+308|< 1e-307")
        self.assertIn("[< 1e-307, > 1e+308]", line)
        table = list(csv.DictReader(io.StringIO(self.words("logit", "scaled.csv", "--csv"))))
        self.assertEqual([table[1][name] for name in ("odds_ratio", "odds_ratio_low", "odds_ratio_high")], ["", "", ""])
        self.assertEqual(self.run_program("logit", "scaled.csv", "--report", "report.html").returncode, 0)

    def test_a_p_value_below_every_number_is_not_0(self):
        self.write("big.csv", "x,n,y\n0,40000,0\n0,10000,1\n1,10000,0\n1,40000,1\n")
        words = self.words("logit", "big.csv", "--label", "y", "--weight", "n")
        self.assertIn("< 1e-300", words)
        self.assertIn("on 1 degree of freedom, p < 1e-300.", words)
        self.assertNotIn("0.00e+00", words)
        self.assertIn("$<$ 1e-300", self.words("logit", "big.csv", "--label", "y", "--weight", "n", "--latex"))

    def test_the_interval_of_an_infinite_coefficient_may_be_chosen(self):
        self.write("counts.csv", "x,n,y\n0,49,0\n0,17,1\n1,13,1\n")
        for method, ratio in (("mid-p", 9.085), ("face", 6.904), ("profile", 16.924)):
            options = ("--label", "y", "--weight", "n", "--infinite-interval", method)
            answer = self.logit("counts.csv", *options)
            self.assertEqual(answer["infinite_intervals"], method)
            self.assertAlmostEqual(self.by_name(answer)["x"]["odds_ratio_low"], ratio, delta=5e-4)
            words = self.words("logit", "counts.csv", *options)
            self.assertEqual("those of infinite coefficients by the probability" in words, method != "profile")
            self.assertEqual("outcomes (mid-p)." in words, method == "mid-p")
        self.assertEqual(self.logit("counts.csv", "--label", "y", "--weight", "n"), {**self.logit(
            "counts.csv", "--label", "y", "--weight", "n", "--infinite-interval", "mid-p"), "seconds": unittest.mock.ANY})
        self.assertEqual(self.run_program("logit", "counts.csv", "--label", "y", "--weight", "n", "--report", "report.html").returncode, 0)
        self.assertIn("those of infinite coefficients by the probability of the perfectly fitted outcomes (mid-p)", self.read("report.html"))
        self.assertIsNone(self.logit("counts.csv", "--label", "y", "--weight", "n", "--wald")["infinite_intervals"])

    def test_dates_count_in_days(self):
        rows = "".join(f"2026-0{1 + i * i % 9}-{10 + i * 7 % 19},{i % 5},{i * i % 3 % 2}\n" for i in range(60))
        self.write("visits.csv", "seen,dose,ill\n" + rows)
        self.assertEqual(list(self.by_name(self.logit("visits.csv"))), ["(intercept)", "seen:days", "dose"])
        self.assertIn("Dates count in days: seen.", self.words("logit", "visits.csv"))

    def test_clusters_are_no_features(self):
        answer = self.logit("patients.csv", "--id", "id", "--cluster", "stage", "--ignore", "smoker")
        self.assertEqual(list(self.by_name(answer)), ["(intercept)", "age"])
        self.assertEqual((answer["standard_errors"], answer["clusters"]), ("clustered", {"column": "stage", "count": 3}))
        words = self.words("logit", "patients.csv", "--id", "id", "--cluster", "stage", "--ignore", "smoker")
        self.assertIn("robust SE", words)
        self.assertIn("within the 3 clusters of stage (CR1); with so few clusters they tend to be too small", words)
        self.assertIn("Against the intercept alone: Wald's χ²", words)

    def many_sites(self):
        rows = "".join(f"{i * 7 % 31},site {i % 13},{'yes' if i * i % 7 < 3 else 'no'}\n" for i in range(3000))
        return self.write("many.csv", "x,site,ill\n" + rows)

    @unittest.skipUnless(MPIRUN and MODULE.exists(), "no MPI")
    def test_clusters_on_workers_are_the_same(self):
        self.many_sites()
        table = self.words("logit", "many.csv", "--cluster", "site", "--csv")
        done = subprocess.run([MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "3", PROGRAM, "logit", "many.csv", "--cluster", "site",
                               "--csv"], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, table)

    def test_clusters_larger_than_memory_are_the_same(self):
        self.many_sites()
        table = self.words("logit", "many.csv", "--cluster", "site", "--csv")
        self.assertEqual(self.words("logit", "many.csv", "--cluster", "site", "--csv", "--memory", "64M"), table)

    def test_a_report_has_the_table_and_the_odds_ratios(self):
        self.write("rows.csv", "dose<b>,age,ill\n0,1,0\n0,2,1\n0,3,0\n1,2,1\n2,5,1\n1,4,1\n0,2,0\n")
        done = self.run_program("logit", "rows.csv", "--report", "report.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.read("report.html")
        section = page[page.index('<section id="coefficients"'):]
        section = section[:section.index("</section>")]
        self.assertIn("Quasi-separable (proven)", section)
        self.assertIn("<bdi>dose&lt;b&gt;</bdi>", section)
        self.assertNotIn("<b>", section)
        self.assertIn("+∞", section)
        self.assertEqual(section.count("<svg"), 1)
        self.assertEqual(section.count("<rect"), 1)  # the ratio of age; that of dose is an arrow
        self.assertEqual(section.count("<path"), 1)
        document = json.loads(page[page.index('id="document">') + 14:].split("</script>")[0])
        self.assertEqual(document["coefficients"]["ratios"]["name"], ["dose<b>", "age"])
        self.assertIsNone(document["coefficients"]["ratios"]["high"][0])
        self.assertEqual([row[0] for row in document["coefficients"]["rows"]], ["(intercept)", "dose<b>", "age"])
        self.assertEqual(document["proof"]["verdict"], "quasi-separable")

    def test_what_is_refused(self):
        for options, words in (
            (["--firth", "--flic"], "use one of --firth, --flic and --flac"),
            (["--reference", "smoker"], "--reference takes COLUMN=LEVEL"),
            (["--reference", "smoker=always"], "Its levels are: "),
            (["--reference", "age=31"], "there is no category 'age'"),
            (["--offset", "weight"], "there is no column of numbers 'weight'"),
            (["--test", "age,height"], "there is no column 'height'"),
            (["--robust", "--firth"], "--robust needs maximum likelihood"),
            (["--cluster", "nobody"], "--cluster nobody: no such column"),
            (["--cluster", "stage", "--flac"], "--cluster needs maximum likelihood: leave out --flac"),
            (["--cluster", "stage", "--robust"], "use --robust or --cluster, not both"),
            (["--infinite-interval", "exact"], "mid-p"),
            (["--infinite-interval", "face", "--robust"], "--infinite-interval is about profile intervals by maximum likelihood: leave out --robust"),
            (["--json", "--csv"], "use one of --json, --csv, --markdown and --latex"),
            (["--offset", "age", "-o", "p.json"], "--ignore age -o p.json"),
            (["-o", "p.json"], "some were left out"),
        ):
            self.assertIn(words, self.complaint("logit", "patients.csv", "--id", "id", *options, code=2))
        self.assertIn("needs a file", self.complaint("logit", "-", code=2))
        self.write("one.csv", "x,y\n1,1\n2,1\n")
        self.complaint("logit", "one.csv", code=3)
        self.write("three.csv", "x,y\n1,1\n2,2\n3,3\n")
        self.complaint("logit", "three.csv", code=3)


if __name__ == "__main__":
    unittest.main()
