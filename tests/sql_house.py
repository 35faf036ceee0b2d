"""Houses whose archives are asked by the clients of PostgreSQL that the scripts beside this one bring along."""

import contextlib
import re
import subprocess
import tempfile
import threading
import time

import psycopg


class House:
    def __init__(self, port, url, process, user="demo", token=""):
        self.port, self.url, self.process = port, url, process
        self.user, self.token = user, token
        self.place = f"host=127.0.0.1 port={port} user={user} dbname=catwalk" + (f" password={token}" if token else "")

    def status(self, name):
        """A number of /proc: VmRSS in KiB, Threads."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(name + ":"))


@contextlib.contextmanager
def demo(catwalk, rounds=300):
    """Has a demo play, and waits until so many rounds are archived."""
    with tempfile.TemporaryDirectory() as folder:
        args = [catwalk, "demo", "--console-port", "0", "--sql-port", "0", "--data", f"{folder}/demo", "--pace", "100"]
        with begun(args, folder, rounds) as house:
            yield house


SETTINGS = """services = ["settler", "archiver", "desk", "console", "sql"]
[console]
listen = "127.0.0.1:0"
[sql]
listen = "127.0.0.1:0"
"""


@contextlib.contextmanager
def installation(catwalk, rounds):
    """A floor that was played, at whose doors a regulator comes in with a token: nothing is at work but the services."""
    with tempfile.TemporaryDirectory() as folder:
        def do(*words):
            done = subprocess.run([catwalk, *words], cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            return done.stdout + done.stderr

        with open(f"{folder}/catwalk.toml", "w", encoding="utf-8") as file:
            file.write(SETTINGS)
        do("simulate", "--rounds", str(rounds), "--log", "embedded:catwalk-data/log")
        do("up", "-c", "catwalk.toml", "--once")
        do("users", "add", "rita", "--role", "regulator", "--no-password", "-c", "catwalk.toml")
        told = do("users", "token", "rita", "--days", "1", "-c", "catwalk.toml")
        token = next(word for word in told.split() if word.startswith("catwalk_"))
        with begun([catwalk, "up", "-c", "catwalk.toml"], folder, rounds, "rita", token) as house:
            yield house


@contextlib.contextmanager
def begun(args, folder, rounds, *who):
    process = subprocess.Popen(args, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        port = url = None
        for line in process.stderr:
            if found := re.search(r"console at (http\S+)/", line):
                url = found.group(1)
            if found := re.search(r"psql .* port=(\d+)", line):
                port = int(found.group(1))
                break
        assert port and url, "it did not begin"
        threading.Thread(target=process.stderr.read, daemon=True).start()
        house = House(port, url, process, *who)
        until = time.monotonic() + 600
        while archived(house) < rounds:
            assert time.monotonic() < until, "nothing is archived"
            time.sleep(0.5)
        yield house
    finally:
        process.kill()
        process.wait()


def archived(house):
    try:
        with psycopg.connect(house.place) as connection:
            return connection.execute("SELECT count(*) FROM rounds").fetchone()[0]
    except psycopg.Error:
        return -1


def check(name, found, wanted):
    assert found == wanted, f"{name}: {found!r}, and {wanted!r} was expected"
    print(f"  {name}", flush=True)
