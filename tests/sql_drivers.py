#!/usr/bin/env python3
"""Asks the archive of a demo with drivers of PostgreSQL: psycopg 3, asyncpg, SQLAlchemy. Each gets the same answers.

usage: sql_drivers.py CATWALK        with psycopg, asyncpg and sqlalchemy installed
"""

import asyncio
import datetime
import re
import subprocess
import sys
import tempfile
import threading
import time

import asyncpg
import psycopg
import sqlalchemy

LONG = "SELECT count(*) FROM events AS a, events AS b, events AS c WHERE a.seq + b.seq + c.seq = -1"


def check(name, found, wanted):
    assert found == wanted, f"{name}: {found!r}, and {wanted!r} was expected"
    print(f"  {name}")


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
    check("nothing has keys", inspector.get_pk_constraint("rounds")["constrained_columns"], [])
    rounds = sqlalchemy.Table("rounds", sqlalchemy.MetaData(), autoload_with=engine)
    with engine.connect() as connection:
        counted = connection.execute(sqlalchemy.select(sqlalchemy.func.count()).select_from(rounds)).scalar()
        check("a reflected table is asked", counted > 0, True)


def main():
    catwalk = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        args = [catwalk, "demo", "--console-port", "0", "--sql-port", "0", "--data", f"{folder}/demo", "--pace", "100"]
        demo = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            port = None
            for line in demo.stderr:
                found = re.search(r"psql .* port=(\d+)", line)
                if found:
                    port = int(found.group(1))
                    break
            threading.Thread(target=demo.stderr.read, daemon=True).start()
            place = f"host=127.0.0.1 port={port} user=demo dbname=catwalk"
            for _ in range(200):
                try:
                    with psycopg.connect(place) as connection:
                        if connection.execute("SELECT count(*) FROM rounds").fetchone()[0] > 300:
                            break
                except psycopg.Error:
                    pass
                time.sleep(0.5)
            print("psycopg")
            with_psycopg(place)
            print("asyncpg")
            asyncio.run(with_asyncpg(port))
            print("SQLAlchemy")
            with_sqlalchemy(port)
        finally:
            demo.kill()
            demo.wait()


if __name__ == "__main__":
    main()
