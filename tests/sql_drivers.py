#!/usr/bin/env python3
"""Asks the archive of a demo with drivers of PostgreSQL: psycopg 3, asyncpg, SQLAlchemy, ODBC, pgjdbc, node-postgres,
pgx and psql; over HTTP with Arrow; and with what Metabase, Grafana and Power BI are known to ask. Each gets the same.

usage: sql_drivers.py CATWALK FOLDER
    with psycopg, asyncpg, sqlalchemy, pyodbc, pyarrow and requests installed; psql, Java and Maven, Node.js and npm, Go,
    and ODBC's driver (odbc-postgresql); what else it takes is brought to FOLDER
"""

import asyncio
import datetime
import os
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path

import asyncpg
import psycopg
import pyarrow
import pyarrow.parquet
import pyodbc
import requests
import sqlalchemy

from sql_house import check, demo

HOME = Path(__file__).parent / "sql_clients"
JDBC = "org.postgresql:postgresql:42.7.4"

LONG = "SELECT count(*) FROM events AS a, events AS b, events AS c WHERE a.seq + b.seq + c.seq = -1"


def with_psycopg(place):
    with psycopg.connect(place, autocommit=True) as connection:
        one = connection.execute("SELECT %s::bigint + 1, %s::text", (41, "it's")).fetchone()
        check("values are bound", one, (42, "it's"))
        query = "SELECT round, staked_cents, opened_at, voided, violations FROM rounds WHERE staked_cents >= %b ORDER BY round LIMIT 5"
        binary = connection.cursor(binary=True).execute(query, (0,)).fetchall()
        text = connection.execute(query, (0,)).fetchall()
        check("text and bytes say the same", binary, text)
        assert isinstance(text[0][1], int) and isinstance(text[0][2], datetime.datetime), text[0]
        cents = connection.execute("SELECT sum(staked_cents) FROM rounds WHERE table_id = (SELECT min(table_id) FROM rounds)")
        dollars = connection.cursor(binary=True).execute(
            "SELECT sum(staked) FROM rounds_dollars WHERE table_id = (SELECT min(table_id) FROM rounds)"
        )
        cents, dollars = cents.fetchone()[0], dollars.fetchone()[0]
        check("dollars are cents by a hundred", dollars * 100 >= cents, True)
    with psycopg.connect(place) as connection:
        with connection.cursor("mine") as cursor:
            cursor.itersize = 100
            cursor.execute("SELECT seq FROM events ORDER BY table_id, seq LIMIT 1000")
            check("a cursor gives portions", len(cursor.fetchmany(10)) + len(cursor.fetchall()), 1000)
        connection.commit()
        with connection.cursor().copy("COPY (SELECT 1 AS a, 'x' AS b) TO STDOUT") as copy:
            check("rows are copied out", list(copy.rows()), [("1", "x")])
        connection.rollback()
        threading.Timer(1, connection.cancel).start()
        try:
            connection.execute(LONG)
            raise AssertionError("it was not cancelled")
        except psycopg.errors.QueryCanceled:
            connection.rollback()
        check("it goes on after a cancel", connection.execute("SELECT 1").fetchone(), (1,))
        try:
            connection.execute("DELETE FROM rounds")
            raise AssertionError("something was deleted")
        except psycopg.errors.ReadOnlySqlTransaction:
            print("  nothing is deleted")


async def with_asyncpg(port):
    connection = await asyncpg.connect(host="127.0.0.1", port=port, user="demo", database="catwalk", ssl=False)
    check("values are bound", await connection.fetchval("SELECT $1::bigint + 1", 41), 42)
    row = await connection.fetchrow("SELECT gaming_day, opened_at, staked_cents, violations FROM rounds LIMIT 1")
    assert isinstance(row["gaming_day"], datetime.date) and isinstance(row["violations"], list), row
    table = await connection.fetchval("SELECT min(table_id) FROM rounds")
    some = await connection.fetch("SELECT round FROM rounds WHERE table_id = $1", table)
    check("a text is bound", len(some) > 0, True)
    async with connection.transaction():
        cursor = [row async for row in connection.cursor("SELECT seq FROM events ORDER BY table_id, seq LIMIT 200")]
        check("a cursor gives portions", len(cursor), 200)
    try:
        await connection.fetch(LONG, timeout=1)
        raise AssertionError("it was not broken off")
    except (asyncio.TimeoutError, asyncpg.QueryCanceledError):
        pass
    check("it goes on after a timeout", await connection.fetchval("SELECT 1"), 1)
    await connection.close()


def with_sqlalchemy(port):
    engine = sqlalchemy.create_engine(f"postgresql+psycopg://demo@127.0.0.1:{port}/catwalk")
    inspector = sqlalchemy.inspect(engine)
    tables = inspector.get_table_names()
    assert {"rounds", "wagers", "findings"} <= set(tables), tables
    columns = {column["name"]: column for column in inspector.get_columns("wagers")}
    check("columns have types", str(columns["amount_cents"]["type"]), "BIGINT")
    check("money says that it is cents", columns["amount_cents"]["comment"].endswith("In cents."), True)
    assert inspector.get_table_comment("rounds")["text"], "rounds has no comment"
    check("there are views", "rounds_dollars" in inspector.get_view_names(), True)
    made = inspector.get_view_definition("rounds_dollars")
    with engine.connect() as connection:
        same = sqlalchemy.text(f"SELECT (SELECT sum(staked) FROM ({made.rstrip(';')}) AS x) = (SELECT sum(staked) FROM rounds_dollars)")
        check("a view tells how it is made", connection.execute(same).scalar(), True)
    check("nothing has keys", inspector.get_pk_constraint("rounds")["constrained_columns"], [])
    rounds = sqlalchemy.Table("rounds", sqlalchemy.MetaData(), autoload_with=engine)
    with engine.connect() as connection:
        counted = connection.execute(sqlalchemy.select(sqlalchemy.func.count()).select_from(rounds)).scalar()
        check("a reflected table is asked", counted > 0, True)


def with_odbc(port):
    driver = "PostgreSQL Unicode"
    place = f"Driver={{{driver}}};Server=127.0.0.1;Port={port};Database=catwalk;Uid=demo;SSLmode=disable"
    connection = pyodbc.connect(place, autocommit=True)
    cursor = connection.cursor()
    one = cursor.execute("SELECT ?::bigint + 1, ?::text", 41, "it's").fetchone()
    check("values are bound", tuple(one), (42, "it's"))
    tables = {row.table_name for row in cursor.tables()}
    check("tables and views", {"rounds", "wagers", "rounds_dollars"} <= tables, True)
    columns = {row.column_name: row.type_name for row in cursor.columns(table="rounds_dollars")}
    check("columns", columns["staked"], "numeric")
    row = cursor.execute("SELECT gaming_day, opened_at, staked, voided FROM rounds_dollars LIMIT 1").fetchone()
    assert isinstance(row.gaming_day, datetime.date) and isinstance(row.staked, Decimal), row
    rows = cursor.execute("SELECT seq FROM events ORDER BY table_id, seq LIMIT 1000").fetchall()
    check("rows", len(rows), 1000)
    try:
        cursor.execute("DELETE FROM rounds")
        raise AssertionError("something was deleted")
    except pyodbc.Error:
        print("  nothing is deleted")
    check("it goes on after an error", cursor.execute("SELECT 'x'::text").fetchone()[0], "x")
    connection.close()


def with_psql(port, folder):
    psql = ["psql", "-X", "-At", "-v", "ON_ERROR_STOP=1", "-d", f"host=127.0.0.1 port={port} user=demo dbname=catwalk"]
    asked = lambda *words: subprocess.run([*psql, *words], capture_output=True, text=True, check=True).stdout
    for backslash in ("\\d", "\\d rounds", "\\d+ wagers", "\\dt", "\\dt+", "\\dv", "\\dn", "\\l", "\\du", "\\df", "\\di"):
        asked("-c", backslash)
    nothing = subprocess.run([*psql, "-c", "\\d nothing*"], capture_output=True, text=True)
    check("what is not there", (nothing.returncode, nothing.stderr.count("Did not find any relation")), (1, 1))
    check("a view tells how it is made", "AS \"staked\"" in asked("-c", "\\sv rounds_dollars"), True)
    check("what psql tells of tables", "staked_cents|bigint" in asked("-c", "\\d rounds"), True)
    asked("-c", f"\\copy (SELECT round, staked_cents FROM rounds LIMIT 10) TO '{folder}/out.csv' CSV HEADER")
    check("rows are copied out", len(Path(folder, "out.csv").read_text().splitlines()), 11)
    slow = subprocess.Popen([*psql, "-c", LONG], stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    slow.send_signal(signal.SIGINT)
    check("Ctrl-C", "cancel" in slow.communicate()[1], True)


def with_arrow(url):
    """As docs/sql.md says it."""
    session = requests.Session()
    answer = session.post(f"{url}/api/v1/session/demo", headers={"Origin": url})
    assert answer.ok, answer.text
    headers = {"Origin": url, "Accept": "application/vnd.apache.arrow.stream"}
    asked = {"sql": "SELECT round, staked_cents, opened_at, violations FROM rounds ORDER BY round"}
    answer = session.post(f"{url}/api/v1/sql", json=asked, headers=headers, stream=True)
    table = pyarrow.ipc.open_stream(answer.raw).read_all()
    check("Arrow", (table.num_rows > 300, str(table.schema.types[1])), (True, "int64"))
    parquet = session.post(f"{url}/api/v1/sql", json={**asked, "format": "parquet"}, headers=headers).content
    again = pyarrow.parquet.read_table(pyarrow.BufferReader(parquet))
    check("Parquet", again.column("round").slice(0, 300).to_pylist(), table.column("round").slice(0, 300).to_pylist())


def replay(place, name):
    """What a program is known to ask when it is connected; each as it would: prepared, and at once."""
    text = (HOME / "connect" / f"{name}.sql").read_text()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    questions = [question for question in text.split(";\n") if question.strip()]
    for prepare in (True, False):
        with psycopg.connect(place, autocommit=True, prepare_threshold=0 if prepare else None) as connection:
            for question in questions:
                question = question.strip().rstrip(";")
                try:
                    if prepare:
                        connection.execute(question, prepare=True)
                    else:
                        with connection.cursor(binary=False) as cursor:
                            cursor.execute(question)
                except psycopg.Error as error:
                    raise AssertionError(f"{name}: {error}: {question}") from error
    print(f"  {len(questions)} questions of {name}", flush=True)


def run(name, command, **more):
    print(name, flush=True)
    subprocess.run(command, check=True, **more)


def main():
    catwalk, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    copied = ["mvn", "-q", "dependency:copy", f"-Dartifact={JDBC}", f"-DoutputDirectory={folder}"]
    jar = folder / f"postgresql-{JDBC.rsplit(':', 1)[1]}.jar"
    if not jar.exists():
        subprocess.run(copied, check=True)
    if not (folder / "node_modules" / "pg").exists():
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, "pg@8"], check=True)
    with demo(catwalk) as house:
        port = str(house.port)
        print("psql")
        with_psql(port, folder)
        print("psycopg")
        with_psycopg(house.place)
        print("asyncpg")
        asyncio.run(with_asyncpg(port))
        print("SQLAlchemy")
        with_sqlalchemy(port)
        print("ODBC")
        with_odbc(port)
        run("pgjdbc", ["java", "-cp", jar, HOME / "Drivers.java", port])
        modules = {**os.environ, "NODE_PATH": str(folder / "node_modules")}
        run("node-postgres", ["node", HOME / "drivers.cjs", port], env=modules)
        run("pgx", ["go", "run", "-mod=mod", ".", port], cwd=HOME / "pgx")
        print("HTTP")
        with_arrow(house.url)
        print("replayed")
        for name in ("metabase", "grafana", "powerbi", "sqlalchemy"):
            replay(house.place, name)


if __name__ == "__main__":
    main()
