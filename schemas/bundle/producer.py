"""Tells of one round of minibaccarat: JSON lines, or with --avro records as they lie on the log."""
import datetime, io, json, pathlib, struct, sys

AVRO = "--avro" in sys.argv
if AVRO:
    import fastavro
    SCHEMA = json.loads(pathlib.Path(__file__).with_name("event.avsc").read_text())
    PARSED, CANONICAL = fastavro.parse_schema(SCHEMA), fastavro.schema.to_parsing_canonical_form(SCHEMA)
    MARK = b"\xc3\x01" + bytes.fromhex(fastavro.schema.fingerprint(CANONICAL, "CRC-64-AVRO"))
START = datetime.datetime(2026, 11, 15, 20, 0, tzinfo=datetime.timezone.utc)

def event(seq, round, type, **fields):  # seq rises by one per table, for ever; at never runs back
    at = (START + datetime.timedelta(seconds=seq)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {"id": f"MB-07-{seq}", "property": "ebh", "table": "MB-07", "seq": seq, "at": at,
            "source": {"kind": "device", "id": "shoe-7"}, **({"round": round} if round else {}),
            "body": {"type": type, **fields}}

def avro(event):  # the same as a record: at in microseconds, options as text, the body by its name
    body = dict(event["body"])
    name = "catwalk.floor." + body.pop("type").title().replace("_", "")
    body = {key: json.dumps(value) if key in ("options", "detail") else value for key, value in body.items()}
    at = datetime.datetime.fromisoformat(event["at"].replace("Z", "+00:00"))
    out = io.BytesIO()
    fastavro.schemaless_writer(out, PARSED, {**event, "at": at, "body": (name, body)})
    return MARK + out.getvalue()

LIMITS = [{"kind": kind, "min": 1000, "max": 100000} for kind in ("player", "banker", "tie")]
TOLD = [("", "table_opened", dict(game="minibaccarat", edition="mgc-2017", options={}, limits=LIMITS,
                                  opening_inventory=10000000, dealer="d-114")),
        ("", "shoe_started", dict(shoe="s-1", set="set-1", decks=8, method="shoe")),
        ("r-1", "round_opened", dict(shoe="s-1")),
        ("r-1", "wager_placed", dict(wager="w1", seat=3, kind="player", amount=10000)),
        ("r-1", "betting_closed", {})]
for to, card in [("player", "5S"), ("banker", "3C"), ("player", "4H"), ("banker", "5D")]:
    TOLD.append(("r-1", "card_dealt", dict(to=to, card=card, face="up")))
TOLD += [("r-1", "wager_paid", dict(wager="w1", amount=10000)), ("r-1", "round_closed", {})]
for seq, (round, type, fields) in enumerate(TOLD, start=1):
    told = event(seq, round, type, **fields)
    record = avro(told) if AVRO else json.dumps(told).encode() + b"\n"
    sys.stdout.buffer.write((struct.pack(">I", len(record)) if AVRO else b"") + record)  # one record each
