"""What of a letter is its sender's own, by its form: orders above and below quotations in any language,
orders that are sent on, and lines that end a letter.
"""

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from gm.core.orders.header import parse
from gm.mail.body_text import written_orders
from tests.mail.office import Office, flat, mail
from tests.mail.shapes.pieces import OLD, ORDERS, PLAIN, orders

DATA: dict[str, Any] = YAML(typ="safe").load((Path(__file__).parent / "shapes/heads.yaml").read_text("utf-8"))
QUESTION = "Why only one archer?\n"
KEY_LETTER = (
    "This letter is for you alone: whoever has it\ncan give orders in your name.\n\n  some-key-40\n\nDue: "
    "Sunday.\n"
)
SMALL = "game: cs-demo\nturn: 4\nplayer: red\nkey: brave-otter-71\norders:\n- Build 1 Tank@M1\n- C2 > C3\n"
SHEETS = {"a map": ORDERS, "a list": SMALL, "a word": orders("LIT", "vote: draw\n")}


def headers() -> dict[str, str]:
    """Each header of each language, as each program writes it."""
    made = {}
    for language, words in DATA["headers"].items():
        for name, writing in DATA["writings"].items():
            made[f"{language}, {name}"] = writing.format(*words)
    return made


HEADS = headers() | {line: f"{line}\n" for line in DATA["attributions"]}


def sheet_of(number: int) -> str:
    """One of the order files after the other."""
    return tuple(SHEETS.values())[number % len(SHEETS)]


def marked(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def test_there_are_many_languages() -> None:
    assert len(DATA["headers"]) >= 25
    assert len(DATA["attributions"]) >= 50


def test_orders_above_any_head_are_taken_as_they_were_written() -> None:
    """item 22: whatever the language and the spaces of the lines above the older letter."""
    wrong = {}
    for number, (name, head) in enumerate(HEADS.items()):
        sheet = sheet_of(number)
        text = f"{sheet}\n{head}\n{KEY_LETTER}"
        if written_orders(text, "Re: orders") != [sheet]:
            wrong[name] = written_orders(text, "Re: orders")
    assert wrong == {}


def test_what_stands_below_any_head_is_not_ordered() -> None:
    """item 22: a question in answer to a receipt brought the first version back."""
    wrong = []
    for number, (name, head) in enumerate(HEADS.items()):
        gap = "\n" * (number % 2)
        if written_orders(f"{QUESTION}\n{head}{gap}{sheet_of(number)}", "Re: orders"):
            wrong.append(name)
    assert wrong == []


def test_orders_below_any_head_whose_letter_is_marked_are_taken() -> None:
    """item 23: with each of these heads."""
    wrong = []
    for number, (name, head) in enumerate(HEADS.items()):
        sheet = sheet_of(number)
        if written_orders(f"{head}{marked(KEY_LETTER)}\n{sheet}", "Re: orders") != [sheet]:
            wrong.append(name)
    assert wrong == []


@pytest.mark.parametrize("name", DATA["below"])
def test_orders_below_a_quotation_are_taken(name: str) -> None:
    """item 23"""
    for sheet in SHEETS.values():
        assert written_orders(DATA["below"][name].replace("{orders}", sheet), "Re: orders") == [sheet]


@pytest.mark.parametrize("name", DATA["forwards"])
def test_orders_that_are_sent_on_are_taken(name: str) -> None:
    """item 26: below a rule and lines of a header."""
    for sheet in SHEETS.values():
        text = DATA["forwards"][name].replace("{orders}", sheet).replace("{marked}", marked(sheet))
        assert written_orders(text, "Fwd: orders") == [sheet]
        assert written_orders(f"{OLD}\n{text}", "Fwd: orders") == [OLD]


def without_remark(text: str) -> str:
    """An order file without a remark (#) at its end, which says nothing."""
    return re.sub(r"\n+#[^\n]*\n\Z", "\n", text)


def test_a_closing_line_never_spoils_orders() -> None:
    """item 26: right below them, after an empty line, and above a quotation."""
    wrong = {}
    behind = "On 28.11.26 06:00, GM wrote:\n> x\n"
    closings = [(closing, ("", "\n", "\n\n")) for closing in DATA["closings"]]
    closings += [(closing, ("\n", "\n\n")) for closing in DATA["closings after a gap"]]
    ends = itertools.product((ORDERS, SHEETS["a word"]), ("", "\n\nAnna\n", f"\n\n{behind}"))
    tries = itertools.product(closings, ends)
    for number, ((closing, gaps), (sheet, end)) in enumerate(tries):
        gap = gaps[number % len(gaps)]
        sheets = written_orders(f"{sheet}{gap}{closing}{end}", "Re: orders")
        if [without_remark(found_sheet) for found_sheet in sheets] != [sheet]:
            wrong[closing, gap, end] = sheets
    assert wrong == {}


@pytest.mark.parametrize(
    "end",
    [
        "press:\n- TEU\n",
        "orders:\n- Build 1\n\n- Anna\n",
        "headquarters:\n  offer_peace:\n- TEU\n",
        "headquarters:\n  proclamation: |\n    First\n\n    Anna\n",
        "headquarters:\n  proclamation: 'First\n\n    Anna'\n",
        "units:\n  Minsk:\n    plan:\n    - hold\n\n    - march\n",
        "units: {Minsk: {\n\n    recruit: {Archers: 1}}}\n",
        "# a remark\n",
        "units:\n  Minsk: hold\n\n# - Anna\n",
        "- TEU\n",
    ],
)
def test_what_may_be_orders_stays(end: str) -> None:
    """item 26: it is better to hear of a line than to lose it."""
    text = orders("LIT", end)
    assert written_orders(text) == [text]
    assert written_orders(f"{text}\nCheers, Anna\n") == [text]


@pytest.mark.parametrize(
    "line",
    [
        "headquarters: {proclamation: 'On 28.11.2026 06:00 GM <gm@example.org> wrote:'}",
        "contact: anna@example.org",
        "press: [{to: POL, text: 'From: me'}]",
        "title: 28.11.2026 06:00",
    ],
)
def test_no_line_of_orders_is_a_head(line: str) -> None:
    """item 22: the other side."""
    text = orders("LIT", f"{line}\nunits: {{}}\n")
    assert written_orders(text) == [text]


@pytest.mark.parametrize(
    "words",
    [
        "Hello, here are my orders:",
        "My orders of Saturday, 28.11.2026, 06:00, as promised to ben@example.org last week.",
        "From: Vilna\nTo: Minsk\nwith love",
        "I have written to Ben <ben@example.org> on 28.11.2026 at 06:00.",
        "Dear GM,\nquestion: why?\nhere: my orders",
    ],
)
def test_words_above_orders_are_no_head(words: str) -> None:
    """item 22: the other side."""
    assert written_orders(f"{words}\n\n{PLAIN}", "Re: orders") == [PLAIN]


@pytest.mark.parametrize("words", ["Please do as I said then:", "Notes from Vilna"])
def test_an_earlier_version_below_other_words_is_asked_about(office: Office, words: str) -> None:
    """item 22: what no form tells from a quotation."""
    office.receive(mail(OLD))
    office.receive(mail(PLAIN, number="2"))
    office.receive(mail(f"{words}\n\n{OLD}", number="3"))
    assert office.standing() == PLAIN.encode()
    assert "earlier version" in flat(office.sent()[-1])
    assert len(office.sent()) == 3
    office.receive(mail(OLD, number="4"))  # by itself it is meant
    assert office.standing() == OLD.encode()


def test_orders_that_are_new_count_below_any_words(office: Office) -> None:
    """item 22: the other side."""
    office.receive(mail(OLD))
    office.receive(mail(f"Please do this instead:\n\n{PLAIN}", number="2"))
    assert office.standing() == PLAIN.encode()
    office.receive(mail(f"Still this:\n\n{PLAIN}", number="3"))
    assert "is already in place" in flat(office.sent()[-1])


def entries(text: str) -> Mapping[str, str]:
    """What a file says of itself at its top."""
    _, file = parse(text.encode(), "x")
    return file.entries


CAPITALS = re.compile(r"(?m)^(\s*)([a-z])(?=\w*:)")


@pytest.mark.parametrize("change", ["first letters", "head alone", "all letters"])
def test_head_words_may_have_capitals(office: Office, change: str) -> None:
    """item 26: telephones begin each line with one."""
    body = {
        "first letters": CAPITALS.sub(lambda match: match[1] + match[2].upper(), PLAIN),
        "head alone": re.sub(r"(?m)^[a-z](?=\w*: )", lambda match: match[0].upper(), PLAIN),
        "all letters": re.sub(r"(?m)^[a-z]+(?=: )", lambda match: match[0].upper(), PLAIN),
    }[change]
    assert body != PLAIN
    assert entries(body) == entries(PLAIN)
    assert entries(f"{body}x: [")["key"] == entries(PLAIN)["key"]
    office.receive(mail(body))
    assert office.standing() == body.encode()
    text = flat(office.sent()[-1])
    assert "Orders received:" in office.sent()[-1]["Subject"]
    assert "is missing" not in text


def test_a_small_games_head_may_have_capitals() -> None:
    """item 26: game, turn, player and what stands below them."""
    body = re.sub(r"(?m)^[a-z](?=\w*:)", lambda match: match[0].upper(), SMALL)
    assert written_orders(f"Hello\n\n{body}\nCheers, Anna\n") == [body]
    assert entries(body) == entries(SMALL)
