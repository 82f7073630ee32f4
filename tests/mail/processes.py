"""The processes of the tests' mail servers: started, known by their greeting, and ended with the tests."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import PATIENCE, wait_for

# waits until its input ends, with whoever holds the other side, and then ends the servers in a folder
_WATCH = """\
cat >/dev/null
for pid in $(cat "$1/spool/pid/master.pid" "$1/run/master.pid" 2>/dev/null); do
    case "$(readlink "/proc/$pid/cwd")" in "$1"/*) kill "$pid" ;; esac
done
rm -rf "$1"
"""


def program(name: str) -> str:
    """Where a program is; servers are not on everybody's path. Empty when it is nowhere."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))) or ""


def greeting(port: int) -> str:
    """What somebody says first who answers on a port of loopback; empty when nobody does."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as door:
        return door.recv(1000).decode("ascii", "replace")
    return ""


@dataclass
class Server:
    """One server: how it is started, the file that then holds its process id, and where it listens.

    ``mark`` is the word in its greeting by which it is known.
    """

    command: list[str]
    pid_file: Path
    port: int
    mark: str
    logs: tuple[Path, ...]

    def start(self) -> None:
        """Start it. Raises ``RuntimeError``, with what it said, when nobody answers or somebody else does."""
        with self.logs[0].open("ab") as log:
            # a file and no pipe: the daemon keeps it open
            run = subprocess.run(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=PATIENCE
            )
        try:
            if run.returncode == 0:
                wait_for(self.answers, f"{self.command[0]} to answer")
                return
            why = f"{self.command[0]} ended with {run.returncode}"
        except TimeoutError as error:
            why = str(error)
        self.stop()
        words = "".join(log.read_text() for log in self.logs if log.exists())
        raise RuntimeError(f"{why}:\n{words}")

    def answers(self) -> bool:
        """Whether this very server answers on its port."""
        return self.mark in greeting(self.port)

    def stop(self) -> None:
        """End the server, which ends its children: only the process that stands in its own file."""
        with suppress(FileNotFoundError, ProcessLookupError, ValueError):
            pid = int(self.pid_file.read_text())
            if not works_in(pid, self.pid_file.parents[1]):
                return  # it ended by itself, and its number is somebody else's now
            os.kill(pid, signal.SIGTERM)
            wait_for(lambda: not runs(pid), f"{self.command[0]} to end")
            wait_for(lambda: not self.answers(), f"{self.command[0]} to close its door")


def runs(pid: int) -> bool:
    """Whether a process does anything yet; one that has ended and was not asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def works_in(pid: int, folder: Path) -> bool:
    """Whether a process is at home in a folder or below it, as every process of our servers is."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cwd").readlink().is_relative_to(folder)
    return False


def processes_in(folder: Path) -> list[int]:
    """Every process of the servers in a folder."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return sorted(pid for pid in pids if works_in(pid, folder) and runs(pid))


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """See to it that the servers in a folder end when we do, whatever ends us."""
    command = ["sh", "-c", _WATCH, "watch", str(folder)]
    nowhere = subprocess.DEVNULL
    watch = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True
    )
    try:
        yield
    finally:
        assert watch.stdin is not None
        watch.stdin.close()
        watch.wait()
