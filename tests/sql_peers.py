#!/usr/bin/env python3
"""Asks the questions of tests/sql of an archive, by catwalk and by DuckDB on the same files, and compares the rows.

    pip install deltalake duckdb numpy pyarrow
    tests/sql_peers.py ARCHIVE [PROGRAM]
    tests/sql_peers.py ARCHIVE --answers FOLDER

PROGRAM is the catwalk to ask, target/release/catwalk by default. FOLDER has what was answered already: questions.json,
and a file NAME.parquet for each question in it. Nothing may write to the archive meanwhile.
Where DuckDB's dialect has other words for something, OTHER_WORDS has them; NOT_ASKED are questions that it has no words
for at all.
"""

import json
import math
import re
import subprocess
import sys
import tempfile
import warnings
from datetime import date, datetime
from pathlib import Path

import duckdb
from deltalake import DeltaTable

HOME = Path(__file__).parent
OTHER_WORDS = [
    (r"\bcardinality\(", "len("),
    # A word of its own there.
    (r"(?<![\w\"'])at(?![\w\"'])", '"at"'),
    (r"\b(first|last)_value\((?=[^)]*\bORDER BY)", r"\1("),
    (r"\bCAST\((\w+\.gaming_day) AS int\)", r"date_diff('day', DATE '1970-01-01', \1)"),
]
NOT_ASKED = {"named chip-dumping": "it ranks no hands of poker"}
TYPES = {"text": str, "int": int, "day": date.fromisoformat, "moment": datetime.fromisoformat}


def main() -> int:
    warnings.filterwarnings("ignore", message="Arrow output on a DB-API result")
    archive = Path(sys.argv[1])
    peer = duckdb.connect()
    views(peer, archive)
    functions(peer)
    answers = Path(sys.argv[3]) if sys.argv[2:3] == ["--answers"] else None
    questions = asked(answers) if answers else asked_now(archive)
    if answers and (answers / "all of edges.parquet").exists():
        peer.execute(f"CREATE VIEW edges AS FROM read_parquet('{answers / 'all of edges.parquet'}')")
    program = sys.argv[2] if len(sys.argv) > 2 else "target/release/catwalk"
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (sql, values) in questions.items():
            if name in NOT_ASKED:
                print(f"{name:32} not asked of DuckDB: {NOT_ASKED[name]}")
                continue
            answer = answers / f"{name}.parquet" if answers else Path(folder) / "answer.parquet"
            refused = None if answers else ask(program, archive, sql, answer)
            told = refused or compare(peer, answer, sql, values)
            wrong += told.startswith("DIFFERS")
            print(f"{name:32} {told}")
    print(f"{len(questions)} questions, {wrong} with other rows")
    return 1 if wrong else 0


def asked(folder):
    """What was asked already, with the values that were bound."""
    questions = {}
    for question in json.loads((folder / "questions.json").read_text()):
        values = {
            name: None if value is None else TYPES[kind](value) for name, (kind, value) in question["values"].items()
        }
        questions[question["name"]] = (question["sql"], values)
    return questions


def asked_now(archive):
    questions = {path.stem: (path.read_text(), {}) for path in sorted((HOME / "sql").glob("*.sql"))}
    for table in tables_of(archive):
        columns = ", ".join(f'"{field.name}"' for field in DeltaTable(archive / table).schema().fields)
        questions[f"all of {table}"] = (f"SELECT {columns} FROM {table}", {})
    return questions


def functions(peer):
    """The functions that catwalk has and DuckDB has not, written anew."""

    def tail(count: float, of: float, rate: float) -> float:
        count, of = int(count), int(of)
        log = lambda k: math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1)
        chance = lambda k: math.exp(log(k) + k * math.log(rate) + (of - k) * math.log1p(-rate))
        return math.fsum(chance(k) for k in range(count, of + 1)) if 0 < rate < 1 else float(rate >= 1 or count <= 0)

    def bound(count: float, of: float, expected: float) -> float:
        if count <= expected:
            return 1.0
        part = lambda seen, due: seen * math.log(seen / due) if seen > 0 else 0.0
        return math.exp(-part(count, expected) - part(of - count, of - expected)) if expected > 0 else 0.0

    def solve(reached):
        low, high = 0.0, 1.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if reached(middle) < 0.025 else (low, middle)
        return (low + high) / 2

    def low(count: float, of: float) -> float:
        return 0.0 if count == 0 else solve(lambda rate: tail(count, of, rate))

    def high(count: float, of: float) -> float:
        return 1.0 if count == of else 1 - solve(lambda rate: tail(of - count, of, rate))

    for name, function in [
        ("so_many_or_more", tail), ("so_many_at_most", bound), ("rate_low", low), ("rate_high", high),
    ]:
        peer.create_function(name, function)
    for macro in [
        "json_object_keys(json) AS json_keys(json)",
        "json_get_int(json, key) AS CAST(json_extract_string(json, '$.' || key) AS BIGINT), "
        "(json, key, within) AS CAST(json_extract_string(json, '$.' || key || '.' || within) AS BIGINT)",
        "to_unixtime(moment) AS CAST(floor(epoch(moment)) AS BIGINT)",
    ]:
        peer.execute(f"CREATE MACRO {macro}")


def views(peer, archive):
    """The tables of an archive, by the files that their logs name."""
    peer.execute("SET TimeZone = 'UTC'")
    for table in tables_of(archive):
        delta = DeltaTable(archive / table)
        files = ", ".join(f"'{path}'" for path in delta.file_uris())
        if not files:
            peer.register(f"no_{table}", delta.to_pyarrow_table())
            peer.execute(f"CREATE TABLE {table} AS FROM no_{table}")
            continue
        peer.execute(
            f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{files}], "
            "hive_partitioning = true, hive_types = {'gaming_day': DATE}, union_by_name = true)"
        )


def tables_of(archive):
    return sorted(log.parent.name for log in archive.glob("*/_delta_log"))


def ask(program, archive, sql, answer):
    """Has catwalk answer; what it says where it does not."""
    command = [program, "query", sql, "--format", "parquet", "-o", answer, "--archive", archive]
    asked = subprocess.run(command, capture_output=True, text=True)
    return f"DIFFERS: catwalk says {asked.stderr.strip()}" if asked.returncode != 0 else None


def in_other_words(sql):
    for ours, theirs in OTHER_WORDS:
        sql = re.sub(ours, theirs, sql)
    return sql


def compare(peer, answer, sql, values):
    try:
        theirs = peer.execute(in_other_words(sql), values or None).to_arrow_table()
    except duckdb.Error as error:
        return f"DIFFERS: duckdb says {str(error)}"
    peer.register("theirs", theirs)
    peer.execute(f"CREATE OR REPLACE TEMP VIEW ours AS FROM read_parquet('{answer}')")
    columns = peer.execute("DESCRIBE ours").fetchall()
    if [column[0] for column in columns] != theirs.column_names:
        return f"DIFFERS: columns {[column[0] for column in columns]}, in duckdb {theirs.column_names}"
    # Sums of parts of numbers depend on their order in the last digits.
    cast = [
        f'round(CAST("{name}" AS DOUBLE), 6)' if kind == "DOUBLE" else f'CAST("{name}" AS {kind})'
        for name, kind, *_ in columns
    ]
    rows = f"SELECT {', '.join(cast)} FROM {{}}"
    only = "SELECT count(*) FROM ({} EXCEPT ALL {})"
    count = peer.execute("SELECT count(*) FROM ours").fetchone()[0]
    ours = peer.execute(only.format(rows.format("ours"), rows.format("theirs"))).fetchone()[0]
    theirs = peer.execute(only.format(rows.format("theirs"), rows.format("ours"))).fetchone()[0]
    if ours or theirs:
        return f"DIFFERS: of {count} rows, {ours} only in catwalk, {theirs} only in duckdb"
    return f"{count} rows, the same"


if __name__ == "__main__":
    sys.exit(main())
