"""A game master's browser on the desk, without a network: what its forms send."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from gm.cli.desk import lent_to
from gm.core.values import Record
from gm.desk.server import Desk, application
from tests.commands import command
from tests.play.asking import HOST, TOKEN, Answer, call

BORDER = "a-border-of-parts"
ANSWER = re.compile(r'<section class="answer.*?</section>', re.DOTALL)


def begin(folder: Path, *words: object) -> Path:
    """Begin the example's game of Minsk, of which the first orders are due in two weeks."""
    first = datetime.now(UTC) + timedelta(days=14)
    players = Path("examples/medieval/minsk/players.yaml").resolve()
    keys = ("--id", "minsk", "--short-keys", "--key-secret", "minsk", "--seed", "minsk-37")
    command(
        "new", folder, "--map", "minsk", *keys, "--players", players, "--first", f"{first:%Y-%m-%d}", *words
    )
    command("seat", "LIT", "--name", "Anna", "--game", folder)
    return folder


class Browser(Record):
    """A window on the desk. ``name``: the game's."""

    desk: Desk
    name: str = "minsk"

    def get(self, path: str = "", heads: Mapping[str, str] | None = None) -> Answer:
        return call(application(self.desk, TOKEN, HOST), "GET", f"/{TOKEN}/{path}", heads=heads)

    def week(self) -> str:
        answer = self.get(f"{self.name}/")
        assert answer.status == 200, answer.text
        return answer.text

    def _post(self, body: bytes, kind: str) -> Answer:
        heads = {"content-type": kind, "content-length": str(len(body)), "origin": f"http://{HOST}"}
        return call(application(self.desk, TOKEN, HOST), "POST", f"/{TOKEN}/{self.name}/", body, heads)

    def press(self, act: str, turn: int = 1, **typed: str) -> str:
        """Press a button; returns what came of it, as text."""
        fields = {name.replace("__", "--"): value for name, value in typed.items()}
        body = urlencode({"act": act, "turn": turn, **fields}).encode()
        return said(self._post(body, "application/x-www-form-urlencoded"))

    def drop(self, act: str, files: Sequence[tuple[str, bytes]], turn: int = 1, **typed: str) -> str:
        """Drop files on the desk; returns what came of them, as text."""
        return said(self.dropped(act, files, turn, **typed))

    def dropped(self, act: str, files: Sequence[tuple[str, bytes]], turn: int = 1, **typed: str) -> Answer:
        """Drop files on the desk."""
        head = f'--{BORDER}\r\nContent-Disposition: form-data; name="'
        fields = {"act": act, "turn": str(turn), **typed}
        parts = [f'{head}{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
        for name, data in files:
            parts += [f'{head}files"; filename="{name}"\r\n\r\n'.encode(), data, b"\r\n"]
        body = b"".join([*parts, f"--{BORDER}--\r\n".encode()])
        return self._post(body, f"multipart/form-data; boundary={BORDER}")


def said(answer: Answer) -> str:
    """Return the words of the answer on the page of the week."""
    assert answer.status == 200, answer.text
    section = ANSWER.search(answer.text)
    assert section is not None, answer.text[:500]
    assert answer.text.rstrip().endswith("</html>")
    return " ".join(unescape(re.sub("<[^>]*>", " ", section[0])).split())


def browser(root: Path, place: Path, language: str = "en") -> Browser:
    """Return the first window on the desk over a folder."""
    return Browser(Desk(lent_to(root), place, language))
