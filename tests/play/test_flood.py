"""``pbem play`` under garbage: every request is answered or refused, and the server stays small and of
use.
"""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.commands import command

RATE = 300
SECONDS = 6
MEMORY = 200
"""Megabytes that the server may take."""


def garbage(chance: random.Random, host: str, token: str) -> tuple[bytes, bool]:
    """Return a request, mere bytes, a stranger's, or one that knows the token and asks for nonsense.

    The second value tells whether it is whole, so that an answer can be waited for.
    """
    noise = chance.randbytes(chance.choice((1, 40, 3000)))
    path = chance.choice(("/", f"/{token}", f"/{token}/", "/%00%ff", "/" + "a" * chance.randrange(1, 9000)))
    act = chance.choice(("check", "play", "undo", "hint", "level", "sit", "done", "../x", "%2e%2e/game.yaml"))
    line = chance.choice(
        (f"GET {path}", f"POST /{token}/{act}?seat=LIT&turn={chance.choice(('9', '-1', 'x', ''))}")
    )
    length = chance.choice((*4 * (len(noise),), 0, 10**9, "x"))
    named = chance.choice((host, host, "evil.example", ""))
    heads = f"{line} HTTP/1.1\r\nHost: {named}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    return (noise, False) if chance.random() < 0.2 else (heads.encode() + noise, length == len(noise))


def thrown(address: tuple[str, int], request: bytes, whole: bool) -> bytes:
    """What the server says to a request; nothing for one that it hangs up on."""
    with socket.create_connection(address, timeout=20) as there:
        try:
            there.sendall(request)
            if not whole:
                there.shutdown(socket.SHUT_WR)
            return there.recv(65536)
        except ConnectionError:
            return b""


def seconds_of(pid: int) -> float:
    """Return the processor's time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_three_hundred_garbage_requests_a_second_are_answered_or_refused(tmp_path: Path) -> None:
    """Under garbage the server answers with known codes in little memory, writes nothing and goes on."""

    from concurrent.futures import ThreadPoolExecutor

    folder = tmp_path / "table"
    command("new", folder, "--map", "minsk", "--play", "POL", "--bots")
    words = [sys.executable, "-m", "gm", "play", str(folder), "--no-browser"]
    before = sorted(path for path in folder.rglob("*") if path.name != ".lock")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout
            lines = iter(server.stdout.readline, "")
            url = next(line.strip() for line in lines if "http://" in line)
            match = re.fullmatch(r"http://(([\d.]+):(\d+))/(.+)/", url)
            assert match is not None
            chance = random.Random("garbage")  # noqa: S311 - no secret
            address = (match[2], int(match[3]))
            requests = [garbage(chance, match[1], match[4]) for _ in range(RATE * SECONDS)]
            with ThreadPoolExecutor(16) as crowd:
                answers = list(crowd.map(lambda request: thrown(address, *request), requests))
            assert len(answers) / seconds_of(server.pid) > 50, "the server went on answering"
            codes_known = {b"200", b"400", b"404", b"405", b"409", b"503"}
            codes = {answer.split(b" ")[1]: answer for answer in answers if answer.startswith(b"HTTP/")}
            assert {b"400", b"404", b"409"} <= codes.keys()
            assert {code: answer[-500:] for code, answer in codes.items() if code not in codes_known} == {}
            status = Path(f"/proc/{server.pid}/status").read_text("utf-8")
            peak = re.search(r"VmHWM:\s+(\d+) kB", status)
            assert peak is not None
            assert int(peak[1]) / 1000 < MEMORY
            with urlopen(url, timeout=20) as page:  # noqa: S310 - the server that this test has started
                assert b"Play turn 1" in page.read()
            assert sorted(path for path in folder.rglob("*") if path.name != ".lock") == before
        finally:
            server.terminate()
