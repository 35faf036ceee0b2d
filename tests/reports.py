#!/usr/bin/env python3
"""Reads the workbooks of `catwalk report` back, and holds them against the CSV of the same reports.

    pip install openpyxl
    tests/reports.py CATWALK ARCHIVE MONTH

Every cell of the first sheet must have the figure of the CSV. Where LibreOffice is installed, it opens each workbook,
reckons every formula anew, and what it makes of them must be what the workbook showed.
"""

import csv
import datetime
import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl


def main() -> int:
    catwalk, archive, month = sys.argv[1:]
    names = [line.split()[1] for line in ask(catwalk, "--list").splitlines() if line.startswith("A")]
    office = shutil.which("soffice") or shutil.which("libreoffice")
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder) / f"{name}.xlsx"
            asked = [name, "--month", month, "--archive", archive]
            ask(catwalk, *asked, "--format", "xlsx", "-o", str(path))
            rows = list(csv.DictReader(io.StringIO(ask(catwalk, *asked, "--format", "csv"))))
            wrong = against_csv(openpyxl.load_workbook(path, data_only=True), rows)
            formulas = sum(is_formula(cell) for cell in cells(openpyxl.load_workbook(path)))
            said = f"{len(rows)} rows, {formulas} formulas"
            if office:
                wrong += against_office(office, path, Path(folder) / "again")
                said += ", reckoned anew"
            differ += bool(wrong)
            print(f"{name:20} {said}: {'same' if not wrong else wrong[:3]}")
    return 1 if differ else 0


def ask(catwalk, *args):
    return subprocess.run([catwalk, "report", *args], check=True, capture_output=True, text=True).stdout


def against_csv(book, rows):
    """What of the first sheet is not in the CSV."""
    if not rows:
        return []
    sheet, wanted = book.worksheets[0], [title(name) for name in rows[0]]
    header = next(row for row in sheet.iter_rows() if [cell.value for cell in row][: len(wanted)] == wanted)
    first = header[0].row + 1
    wrong = []
    for number, row in enumerate(rows):
        for column, (name, value) in enumerate(row.items(), 1):
            cell = sheet.cell(first + number, column)
            if not same(cell.value, value):
                wrong.append((cell.coordinate, name, cell.value, value))
    return wrong


def title(name):
    words = name.replace("_", " ")
    return words[: -len(" pct")] + " %" if words.endswith(" pct") else words


def same(cell, value):
    if isinstance(cell, bool):
        return str(cell).lower() == value
    if isinstance(cell, (int, float)):
        return value != "" and abs(cell - float(value)) < 1e-9 * max(1.0, abs(cell))
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() == value
    return (cell or "") == value


def against_office(office, path, out):
    """The formulas that LibreOffice makes something else of."""
    convert = [office, "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(out), str(path)]
    subprocess.run(convert, check=True, capture_output=True)
    ours = openpyxl.load_workbook(path, data_only=True)
    theirs = openpyxl.load_workbook(out / path.name, data_only=True)
    wrong = []
    for sheet in openpyxl.load_workbook(path).worksheets:
        for cell in (cell for row in sheet.iter_rows() for cell in row if is_formula(cell)):
            kept = ours[sheet.title][cell.coordinate].value
            made = theirs[sheet.title][cell.coordinate].value
            if not isinstance(made, (int, float)) or abs(float(kept) - made) > 0.005:
                wrong.append((sheet.title, cell.coordinate, cell.value, kept, made))
    return wrong


def cells(book):
    return (cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)


def is_formula(cell):
    return isinstance(cell.value, str) and cell.value.startswith("=")


if __name__ == "__main__":
    sys.exit(main())
