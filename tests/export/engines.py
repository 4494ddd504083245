"""Runs exported models: C by gcc, ONNX by onnxruntime, SQL by DuckDB and PostgreSQL.

A table here is a list of columns {"name", "kind", "size"} and rows of fields: None, a number (of a date its seconds), bytes
or a list of numbers. Each engine returns one {"label": […], "score": […], "probability": […]} a row.
"""

import contextlib
import csv
import datetime
import glob
import io
import math
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

C_FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]


def text_of(field):
    """Bytes that aren't UTF-8 separate words, as U+FFFD does."""
    return "" if field is None else field.decode("utf-8", errors="replace")


# C


def c_text(field):
    return '""' if field is None else '"' + "".join(f"\\{byte:03o}" for byte in field) + '"'


def c_field(column, field):
    if column["kind"] in ("category", "text"):
        return c_text(field)
    if column["kind"] == "vector":
        return "{" + ", ".join(["NAN"] * column["size"] if field is None else map(repr, field)) + "}"
    return "NAN" if field is None else repr(float(field))


C_MAIN = """#include <stdio.h>
#include "model.c"
static const struct m_row rows[] = {{
{rows}
}};
int main(void) {{
  size_t i;
  for (i = 0; i < sizeof rows / sizeof rows[0]; ++i) {{
    int k;
{body}    printf("\\n");
    (void)k;
  }}
  return 0;
}}
"""


def c_body(shape):
    """Prints scores, then labels, then probabilities, each behind a tab."""
    scores, labels, shares = shape
    if scores == 1:
        body = '    printf("\\t%a", m_score(&rows[i]));\n'
        body += '    printf("\\t%s", m_label(&rows[i]));\n' if labels else ""
        return body + ('    printf("\\t%a", m_probability(&rows[i]));\n' if shares else "")
    body = f"    double z[{scores}];\n    const char *label[{scores}];\n    m_scores(&rows[i], z);\n"
    body += f'    for (k = 0; k < {scores}; ++k) printf("\\t%a", z[k]);\n'
    body += "    m_labels(&rows[i], label);\n" if labels == scores else "    label[0] = m_label(&rows[i]);\n"
    body += f'    for (k = 0; k < {labels}; ++k) printf("\\t%s", label[k]);\n'
    if shares:
        body += f'    m_probabilities(&rows[i], z);\n    for (k = 0; k < {scores}; ++k) printf("\\t%a", z[k]);\n'
    return body


def run_c(folder, columns, rows, shape, flags=()):
    """`shape`: how many scores, labels and probabilities a row has; `flags`: of the compiler, besides those it always gets."""
    fields = ",\n".join("  {" + ", ".join(map(c_field, columns, row)) + "}" for row in rows)
    (folder / "main.c").write_text(C_MAIN.format(rows=fields, body=c_body(shape)))
    subprocess.run(["gcc", *C_FLAGS, *flags, "main.c", "-o", "main", "-lm"], cwd=folder, check=True)
    lines = subprocess.run([folder / "main"], check=True, stdout=subprocess.PIPE).stdout.decode().split("\n")[:-1]
    scores, labels, _ = shape
    for line in lines:
        words = line.split("\t")[1:]
        yield {"score": [float.fromhex(word) for word in words[:scores]],
               "label": words[scores:scores + labels],
               "probability": [float.fromhex(word) for word in words[scores + labels:]]}


# ONNX


def run_onnx(path, columns, rows):
    import numpy
    import onnxruntime

    with contextlib.suppress(ImportError):
        import onnx
        onnx.checker.check_model(str(path))
    feeds = {}
    for k, column in enumerate(columns):
        fields = [row[k] for row in rows]
        if column["kind"] in ("category", "text"):
            feeds[column["name"]] = numpy.array([text_of(field) for field in fields], dtype=object)
            if column["kind"] == "category":
                feeds[column["name"]] = feeds[column["name"]].reshape(-1, 1)
        else:
            hole = [math.nan] * column["size"]
            values = [hole if field is None else field if isinstance(field, list) else [field] for field in fields]
            feeds[column["name"]] = numpy.array(values, dtype=numpy.float64)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    given = dict(zip(names, session.run(names, feeds)))

    def answer(what, i):
        found = next((given[name] for name in names if name.startswith(what)), None)
        return [] if found is None else numpy.atleast_1d(found[i]).tolist()

    for i in range(len(rows)):
        yield {what: answer(what, i) for what in ("label", "score", "probability")}


# SQL


def sql_name(name):
    return '"' + name.replace('"', '""') + '"'


def sql_text(text):
    return "'" + text.replace("'", "''") + "'"


def sql_field(column, field):
    if field is None:
        return "NULL"
    if column["kind"] in ("category", "text"):
        return sql_text(text_of(field))
    if column["kind"] == "vector":
        return "CAST(ARRAY[" + ", ".join(f"'{value!r}'" for value in field) + "] AS DOUBLE PRECISION[])"
    if column["kind"] == "date":
        time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=field)
        return f"TIMESTAMP '{time.isoformat(sep=' ')}'"
    if column["kind"] == "moment":
        return f"TIMESTAMP WITH TIME ZONE '{field}'"
    return f"CAST('{float(field)!r}' AS DOUBLE PRECISION)"


SQL_TYPES = {"number": "DOUBLE PRECISION", "category": "VARCHAR", "text": "VARCHAR", "date": "TIMESTAMP",
             "moment": "TIMESTAMP WITH TIME ZONE",
             "vector": "DOUBLE PRECISION[]"}


def sql_table(columns, rows):
    """Statements that make the table `data`, with the number of each row."""
    names = ", ".join(f"{sql_name(column['name'])} {SQL_TYPES[column['kind']]}" for column in columns)
    lines = ",\n".join("(" + ", ".join([str(i), *map(sql_field, columns, row)]) + ")" for i, row in enumerate(rows))
    return f'CREATE TABLE data ("row id" INTEGER, {names});\nINSERT INTO data VALUES\n{lines};\n'


def sql_answers(header, rows, columns):
    """Rows of the query, by row number: what stands behind the table's own columns."""
    found = {}
    names = header[len(columns) + 1:]
    for row in rows:
        fields = list(zip(names, row[len(columns) + 1:]))

        def take(what):
            # The query adds _out to its own columns where the data has one of that name.
            return [field for name, field in fields if name in (what, what + "_out") or name.startswith(what + " ")]

        def numbers(what):
            return [math.nan if field in (None, "") else float(field) for field in take(what)]

        found[int(row[0])] = {"label": take("predicted"), "score": numbers("score"), "probability": numbers("probability")}
    return [found[i] for i in sorted(found)]


def run_duckdb(query, columns, rows):
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql_table(columns, rows))
        result = connection.execute(query)
        header = [column[0] for column in result.description]
        return sql_answers(header, result.fetchall(), columns)


class PostgreSql:
    """A server of its own, on a socket in a temporary folder, under the user postgres where this one is root."""

    def __init__(self):
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        found = programs[-1] if programs else shutil.which("initdb")
        if not found:
            raise FileNotFoundError("PostgreSQL isn't installed")
        self.programs = pathlib.Path(found).resolve().parent
        self.folder = tempfile.mkdtemp()
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "linsep", "-E", "UTF8", "--locale=C.UTF-8",
                 "--no-sync")
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "start", "-o",
                 f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off")

    def run(self, program, *arguments, text=None):
        as_user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        done = subprocess.run([self.programs / program, *arguments], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder, check=False, encoding="utf-8", **as_user)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stderr}")
        return done.stdout

    def query(self, query, columns, rows):
        script = "BEGIN;\n" + sql_table(columns, rows) + query + "ROLLBACK;\n"
        lines = self.run("psql", "-h", self.folder, "-U", "linsep", "-d", "postgres", "-X", "-q", "--csv", "-v",
                         "ON_ERROR_STOP=1", text=script)
        header, *found = csv.reader(io.StringIO(lines, newline=""))
        return sql_answers(header, found, columns)

    def stop(self):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
