"""A turn with something of everything, played by the engine, and checks that the tests of all reports
share.
"""

import re
import zlib
from base64 import b64decode
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser

from msgspec.structs import replace

from gm.core.diagnostics import Diagnostic
from gm.game.values import OrderFile
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.changed import LIMIT, changes
from gm.games.medieval.report.files import turn_reports
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.page_data import inlined
from gm.games.medieval.report.turn_result import Line, MedievalResult, TurnView
from gm.games.medieval.state import World
from gm.text.languages import ENGLISH
from tests.medieval.testland import atlas, data_of, play, read_orders, rules, world_of

HOSTILE = '<script>alert("x")</script> & {realm.__class__} %s \'"\\ \u0645\u0631\u062d\u0628\u0627 \U0001f409'
"""Markup, quotes, braces, a backslash, right-to-left letters and a dragon; short enough for a name."""


def busy_world() -> World:
    """War on land and at sea, a siege, commanders, damage, and a secret amount in every treasury."""
    return world_of(BUSY)


CODES = ("AQU", "DEN", "ENG", "FRA", "LIT", "NOR", "TEU")
BUSY = data_of("busy-turn")
ORDERS: Mapping[str, str] = BUSY["orders"]


def record_of(world: World, orders: Mapping[str, str], **more: object) -> MedievalResult:
    """The record of a turn that the engine played."""
    played = play(world, orders)
    fields = {
        "game": "europe",
        "before": played.before,
        "after": played.world,
        "events": played.events,
        "rules": rules(),
        "atlas": atlas(),
        "readings": {code: OrderFile(sheet) for code, sheet in read_orders(world, orders).items()},
        "keys": {code: f"key-of-{code.lower()}-{n}7" for n, code in enumerate(CODES)},
        "deadline": "Sunday 29 November, 20:00",
        **more,
    }
    return MedievalResult(**fields)  # type: ignore[arg-type]


def changes_of(result: MedievalResult, realm: str, language: str = ENGLISH) -> tuple[Line, ...]:
    """What a realm's page says has changed, the most important first."""
    formatter = MedievalFormatter(result.before, result.after, language=language)
    lines = changes(TurnView(result, formatter, battle_entries(result.public, formatter)), realm)
    assert len(lines) <= LIMIT
    assert [line.weight for line in lines] == sorted(line.weight for line in lines)
    assert len({line.title for line in lines}) == len(lines)
    return lines


@cache
def busy_record() -> MedievalResult:
    """The busy turn.

    France's file had one order that nobody could read, Norway's was unreadable as a whole.
    """
    refused = Diagnostic(
        "error",
        "order/unknown-province",
        "no province is called 'Pariss'",
        "FRA.yaml",
        9,
        4,
        6,
        "march: Pariss",
    )
    broken = Diagnostic("error", "yaml/syntax", "this is no YAML", "NOR.yaml", 3, 1, 1, "<html>")
    record = record_of(busy_world(), ORDERS, set_aside={"NOR": (broken,)})
    france = replace(record.readings["FRA"], diagnostics=(refused,))
    return replace(record, readings={**record.readings, "FRA": france})


def texts(result: MedievalResult, *, html: bool = True) -> Mapping[str, str]:
    """Every file of a turn, as text; pages with all that scripts lay out later."""
    return {name: laid_out(text) for name, text in raw_texts(result, html=html).items()}


def raw_texts(result: MedievalResult, *, html: bool = True) -> dict[str, str]:
    """The same as they are."""
    return {name: data.decode() for name, data in turn_reports(result, html=html).items()}


def data_block(page: str, block: str) -> str:
    """The text of a block of data that stands deflated in a page."""
    match = re.search(rf'<script type="application/json" id="{block}">"([^"]*)"</script>', page)
    assert match, block
    return zlib.decompress(b64decode(match[1])).decode()


def laid_out(page: str) -> str:
    """A page, with what its scripts lay out later in the place of what stands there without them."""
    later = r"<div data-later>(?:(?!<template>).)*<template>(.*?)</template></div>"
    return re.sub(later, lambda match: match[1], page, flags=re.DOTALL)


@cache
def busy_files() -> Mapping[str, str]:
    """Every file of the busy turn."""
    return texts(busy_record())


VOID = frozenset({"meta", "link", "br", "hr", "img", "input", "wbr", "col"})
ENDS_OPEN = {
    "td": {"td", "th"},
    "th": {"td", "th"},
    "tr": {"td", "th", "tr"},
    "li": {"li"},
    "dt": {"dt", "dd"},
}
ENDS_OPEN["dd"] = ENDS_OPEN["dt"]
ENDS_OPEN["tbody"] = {"td", "th", "tr", "thead", "tbody"}
"""The elements whose end tags may be left out, by what ends them: another of these, or the end of what
they are in."""
OPTIONAL = frozenset().union(*ENDS_OPEN.values())
SVG = "http://www.w3.org/2000/svg"


class Page(HTMLParser):
    """Reads a page and notes what is wrong with its tags, what it shows and where it leads.

    ``scripts``: (type, text) of each script and data block.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[tuple[str, str]] = []
        self._shown: list[str] = []
        self.feed(html)
        self.close()
        self.wrong += [f"<{tag}> is never closed" for tag in self.open]

    @property
    def text(self) -> str:
        """What a reader sees, with single spaces."""
        return " ".join(" ".join(self._shown).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        while self.open and self.open[-1] in ENDS_OPEN.get(tag, ()):
            self.open.pop()
        for name, value in attrs:
            self.attributes.append((name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action", "xlink:href"):
                self.links.append(value or "")
        if tag == "script":
            self.scripts.append((dict(attrs).get("type") or "", ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes something else, at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            kind, text = self.scripts[-1]
            self.scripts[-1] = (kind, text + data)
        if not self.open or self.open[-1] not in ("style", "script"):
            self._shown.append(data)


def without_styles(html: str) -> str:
    """A page without its style sheets and without the one address that is a name, not a place."""
    return re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL).replace(SVG, "")


def strange_scripts(page: Page) -> list[str]:
    """The scripts of a page that are none of the program's own and no data: there must be none."""
    return [
        text for kind, text in page.scripts if kind != "application/json" and text not in inlined().scripts
    ]
