#!/usr/bin/env python3
"""Verifies a catwalk evidence bundle. Usage: verify.py BUNDLE.zip [KEY]

It shares no code with catwalk: the standard library and `pip install cryptography`.
KEY is the public key of the house, <name>+<id>+<base64>, or a file with it, as it came to you from elsewhere.
Without it the bundle's own key is believed, and you must compare it yourself.
Exit status: 0 nothing was changed, 1 something was or is missing, 2 bad usage.
What is checked is told in docs/proof.md of catwalk; it is made of RFC 6962 and of C2SP's signed-note and tlog-proof.
"""
import base64
import hashlib
import json
import os
import sys
import zipfile

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    sys.exit("verify.py needs the package cryptography: pip install cryptography")


class Changed(Exception):
    """Something does not match."""


def demand(holds, what):
    if not holds:
        raise Changed(what)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def lines_of(text):
    """A line ends with \\n; what else Python takes for the end of one may stand in a text."""
    return text.removesuffix("\n").split("\n") if text else []


def parse_key(text):
    """<name>+<id>+<base64 of the byte 1 and the key> -> (name, 32 bytes)"""
    name, key_id, rest = text.strip().split("+", 2)
    raw = base64.b64decode(rest, validate=True)
    demand(len(raw) == 33 and raw[0] == 1, "a key is no Ed25519 key")
    demand(id_of(name, raw[1:]).hex() == key_id, "a key has another id")
    return name, raw[1:]


def id_of(name, key):
    return sha256(name.encode(), b"\n\x01", key)[:4]


def signed_by(note, keys, suffix):
    """The text of a signed note, if one of the keys, under its name and the suffix, has signed it."""
    text, _, below = note.rpartition("\n\n")
    text += "\n"
    for line in lines_of(below):
        demand(line.startswith("\u2014 "), "a line below a note is no signature")
        name, blob = line[2:].split(" ")
        blob = base64.b64decode(blob, validate=True)
        for house, key in keys:
            full = house + suffix
            if name == full and blob[:4] == id_of(full, key):
                try:
                    Ed25519PublicKey.from_public_bytes(key).verify(blob[4:], text.encode())
                except InvalidSignature:
                    raise Changed(f"the signature of {full} is not of this text") from None
                return text, house
    raise Changed("it is not signed by the house")


def split_notes(text):
    """Notes that stand one after the other: each ends with its signatures."""
    notes, note, below = [], "", False
    for line in (line + "\n" for line in lines_of(text)):
        signature = line.startswith("\u2014 ")
        if below and not signature:
            notes.append(note)
            note = ""
        note, below = note + line, signature
    return notes + [note] if note else notes


def trusted_keys(text, keys):
    """Follows the keys from those that are trusted: each note names one and is signed by the one before."""
    trusted = list(keys)
    for at, note in enumerate(split_notes(text)):
        lines = note.split("\n")
        demand(lines[0] == "catwalk key v1", "a note among the keys names no key")
        key = parse_key(lines[1])
        if key in trusted:
            continue
        try:
            signed_by(note, [key] if at == 0 and not keys else trusted, "")
            trusted.append(key)
        except Changed:
            demand(keys and trusted == keys, "a key was not handed on by the one before")
    return trusted


def root_of(leaf, index, size, path):
    """RFC 9162, section 2.1.3.2: where does this path lead?"""
    demand(index < size, "the leaf is beyond its tree")
    at, last, node = index, size - 1, leaf
    for sibling in path:
        demand(last > 0, "the path is too long")
        if at & 1 or at == last:
            node = sha256(b"\x01", sibling, node)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            node = sha256(b"\x01", node, sibling)
        at, last = at >> 1, last >> 1
    demand(last == 0, "the path is too short")
    return node


def check_row(table, line, files, keys):
    line = json.loads(line)
    above, _, head = files[line["proof"]].decode().partition("\n\n")
    lines = above.split("\n")
    demand(lines[0] == "c2sp.org/tlog-proof@v1" and lines[1].startswith("extra "), "the proof is none")
    demand(lines[2].startswith("index "), "the proof has no index")
    salt, index = base64.b64decode(lines[1][6:], validate=True), int(lines[2][6:])
    path = [base64.b64decode(part, validate=True) for part in lines[3:]]
    row, kind = line["row"].encode(), table.encode()
    commitment = sha256(b"catwalk row v1\n", salt, len(kind).to_bytes(8, "big"), kind, row)
    suffix = f"/{line['lane']:03}"
    text, house = signed_by(head, keys, suffix)
    origin, size, root = text.split("\n")[:3]
    demand(origin == house + suffix, "the head is of another tree")
    there = root_of(sha256(b"\x00", commitment), index, int(size), path)
    demand(there == base64.b64decode(root), "the row is not in the tree that was signed")
    return json.loads(line["row"])


def as_csv(rows):
    """The rows once more, as catwalk lists them for a spreadsheet."""
    def cell(value):
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text
    names = sorted({name for row in rows for name in row})
    lines = [[cell(name) for name in names]]
    lines += [[cell(row[name]) if row.get(name) is not None else "" for name in names] for row in rows]
    return "".join(",".join(line) + "\r\n" for line in lines).encode()


def check_parts(rows, files):
    """Documents and lists are what the proven rows say. Returns what a document has and no row has."""
    expected = {f"data/{table}.csv": as_csv(of_table) for table, of_table in rows.items()}
    lacking = []
    for row in rows.get("rounds", []):
        if row.get("document") is not None:
            expected[f"documents/{row['round']}.json"] = row["document"].encode()
            there = {w["wager"] for w in rows.get("wagers", []) if w["round"] == row["round"]}
            if row.get("rules") is not None:
                lacking += [w["id"] for w in json.loads(row["document"]).get("wagers", []) if w["id"] not in there]
    for name in files:
        if name.startswith(("data/", "documents/")):
            demand(name in expected, f"no row of the bundle says what {name} says")
    for name, text in expected.items():
        demand(files.get(name) == text, f"{name} is not what the rows say")
    return lacking


def verify(path, keys):
    with zipfile.ZipFile(path) as bundle:
        names = bundle.namelist()
        demand(len(names) == len(set(names)), "a file is there twice")
        stored = all(part.compress_type == zipfile.ZIP_STORED for part in bundle.infolist())
        demand(stored, "a file in it is compressed, which none of a bundle is")
        files = {name: bundle.read(name) for name in names}
    keys = trusted_keys(files["keys"].decode(), keys)
    sums, _ = signed_by(files["SHA256SUMS.note"].decode(), keys, "/bundle")
    demand(sums.encode() == files["SHA256SUMS"], "SHA256SUMS is not the list that was signed")
    signed = dict(reversed(line.split("  ", 1)) for line in lines_of(sums))
    for name in sorted(set(signed) | set(files) - {"SHA256SUMS", "SHA256SUMS.note"}):
        demand(name in files, f"{name} is missing")
        demand(signed.get(name) == hashlib.sha256(files[name]).hexdigest(), f"{name} is not what was signed")
    manifest, rows = json.loads(files["manifest.json"]), {}
    demand(manifest["rounds"], "the manifest names no round")
    for name in sorted(files):
        if name.startswith("rows/"):
            table = name[len("rows/"):-len(".jsonl")]
            lines = lines_of(files[name].decode())
            demand(len(lines) == manifest["rows"][table], f"{name} has too few rows or too many")
            for at, line in enumerate(lines, 1):
                try:
                    rows.setdefault(table, []).append(check_row(table, line, files, keys))
                except Changed as changed:
                    raise Changed(f"{name}, line {at}: {changed}") from None
    for table, said in manifest["rows"].items():
        demand(said == len(rows.get(table, [])), f"{said} rows of {table} were put in, others are there")
    count = sum(map(len, rows.values()))
    demand(count > 0, "there is no row in it: it proves nothing")
    lacking = check_parts(rows, files)
    name, key = keys[-1]
    shown = f"{name}+{id_of(name, key).hex()}+{base64.b64encode(bytes([1]) + key).decode()}"
    about = f"Round {manifest['rounds'][0]}" if len(manifest["rounds"]) == 1 else f"{len(manifest['rounds'])} rounds"
    print(f"{about}: {count} rows, each under a head signed by\n  {shown}")
    print("What was due is what the rows say: only `catwalk verify` settles the rounds again.")
    for wager in lacking:
        print(f"INCOMPLETE: a document has wager {wager}, and no row of it is in the bundle")
    return not lacking


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    try:
        keys = []
        if len(sys.argv) == 3:
            text = sys.argv[2]
            if os.path.exists(text):
                with open(text, encoding="utf-8") as file:
                    text = file.read().strip().splitlines()[-1]
            keys = [parse_key(text)]
        whole = verify(sys.argv[1], keys)
    # Whatever cannot be read was not made so by catwalk.
    except Exception as changed:
        print(f"CHANGED: {changed or type(changed).__name__}")
        return 1
    holds = "Nothing was changed." if keys else "Nothing was changed, if that is the key of the house."
    print(holds if whole else f"It is incomplete. Of what is in it: {holds}")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
