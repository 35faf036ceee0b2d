#!/usr/bin/env python3
"""Asks a PostgreSQL and the archive's door for the same values, and compares names, types, texts and bytes.

usage: sql_oracle.py CATWALK         with psycopg installed, and PostgreSQL (Debian's package postgresql)
"""

import contextlib
import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import psycopg
from psycopg.pq import ExecStatus, Format

from sql_house import demo

VALUES = """
1::smallint | -32768::smallint | 32767::smallint | 0::integer | -2147483648::integer | 2147483647::integer
0::bigint | -9223372036854775808::bigint | 9223372036854775807::bigint | (1.5)::real | (0.1)::real
(2.5)::double precision | (0.1)::double precision | (-0.5)::double precision | (1e300)::double precision
(1e-7)::double precision | (123456789.25)::double precision | 'NaN'::double precision | (1e15)::double precision
(1e16)::double precision | (0.0001)::double precision | (0.00001)::double precision | 'Infinity'::double precision
'-Infinity'::double precision | (1e20)::real | (3.4e38)::real | (1e-5)::real | 100::double precision
(12.30)::numeric(10,2) | (-12.30)::numeric(10,2) | (0)::numeric(10,2) | (0.05)::numeric(10,2) | (-0.05)::numeric(10,2)
(10000)::numeric(10,0) | (99999999.99)::numeric(10,2) | (10000.0001)::numeric(12,4) | (0.00010)::numeric(10,5)
(1234567890123456.78)::numeric(19,2) | (100000000)::numeric(12,2) | (-99990000)::numeric(12,2)
true | false | NULL::boolean | NULL::bigint | NULL::text | NULL::date | NULL::timestamptz | NULL::numeric(10,2)
'' | 'plain' | 'it''s' | 'two
lines' | 'tab	in it' | 'back\\slash' | 'Zürich ♠ 🂡' | '"quoted"' | ' spaces '
DATE '2026-11-15' | DATE '1969-12-31' | DATE '1970-01-01' | DATE '2000-02-29' | DATE '0001-01-01' | DATE '9999-12-31'
TIMESTAMP '2026-11-15 20:01:02.123456' | TIMESTAMP '2026-11-15 20:01:02' | TIMESTAMP '2026-11-15 20:01:02.12'
TIMESTAMP '1969-12-31 23:59:59.999999' | TIMESTAMP '2000-01-01 00:00:00' | TIMESTAMP '1900-01-01 00:00:00.000001'
TIMESTAMPTZ '2026-11-15 20:01:02.123456+00' | TIMESTAMPTZ '2026-11-15 20:01:02+00'
TIMESTAMPTZ '2026-11-15T20:01:02.1Z' | TIMESTAMPTZ '2026-11-15 20:01:02.5-05:00' | TIMESTAMPTZ '1969-07-20 20:17:40Z'
INTERVAL '1 day' | INTERVAL '2 hours 3 minutes' | INTERVAL '1 month 2 days' | INTERVAL '-1 day'
INTERVAL '1 year 2 months' | INTERVAL '0.5 seconds' | INTERVAL '0 seconds'
decode('deadbeef00ff', 'hex') | decode('', 'hex')
ARRAY['a', 'b c', '', 'NULL', 'say "x"', 'back\\slash', 'a,b', '{}'] | ARRAY[1::bigint, 2::bigint, -3::bigint]
ARRAY['a', NULL, 'b'] | ARRAY[true, false] | ARRAY[DATE '2026-11-15', DATE '1969-12-31'] | ARRAY[(0.5)::double precision]
1::bigint + 1::bigint | 7::bigint / 2::bigint | -7::bigint / 2::bigint | 7::bigint % 3::bigint | -7::bigint % 3::bigint
upper('abc') | lower('ÄBC') | length('Zürich') | substr('abcdef', 2, 3) | 'a' || 'b' | trim('  a ') | concat('a', 'b')
coalesce(NULL::text, 'x') | nullif('a', 'a') | 'abc' LIKE 'a%' | 'abc' ~ '^a.c$' | 'ABC' ~* '^a' | 1::bigint = 1::bigint
count(*) | sum(5::integer) | max('b'::text) | bool_and(true) | min(DATE '2026-11-15') | max(TIMESTAMPTZ '2026-11-15 20:00:00Z')
date_trunc('hour', TIMESTAMP '2026-11-15 20:01:02.123456') | date_trunc('month', TIMESTAMP '2026-11-15 20:01:02')
CASE WHEN true THEN 'a' ELSE 'b' END | current_schema | DATE '2026-11-15' + 1 | DATE '2026-11-15' < DATE '2026-11-16'
"""

# Where the door is known to differ, and how: docs/sql.md says so too.
DIFFERENT = {
    "current_schema": "a text here, a name there",
}


def values():
    return [value.strip() for line in VALUES.strip().replace("two\nlines", "two\0lines").splitlines()
            for value in line.replace("\0", "\n").split(" | ")]


def asked(connection, sql, form):
    """Name, type, and the value as it came, byte by byte."""
    result = connection.pgconn.exec_params(sql.encode(), None, result_format=form)
    if result.status != ExecStatus.TUPLES_OK:
        return ("error", (result.error_field(ord("C")) or b"?").decode(), result.error_message.decode().strip())
    return (result.fname(0).decode(), result.ftype(0), result.get_value(0, 0))


@contextlib.contextmanager
def postgres():
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    assert programs, "PostgreSQL is needed (postgresql)"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="oracle-")
    # PostgreSQL does not run as root.
    other = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if other:
        shutil.chown(folder, "postgres", "postgres")
    data = f"{folder}/data"
    made = [f"{programs[-1]}/initdb", "-D", data, "-U", "oracle", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
    subprocess.run([*other, *made], check=True, stdout=subprocess.DEVNULL, cwd="/")
    started = [f"{programs[-1]}/postgres", "-D", data, "-p", str(port), "-k", folder, "-c", "timezone=UTC",
               "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
    server = subprocess.Popen([*other, *started], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    try:
        for _ in range(300):
            try:
                with psycopg.connect(f"host=127.0.0.1 port={port} user=oracle dbname=postgres") as connection:
                    connection.autocommit = True
                    yield connection
                    return
            except psycopg.OperationalError:
                time.sleep(0.2)
        raise AssertionError("PostgreSQL did not begin")
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def compare(door, oracle):
    wrong, same = [], 0
    for value in values():
        for form in (Format.TEXT, Format.BINARY):
            theirs, ours = asked(oracle, f"SELECT {value}", form), asked(door, f"SELECT {value}", form)
            if theirs == ours or (theirs[0] == "error" and ours[0] == "error"):
                same += 1
            elif value not in DIFFERENT:
                wrong.append(f"{value} as {form.name.lower()}: {ours}, and PostgreSQL says {theirs}")
    return wrong, same


def main():
    with demo(sys.argv[1], rounds=0) as house, postgres() as oracle:
        with psycopg.connect(house.place, autocommit=True) as door:
            wrong, same = compare(door, oracle)
    print("\n".join(wrong))
    print(f"{same} answers are those of PostgreSQL to the byte, {len(wrong)} are not, {len(DIFFERENT)} values known to differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
