#!/usr/bin/env python3
"""Fifty connections of several drivers ask an archive for some minutes: memory stays, latencies are told.

The floor was played before; who asks comes in with a token, as anywhere. Memory is that which is of no file: pages of
the program come and go as they are used.

usage: sql_soak.py CATWALK [SECONDS]         600 by default; with psycopg, asyncpg, pyodbc, requests, pyarrow installed
"""

import asyncio
import os
import random
import statistics
import sys
import threading
import time

import asyncpg
import psycopg
import pyarrow
import pyodbc
import requests

from sql_house import installation

CONNECTIONS = 50
# From the second third to the last, memory may grow by so much of itself.
GROWTH = 0.05
ROUNDS = 4_000
QUESTIONS = [
    "SELECT count(*), sum(staked_cents) FROM rounds",
    "SELECT game, count(*) FROM rounds GROUP BY game ORDER BY 2 DESC",
    "SELECT round, staked_cents, opened_at FROM rounds ORDER BY closed_at DESC LIMIT 50",
    "SELECT r.round, count(w.wager) FROM rounds AS r JOIN wagers AS w ON w.round = r.round GROUP BY 1 LIMIT 20",
    "SELECT body FROM events LIMIT 500",
    "SELECT count(DISTINCT player) FROM wagers",
]
BROKEN = "SELECT count(*) FROM events AS a, events AS b, events AS c WHERE a.seq + b.seq + c.seq = -1"


class Notes:
    def __init__(self):
        self.took, self.failed, self.until = [], [], 0.0

    def ask(self, name, how):
        begun = time.monotonic()
        try:
            how()
            self.took.append(time.monotonic() - begun)
        except Exception as error:
            self.failed.append(f"{name}: {type(error).__name__} {error}"[:200])
            raise


async def patiently(connect):
    """Ten of one address sign in at a time; who finds no place is turned away without a word, and comes again."""
    for _ in range(60):
        try:
            return await connect()
        except (asyncpg.ConnectionDoesNotExistError, ConnectionError):
            await asyncio.sleep(random.uniform(0.2, 1.0))
    return await connect()


def psycopg_connection(house):
    for _ in range(60):
        try:
            return psycopg.connect(house.place, autocommit=True)
        except psycopg.OperationalError:
            time.sleep(random.uniform(0.2, 1.0))
    return psycopg.connect(house.place, autocommit=True)


def odbc_connection(driver):
    for _ in range(60):
        try:
            return pyodbc.connect(driver, autocommit=True)
        except pyodbc.Error:
            time.sleep(random.uniform(0.2, 1.0))
    return pyodbc.connect(driver, autocommit=True)


def with_psycopg(house, notes, chance):
    """Connects anew every so often, as programs do that nobody wrote with care."""
    while time.monotonic() < notes.until:
        with psycopg_connection(house) as connection:
            for _ in range(20):
                if time.monotonic() > notes.until:
                    return
                notes.ask("psycopg", lambda: connection.execute(chance.choice(QUESTIONS)).fetchall())
            connection.execute("SET statement_timeout = '500ms'")
            try:
                connection.execute(BROKEN)
                notes.failed.append("psycopg: what takes too long was answered")
            except psycopg.errors.QueryCanceled:
                pass


def with_asyncpg(house, notes, chance):
    async def ask():
        place = {"host": "127.0.0.1", "port": house.port, "database": "catwalk", "ssl": False}
        place |= {"user": house.user, "password": house.token}
        connection = await patiently(lambda: asyncpg.connect(**place))
        while time.monotonic() < notes.until:
            begun = time.monotonic()
            await connection.fetch(chance.choice(QUESTIONS))
            notes.took.append(time.monotonic() - begun)
        await connection.close()

    asyncio.run(ask())


def with_odbc(house, notes, chance):
    driver = f"Driver={{PostgreSQL Unicode}};Server=127.0.0.1;Port={house.port};Database=catwalk;SSLmode=disable;"
    driver += f"Uid={house.user};Pwd={house.token}"
    connection = odbc_connection(driver)
    while time.monotonic() < notes.until:
        notes.ask("odbc", lambda: connection.execute(chance.choice(QUESTIONS)).fetchall())
    connection.close()


def with_http(house, notes, chance):
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {house.token}"

    def ask():
        asked = {"sql": chance.choice(QUESTIONS), "format": "arrow"}
        answer = session.post(f"{house.url}/api/v1/sql", json=asked)
        while answer.status_code == 429:
            time.sleep(0.5)
            answer = session.post(f"{house.url}/api/v1/sql", json=asked)
        answer.raise_for_status()
        pyarrow.ipc.open_stream(answer.content).read_all()

    while time.monotonic() < notes.until:
        notes.ask("http", ask)


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
    with installation(sys.argv[1], ROUNDS) as house:
        notes = Notes()
        notes.until = time.monotonic() + seconds
        ways = [with_psycopg, with_asyncpg, with_odbc, with_psycopg, with_asyncpg]
        kinds = [with_http] * 4 + [ways[at % len(ways)] for at in range(CONNECTIONS - 4)]
        threads = [
            threading.Thread(target=kind, args=(house, notes, random.Random(at)), daemon=True)
            for at, kind in enumerate(kinds)
        ]
        for thread in threads:
            thread.start()
        memory = []
        while time.monotonic() < notes.until:
            time.sleep(min(5.0, seconds / 20))
            memory.append((house.status("RssAnon"), house.status("Threads")))
            if len(memory) % 12 == 0:
                print(f"  {memory[-1][0] / 1024:.0f} MiB, {len(notes.took)} answers", flush=True)
        for thread in threads:
            thread.join(timeout=120)
        assert not any(thread.is_alive() for thread in threads), "somebody still waits for an answer"
        return tell(notes, memory, seconds)


def tell(notes, memory, seconds):
    took = sorted(notes.took)
    at = lambda share: took[min(len(took) - 1, int(len(took) * share))] * 1000
    third = max(1, len(memory) // 3)
    parts = [memory[:third], memory[third : 2 * third], memory[-third:]]
    first, early, late = (statistics.median(kib for kib, _ in part) for part in parts)
    threads = max(count for _, count in memory)
    print(f"{CONNECTIONS} connections, {seconds:.0f} s, {len(took)} answers, load {os.getloadavg()[1]:.1f}")
    print(f"half within {at(0.5):.0f} ms, 99 of 100 within {at(0.99):.0f} ms, the slowest {at(1):.0f} ms")
    thirds = ", ".join(f"{kib / 1024:.0f}" for kib in (first, early, late))
    print(f"memory by thirds: {thirds} MiB; {threads} threads at most")
    for failed in sorted(set(notes.failed)):
        print(failed)
    is_flat = late < early * (1 + GROWTH)
    if not is_flat:
        print("memory grows")
    return 0 if is_flat and not notes.failed and took else 1


if __name__ == "__main__":
    sys.exit(main())
