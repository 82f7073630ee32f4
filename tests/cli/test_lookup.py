"""The look-up of a receiver's name has a limit of its own: the system's resolver knows none."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail import telling
from gm.mail.sending import RefusedError
from gm.mail.telling import Notification
from gm.store.hooks import Channel, Hook

NEWS = Notification("turn", "minsk", 1, "", "")
URL = "https://example.org/x"


@pytest.fixture
def silent_resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A resolver that answers nothing before the test is over; nobody waits for it."""
    is_over = threading.Event()
    monkeypatch.setattr(telling, "LOOKING_UP", 0.0)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: is_over.wait() and [])
    yield
    is_over.set()


@pytest.mark.parametrize("hook", [Channel(name="c", realm="LIT", url=URL), Hook(name="h", url=URL)])
def test_a_name_that_is_not_found_in_time_is_asked_for_again_later(
    hook: Hook, silent_resolver: None, tmp_path: Path
) -> None:
    with pytest.raises(RefusedError, match="its name was not found within 0 seconds") as refused:
        telling.tell(hook, NEWS, tmp_path, lambda: pytest.fail("nothing was sent"))
    assert not refused.value.forever


def test_a_resolver_that_never_answers_keeps_no_command_from_its_end() -> None:
    program = (
        "import socket, threading\n"
        "from gm.mail import telling\n"
        "telling.LOOKING_UP = 0.0\n"
        "socket.getaddrinfo = lambda *_, **__: threading.Event().wait()\n"
        "try:\n"
        "    telling._addresses('example.org', 443)\n"
        "except OSError as error:\n"
        "    print(error.strerror)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "its name was not found within 0 seconds\n"


def test_a_name_that_is_none_is_refused_like_one_that_nobody_knows(tmp_path: Path) -> None:
    hook = Hook(name="h", url=f"https://{'a' * 64}.example.org/x")
    with pytest.raises(RefusedError, match="it cannot be reached: not a server's name"):
        telling.tell(hook, NEWS, tmp_path, lambda: None)
