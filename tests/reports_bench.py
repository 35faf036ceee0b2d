#!/usr/bin/env python3
"""Makes an archive of some months of 200 tables by repeating the days of a small one, and times report A1 of a month by
catwalk and by DuckDB on the same files. Their rows must be the same.

    pip install duckdb pyarrow
    tests/reports_bench.py BASE OUT [PROGRAM [TABLES [DAYS [ROUNDS]]]]

BASE is an archive of whole days of an honest floor, OUT the folder to make. PROGRAM is the catwalk to ask,
target/release/catwalk by default; of a debug build the times say nothing. TABLES (200) are dealt at for DAYS (92) with
ROUNDS (1,800) a day, more or less: each table of the small floor is there several times, its days come again and again,
and each of its rounds is several rounds. Events are not made; wagers are, as links to the files of the small one.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

import duckdb

HOME = Path(__file__).parent.parent
TIMES = int(os.environ.get("CATWALK_TIMES", "5"))
# No table of a small floor comes so far.
SEQS = 10_000_000
OTHER_WORDS = [("first_value(", "first(")]


def main() -> int:
    base, out = Path(sys.argv[1]), Path(sys.argv[2])
    program = sys.argv[3] if len(sys.argv) > 3 else "target/release/catwalk"
    tables, days, rounds = (int(text) for text in (sys.argv[4:] + ["200", "92", "1800"][len(sys.argv[4:]):]))
    peer = duckdb.connect()
    peer.execute("SET TimeZone = 'UTC'")
    files = {name: live(base / name) for name in ("rounds", "money", "wagers")}
    for name in ("rounds", "money"):
        peer.execute(f"CREATE VIEW base_{name} AS FROM {read(base / name, files[name])}")
    first, last, known, dealt = peer.execute(
        "SELECT min(gaming_day), max(gaming_day), count(DISTINCT table_id), count(*) FROM base_rounds"
    ).fetchone()
    block = (last - first).days + 1
    times = max(1, round(rounds * known * block / dealt))
    copies, blocks = -(-tables // known), -(-days // block)
    if not out.exists():
        make(peer, base, out, files["wagers"], block, blocks, copies, times)
    for name in ("rounds", "money", "wagers"):
        peer.execute(f"CREATE VIEW {name} AS FROM {read(out / name, live(out / name))}")
    counted = peer.execute("SELECT (SELECT count(*) FROM wagers), (SELECT count(*) FROM rounds)").fetchone()
    middle = first + timedelta(days=block * blocks // 2)
    month = (middle.replace(day=1), (middle.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1))
    print(f"{counted[0]:,} wagers, {counted[1]:,} rounds; A1 of {month[0]} to {month[1]}")
    return ask(peer, program, out, month)


def live(table):
    """The files that a table has now, with their days."""
    there = {}
    for commit in sorted((table / "_delta_log").glob("*.json")):
        for line in commit.read_text().splitlines():
            action = json.loads(line)
            if "add" in action:
                there[action["add"]["path"]] = action["add"]
            elif "remove" in action:
                there.pop(action["remove"]["path"], None)
    return list(there.values())


def read(table, adds):
    paths = ", ".join(f"'{table / add['path']}'" for add in adds)
    days = "hive_partitioning = true, hive_types = {'gaming_day': DATE}"
    return f"read_parquet([{paths}], {days}, union_by_name = true)"


def make(peer, base, out, wagers, block, blocks, copies, times):
    shifted = {
        "rounds": "last_seq + b * {s} AS last_seq, round || '-' || b || '-' || c || '-' || t AS round",
        "money": "seq + b * {s} AS seq, id || '-' || b || '-' || c AS id",
    }
    peer.execute("CREATE TABLE copies AS SELECT unnest(range($1)) AS c", [copies])
    peer.execute("CREATE TABLE times AS SELECT unnest(range($1)) AS t", [times])
    for name, columns in shifted.items():
        known = {row[0] for row in peer.execute(f"DESCRIBE base_{name}").fetchall()}
        chosen = [part for part in columns.format(s=SEQS).split(", ") if part.split(" AS ")[1] in known]
        moved = [f'"{at}" + to_days(b * {block}) AS "{at}"' for at in ("at", "closed_at", "opened_at") if at in known]
        more = ", times" if name == "rounds" else ""
        if not more:
            chosen = [part for part in chosen if " || t" not in part]
        parts = ", ".join([f"table_id || CASE WHEN c > 0 THEN '-' || c ELSE '' END AS table_id", *chosen, *moved])
        adds = []
        played = f"SELECT gaming_day, count(*) FROM base_{name} GROUP BY 1 ORDER BY 1"
        for day, number in peer.execute(played).fetchall():
            for b in range(blocks):
                to = day + timedelta(days=b * block)
                path = f"gaming_day={to}/{name}-{b}.parquet"
                (out / name / path).parent.mkdir(parents=True, exist_ok=True)
                sql = f"SELECT * EXCLUDE (gaming_day) REPLACE ({parts}) FROM base_{name}, copies{more}"
                sql = sql.replace("b *", f"{b} *").replace("|| b ||", f"|| {b} ||")
                peer.execute(
                    f"COPY ({sql} WHERE gaming_day = DATE '{day}' ORDER BY table_id) TO '{out / name / path}' "
                    "(FORMAT parquet, COMPRESSION zstd)"
                )
                adds.append((path, to, number * copies * (times if more else 1)))
        commit(base / name, out / name, adds)
    adds = []
    for add in wagers:
        day = date.fromisoformat(add["partitionValues"]["gaming_day"])
        for b in range(blocks):
            to = day + timedelta(days=b * block)
            (out / "wagers" / f"gaming_day={to}").mkdir(parents=True, exist_ok=True)
            for copy in range(copies * times):
                path = f"gaming_day={to}/{copy}-{Path(add['path']).name}"
                os.link(base / "wagers" / add["path"], out / "wagers" / path)
                adds.append((path, to, json.loads(add["stats"])["numRecords"]))
    commit(base / "wagers", out / "wagers", adds)
    for log in base.glob("*/_delta_log"):
        if not (out / log.parent.name).exists():
            commit(log.parent, out / log.parent.name, [])


def commit(base, table, adds):
    """The log of a table: it begins as that of the small one did, and has these files."""
    log = table / "_delta_log"
    log.mkdir(parents=True)
    shutil.copy(base / "_delta_log" / f"{0:020}.json", log)
    if not adds:
        return
    with open(log / f"{1:020}.json", "w", encoding="utf-8") as out:
        for path, day, rows in adds:
            add = {
                "path": path,
                "partitionValues": {"gaming_day": day.isoformat()},
                "size": (table / path).stat().st_size,
                "modificationTime": 0,
                "dataChange": True,
                "stats": json.dumps({"numRecords": rows}),
            }
            out.write(json.dumps({"add": add}) + "\n")


def ask(peer, program, out, month):
    sql = composed("master-game")
    literals = {"first": f"DATE '{month[0]}'", "last": f"DATE '{month[1]}'"}
    sql = re.sub(r"\$(\w+)", lambda word: literals.get(word[1], "CAST(NULL AS VARCHAR)"), sql)
    for ours, theirs in OTHER_WORDS:
        sql = sql.replace(ours, theirs)
    theirs = min(timed(lambda: peer.execute(f"CREATE OR REPLACE TEMP TABLE theirs AS {sql}")) for _ in range(TIMES))
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.parquet"
        params = [f"--param=first={month[0]}", f"--param=last={month[1]}"]
        command = [program, "query", "--named", "master-game", *params, "--format", "parquet", "-o", answer]
        command += ["--archive", out, "--max-seconds", "86400"]
        ours = min(timed(lambda: subprocess.run(command, check=True)) for _ in range(TIMES))
        peer.execute(f"CREATE TEMP TABLE ours AS FROM read_parquet('{answer}')")
    rows = peer.execute("SELECT count(*) FROM ours").fetchone()[0]
    cents = [row[0] for row in peer.execute("DESCRIBE ours").fetchall() if row[0].endswith(("_cents", "rounds"))]
    alike = ", ".join(["gaming_day", "table_id", "not_final", *cents])
    differ = peer.execute(
        f"SELECT count(*) FROM (SELECT {alike} FROM ours EXCEPT ALL SELECT {alike} FROM theirs)"
    ).fetchone()[0] + peer.execute("SELECT abs(count(*) - $1) FROM theirs", [rows]).fetchone()[0]
    print(f"{rows} rows, {'the same' if differ == 0 else f'{differ} DIFFER'}")
    print(f"catwalk {ours:.2f} s, its start and the file with the answer included; DuckDB {theirs:.2f} s")
    return 1 if differ else 0


def timed(act):
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def composed(name):
    """A named query behind the parts that it uses, as catwalk puts them together."""
    text = (HOME / "queries" / f"{name}.sql").read_text()
    uses = re.search(r"^-- uses: (.*)$", text, re.M)[1].split(", ")
    body = "\n".join(line for line in text.splitlines() if not line.startswith("-- "))
    parts = [(HOME / "queries" / "parts" / f"{part}.sql").read_text() for part in uses]
    strip = (lambda part: "\n".join(line for line in part.splitlines() if not line.startswith("--")))
    above = ",\n".join(strip(part).strip().rstrip(",") for part in parts)
    return f"WITH {above}\n{body}"


if __name__ == "__main__":
    sys.exit(main())
