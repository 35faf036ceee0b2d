#!/usr/bin/env python3
"""Reads an archive with what others read Delta Lake with, and compares what they count.

    pip install deltalake duckdb polars pyarrow
    tests/readers.py ARCHIVE

Every reader must see the same rows and the same sums of money in every table. DuckDB reads through its
delta extension where it has it, and the files that the table's log names where it has not.
"""

import sys
from pathlib import Path

import duckdb
import polars
from deltalake import DeltaTable

TABLES = ["events", "rounds", "wagers", "cards", "findings", "dispositions", "money"]


def main() -> int:
    archive = Path(sys.argv[1])
    differ = 0
    for table in TABLES:
        folder = archive / table
        delta = DeltaTable(folder)
        columns = [field.name for field in delta.schema().fields]
        cents = [name for name in columns if name.endswith("_cents")]
        seen = {
            "deltalake": with_deltalake(delta, cents),
            "polars": with_polars(folder, cents),
            "duckdb": with_duckdb(delta, folder, cents),
        }
        same = len(set(seen.values())) == 1
        differ += not same
        rows = seen["deltalake"][0]
        print(f"{table:13} {rows:9} rows, version {delta.version()}: {'same' if same else seen}")
    return 1 if differ else 0


def with_deltalake(delta, cents):
    rows = delta.to_pyarrow_table()
    sums = (rows.column(name).combine_chunks() for name in cents)
    return rows.num_rows, *(sum(value or 0 for value in column.to_pylist()) for column in sums)


def with_polars(folder, cents):
    rows = polars.scan_delta(str(folder))
    sums = rows.select(polars.len(), *(polars.col(name).sum() for name in cents)).collect()
    return tuple(value or 0 for value in sums.row(0))


def with_duckdb(delta, folder, cents):
    connection = duckdb.connect()
    try:
        connection.load_extension("delta")
        source = f"delta_scan('{folder}')"
    except duckdb.Error:
        files = ", ".join(f"'{path}'" for path in delta.file_uris())
        if not files:
            return 0, *(0 for _ in cents)
        source = f"read_parquet([{files}], hive_partitioning = true)"
    sums = "".join(f", coalesce(sum({name}), 0)" for name in cents)
    row = connection.execute(f"SELECT count(*){sums} FROM {source}").fetchone()
    return tuple(int(value) for value in row)


if __name__ == "__main__":
    sys.exit(main())
