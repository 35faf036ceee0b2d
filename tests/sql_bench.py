#!/usr/bin/env python3
"""Times the questions of tests/sql, and look-ups of single rounds, by catwalk and by DuckDB on the same files.

    pip install deltalake duckdb numpy pyarrow
    tests/sql_bench.py ARCHIVE [PROGRAM]

Each is asked five times in one process and the least time counts, of both: all are warm. PROGRAM is the catwalk to
ask, target/release/catwalk by default; of a debug build the ratios say nothing. Results go nowhere: both make all rows.
Catwalk puts each question on record before it answers and again after, which DuckDB does not: what that takes is
counted apart.
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).parent))
from sql_peers import HOME, in_other_words, views

TIMES = 5


def main() -> int:
    archive = Path(sys.argv[1])
    program = sys.argv[2] if len(sys.argv) > 2 else "target/release/catwalk"
    peer = duckdb.connect()
    views(peer, archive)
    questions = {path.stem: path.read_text().strip() for path in sorted((HOME / "sql").glob("*.sql"))}
    round_, player, day = peer.execute(
        "SELECT round, player, gaming_day FROM wagers WHERE player IS NOT NULL ORDER BY round LIMIT 1 "
        "OFFSET (SELECT count(player) // 2 FROM wagers)"
    ).fetchone()
    for table in ("rounds", "wagers", "events"):
        questions[f"one round: {table}"] = f"SELECT * FROM {table} WHERE round = '{round_}'"
    questions["a round that is not there"] = f"SELECT * FROM wagers WHERE round = '{round_}x'"
    questions["a patron's day"] = f"SELECT * FROM wagers WHERE player = '{player}' AND gaming_day = DATE '{day}'"
    ours, record = catwalk(program, archive, questions)
    print(f"{'question':32} {'catwalk':>10} {'DuckDB':>10}  ratio")
    slower = 0
    for name, sql in questions.items():
        theirs = duck(peer, sql)
        ratio = ours[name] / theirs
        slower += ratio > 1
        print(f"{name:32} {ours[name]:8.1f}ms {theirs:8.1f}ms {ratio:6.2f}")
    print(f"{len(questions)} questions, {slower} slower than DuckDB; to wait for the record, {record:.1f} ms each")
    return 0


def catwalk(program, archive, questions):
    """The least time of each question, and the middle one of what its records take, in milliseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        lines, line = {}, 1
        for _ in range(TIMES):
            for name, sql in questions.items():
                script.write(f"{sql};\n")
                lines[line] = name
                line += sql.count("\n") + 1
        script.flush()
        command = [program, "query", "-f", script.name, "--timing", "--format", "csv", "--archive", archive]
        asked = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if asked.returncode != 0:
        raise SystemExit(asked.stderr)
    least, records = {}, []
    told = r"^line (\d+): ([0-9.]+) ms, ([0-9.]+) ms of them for the record$"
    for place, took, record in re.findall(told, asked.stderr, re.MULTILINE):
        name = lines[int(place)]
        least[name] = min(least.get(name, float("inf")), float(took) - float(record))
        records.append(float(record))
    return least, statistics.median(records)


def duck(peer, sql):
    sql = in_other_words(sql)
    least = float("inf")
    for _ in range(TIMES):
        began = time.perf_counter()
        peer.execute(sql).to_arrow_table()
        least = min(least, time.perf_counter() - began)
    return least * 1000


if __name__ == "__main__":
    sys.exit(main())
