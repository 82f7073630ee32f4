"""The game master's leading article: kept with the turn, printed once, and harmless whatever is written
into it.
"""

import re
from itertools import product
from pathlib import Path

import pytest

from gm.game.base.herald_page import leader_html
from tests.cli.conftest import Run

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![map](https://example.org/spy.png)",
    "[look](javascript:alert(1)) and <javascript:alert(1)>",
    "[here](https://example.org)\n\n[1]: https://example.org 'x'",
    "&lt;b&gt; <b>bold</b> <!-- --> ]]> <style>*{}</style>",
    "# <iframe src=//example.org>\n\n> * <svg onload=alert(1)>",
]
TAGS = {
    f"<{end}{tag}" for end, tag in product(("", "/"), ("p", "h4", "ul", "li", "blockquote", "strong", "em"))
}


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_gets_through_but_the_marks_of_a_text(text: str) -> None:
    assert set(re.findall(r"<[^>\s]*", leader_html(text))) <= TAGS


def test_marks_of_a_text_are_kept() -> None:
    html = leader_html("# Peace?\n\nThe **king** *waits*.\n\n* one\n* two\n")
    assert all(
        sign in html
        for sign in ("<h4>Peace?</h4>", "<strong>king</strong>", "<em>waits</em>", "<li>one</li>")
    )


def test_a_leading_article_is_printed_with_the_next_turn_and_no_other(ready: Path, run: Run) -> None:
    (ready / "herald.md").write_text(
        "# A word of the chronicler\n\n<script>alert(1)</script> Winter was **long**.\n", "utf-8"
    )
    run("turn")
    paper = (ready / "turns/turn-01/results/herald.html").read_text("utf-8")
    assert "A word of the chronicler" in paper
    assert "<strong>long</strong>" in paper
    assert "<script>alert" not in paper
    assert "A word of the chronicler" in (ready / "turns/turn-01/results/LIT.html").read_text("utf-8")
    run("turn", "--missing-ok")
    assert "A word of the chronicler" not in (ready / "turns/turn-02/results/herald.html").read_text("utf-8")
    run("verify", "--replay")
