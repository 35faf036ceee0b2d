#!/usr/bin/env python3
"""Types at the shell of `catwalk query` as a person does, and reads what the terminal shows.

    typed.py CATWALK ARCHIVE HOME
"""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import fcntl
import termios
import time
from pathlib import Path

PROMPT = "catwalk> "
# The machine may have much else to do.
PATIENCE_S = 120


class Terminal:
    """A program at a terminal of 100 columns and 30 lines."""

    def __init__(self, command, environment):
        self.seen = ""
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment)
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))

    def type(self, text):
        os.write(self.screen, text.encode())

    def until(self, text, poke=None):
        """All that is shown up to this text, without the sequences that move the cursor. `poke` is typed meanwhile."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            wait = max(0, end - time.monotonic())
            ready, _, _ = select.select([self.screen], [], [], min(wait, 2) if poke else wait)
            if poke and not ready and wait > 0:
                self.type(poke)
                continue
            try:
                shown = os.read(self.screen, 65536) if ready else b""
            except OSError:
                shown = b""
            if not shown:
                raise SystemExit(f"{text!r} is not shown: {self.seen!r}")
            self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", shown.decode(errors="replace"))
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def rest(self):
        """All that is shown until it ends."""
        try:
            while shown := os.read(self.screen, 65536):
                self.seen += shown.decode(errors="replace")
        except OSError:
            pass
        return self.seen

    def ask(self, line, shown):
        self.type(line + "\r")
        told = self.until(shown)
        self.until(PROMPT)
        return told

    def end(self):
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


def main():
    program, archive, home = sys.argv[1:4]
    paged = Path(home) / "paged"
    pager = Path(home) / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {paged}\n")
    pager.chmod(0o755)
    environment = {"HOME": home, "TERM": "xterm", "PATH": os.environ["PATH"], "PAGER": str(pager)}
    command = [program, "query", "--archive", archive]

    shell = Terminal(command, environment)
    shell.until(PROMPT)
    shell.ask("SELECT count(*) AS many FROM rounds;", "(1 row)")
    # A statement goes on until its semicolon.
    shell.type("SELECT 7 AS seven\r")
    shell.ask("WHERE 1 = 1;", "(1 row)")
    # Tab completes tables and columns.
    shell.type("SELECT count(returned_c\t")
    shell.until("returned_cents")
    shell.ask(") AS n FROM wage\t;", "(1 row)")
    # What is wrong is said, with what was meant, and the shell goes on.
    shell.ask("SELECT * FROM rouns;", 'did you mean "rounds"?')
    shell.ask("\\d rouns", 'did you mean "rounds"?')
    shell.ask("\\nonsense", "is no command")
    # What is longer than the screen goes to the pager.
    shell.ask("\\d rounds", "\n")
    assert "staked_cents" in paged.read_text(), paged.read_text()
    shell.ask("SELECT seq FROM events LIMIT 60;", "\n")
    assert "(60 rows)" in paged.read_text(), paged.read_text()
    shell.ask("\\timing", "Timing is on.")
    assert re.search(r"Time: [0-9.]+ ms", shell.ask("SELECT 1 AS one;", " ms"))
    # What a named query needs is asked for by name, type and example, until it is one.
    shell.type("\\ask patron-ledger player=p-1\r")
    shell.until("day, a day such as 2026-11-15: The gaming day.")
    shell.until("day> ")
    shell.type("yesterday\r")
    shell.until('day: "yesterday" is not a day such as 2026-11-15')
    shell.until("day> ")
    shell.ask("2026-11-15", "row")
    # What wagers are worth is known here too.
    shell.ask("SELECT count(*) > 0 AS known FROM edges;", "true")
    # Ctrl-C breaks a question off, and not the shell.
    shell.type("SELECT count(*) FROM generate_series(1, 100000000000) WHERE value % 7 = 9;\r")
    shell.until("broken off", poke="\x03")
    shell.until(PROMPT)
    shell.type("\\q\r")
    assert shell.end() == 0

    # What was typed is there the next time, for its owner alone.
    history = Path(home) / ".local/state/catwalk/history"
    assert history.stat().st_mode & 0o077 == 0, oct(history.stat().st_mode)
    shell = Terminal(command, environment)
    shell.until(PROMPT)
    shell.type("\x12generate")
    shell.until("generate_series")
    shell.type("\x03")
    shell.until(PROMPT)
    shell.type("\x1b[A\x1b[A\x1b[A")
    shell.until("edges")
    shell.type("\x03")
    shell.until(PROMPT)
    shell.type("\x04")
    assert shell.end() == 0

    # Parameters that are missing on the command line are asked for, too.
    shell = Terminal([program, "query", "--named", "rounds", "--archive", archive], environment)
    shell.until("table, a text: The table, such as MB-05.")
    shell.until("table> ")
    first = [program, "query", "--archive", archive, "--format", "csv", 'SELECT min(table_id) AS a FROM rounds']
    table = subprocess.run(first, env=environment, check=True, capture_output=True, text=True).stdout.split()[-1]
    shell.type(f"{table}\r")
    told = shell.rest()
    assert shell.end() == 0 and "(0 rows)" not in told, told


if __name__ == "__main__":
    main()
