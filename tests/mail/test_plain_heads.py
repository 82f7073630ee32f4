"""Order files of games whose head names game, turn and player are found in the text of a mail too."""

from __future__ import annotations

import pytest

from gm.mail.body_text import looks_like_orders, quotes_orders, written_orders

SHEET = "game: cs-demo\nturn: 4\nplayer: red\nkey: brave-otter-71\norders:\n  - Build 1 Tank@M1\n  - C2 > C3\n"


@pytest.mark.parametrize(
    "text",
    [
        SHEET,
        f"Hello,\n\nhere are my orders:\n\n{SHEET}\nBest wishes\nAnna\n",
        f"{SHEET}\n-- \nsent from somewhere\n",
        f"```yaml\n{SHEET}```\nBest wishes\n",
        SHEET.replace("game: cs-demo\nturn: 4\n", "turn: 4\ngame: cs-demo\n"),
    ],
)
def test_a_plain_sheet_in_a_mail_is_found(text: str) -> None:
    (found,) = written_orders(text)
    assert "Build 1 Tank@M1" in found
    assert "C2 > C3" in found
    assert "wishes" not in found
    assert looks_like_orders(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "game: cs-demo\n\nturn: 4\n\nplayer: red\n",
        "I play the game: it is my turn: what does player: mean?\n",
        "Game: chess\nPlayer: me\n",
    ],
)
def test_words_alone_are_no_orders(text: str) -> None:
    assert written_orders(text) == []
    assert not looks_like_orders(text.encode())


def test_a_quoted_plain_sheet_is_told_apart() -> None:
    quoted = "".join(f"> {line}\n" for line in SHEET.splitlines())
    assert quotes_orders(quoted)
    assert written_orders(quoted) == []
