#!/usr/bin/env python3
"""Asks the questions of tests/sql of an archive, by catwalk and by DuckDB on the same files, and compares the rows.

    pip install deltalake duckdb pyarrow
    tests/sql_peers.py ARCHIVE [PROGRAM]

PROGRAM is the catwalk to ask, target/release/catwalk by default. Nothing may write to the archive meanwhile.
A question that DuckDB's dialect has no words for is named in OTHER_WORDS with the words that it has.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
from deltalake import DeltaTable

HOME = Path(__file__).parent
OTHER_WORDS = [("cardinality(", "len(")]


def main() -> int:
    archive = Path(sys.argv[1])
    program = sys.argv[2] if len(sys.argv) > 2 else "target/release/catwalk"
    peer = duckdb.connect()
    views(peer, archive)
    wrong = 0
    questions = {path.stem: path.read_text() for path in sorted((HOME / "sql").glob("*.sql"))}
    for table in tables_of(archive):
        columns = ", ".join(f'"{field.name}"' for field in DeltaTable(archive / table).schema().fields)
        questions[f"all of {table}"] = f"SELECT {columns} FROM {table}"
    for name, sql in questions.items():
        told = compare(peer, program, archive, sql)
        wrong += told.startswith("DIFFERS")
        print(f"{name:32} {told}")
    print(f"{len(questions)} questions, {wrong} with other rows")
    return 1 if wrong else 0


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


def compare(peer, program, archive, sql):
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.parquet"
        command = [program, "query", sql, "--format", "parquet", "-o", answer, "--archive", archive]
        asked = subprocess.run(command, capture_output=True, text=True)
        if asked.returncode != 0:
            return f"DIFFERS: catwalk says {asked.stderr.strip()}"
        for ours, theirs in OTHER_WORDS:
            sql = sql.replace(ours, theirs)
        try:
            peer.execute(f"CREATE OR REPLACE TEMP TABLE theirs AS {sql}")
        except duckdb.Error as error:
            return f"DIFFERS: duckdb says {str(error).splitlines()[0]}"
        peer.execute(f"CREATE OR REPLACE TEMP TABLE ours AS FROM read_parquet('{answer}')")
        rows = peer.execute("SELECT count(*) FROM ours").fetchone()[0]
        only = "SELECT count(*) FROM (FROM {} EXCEPT ALL FROM {})"
        ours = peer.execute(only.format("ours", "theirs")).fetchone()[0]
        theirs = peer.execute(only.format("theirs", "ours")).fetchone()[0]
    if ours or theirs:
        return f"DIFFERS: of {rows} rows, {ours} only in catwalk, {theirs} only in duckdb"
    return f"{rows} rows, the same"


if __name__ == "__main__":
    sys.exit(main())
