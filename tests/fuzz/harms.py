"""What goes wrong with order files: in the orders, in the text, in the bytes. A seeded generator chooses."""

import copy
import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from tests.fuzz.documents import as_text
from tests.medieval.order_files import HARMS, harmed_line

OTHER_KINDS: tuple[Any, ...] = ([], {}, True, None, 3.7, "text", [[1]], {"a": {"b": 1}}, "2026-01-01", [None])
NUMBERS: tuple[Any, ...] = (
    0,
    -5,
    100_000,
    10**9,
    10**30,
    1e300,
    -0.001,
    0.005,
    "0x10",
    "1_000",
    ".inf",
    ".nan",
    "١٢",
)
SCRAPS = (
    b"\x00",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\t",
    b"&a [*a, *a]",
    b"*nobody",
    b"!!python/object:os.system {}",
    b"---\n",
    b"...\n",
    b"%YAML 9.9\n",
    b"? ? ?\n",
    b"[" * 200,
    b"{a: " * 60,
    b"<<: {a: 1}\n",
    b"| \n  x\n",
    b"\r",
    "\u2028\u202e".encode(),
    b"\xed\xa0\x80",
    b"9" * 5000,
    b"x" * 70_000,
    b"- " * 300,
)

# -- in the orders -------------------------------------------------------------------------------------------


def _spots(node: Any) -> list[tuple[Any, Any]]:
    """(container, key or index) of everything below a node."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return list(chain.from_iterable(((node, key), *_spots(value)) for key, value in entries))


def _body_spots(document: dict[str, Any]) -> list[tuple[Any, Any]]:
    return list(chain.from_iterable(_spots(document.get(name)) for name in ("headquarters", "units")))


def misspelt(random: Random, text: str) -> str:
    """A name with a slip of the finger in it."""
    at = random.randrange(len(text) + 1)
    return random.choice(
        (text[:at] + text[at + 1 :], text[:at] + "q" + text[at:], text.upper(), text[::-1], "")
    )


def unknown_name(random: Random, document: dict[str, Any], others: Sequence[str]) -> None:
    """A name or a word of the grammar that there is not."""
    spots = [
        spot
        for spot in _body_spots(document)
        if isinstance(spot[0][spot[1]], str) or isinstance(spot[1], str)
    ]
    if not spots:
        return
    container, key = random.choice(spots)
    if isinstance(container[key], str):
        container[key] = misspelt(random, container[key])
    else:
        container[misspelt(random, key)] = container.pop(key)


def wrong_kind(
    random: Random,
    document: dict[str, Any],
    others: Sequence[str],
    kind: Any = object,
    instead: Sequence[Any] = OTHER_KINDS,
) -> None:
    """Something of another kind in the place of a value of this ``kind``."""
    if spots := [spot for spot in _body_spots(document) if isinstance(spot[0][spot[1]], kind)]:
        container, key = random.choice(spots)
        container[key] = copy.deepcopy(random.choice(instead))


huge_number = partial(wrong_kind, kind=(int, float), instead=NUMBERS)
"""A number out of all bounds, or none that can be counted with."""


def foreign_unit(random: Random, document: dict[str, Any], others: Sequence[str]) -> None:
    """An order for somebody else's unit, or one that needs it."""
    units = document.get("units")
    if isinstance(units, dict) and units and others:
        name = random.choice(list(units))
        units[random.choice(others)] = (
            units.pop(name) if random.random() < 0.5 else copy.deepcopy(units[name])
        )


def wrong_head(random: Random, document: dict[str, Any], others: Sequence[str]) -> None:
    """A head of another game, turn, realm or format, or without something."""
    name = random.choice(("orders", "game", "realm", "turn", "key", "standing"))
    if random.random() < 0.4:
        document.pop(name, None)
    else:
        document[name] = copy.deepcopy(random.choice((*OTHER_KINDS, *NUMBERS, "ENG", "LIT", 7)))


ORDER_HARMS: tuple[Callable[[Random, dict[str, Any], Sequence[str]], None], ...] = (
    unknown_name,
    unknown_name,
    wrong_kind,
    wrong_kind,
    huge_number,
    foreign_unit,
)

# -- in the text and in the bytes ----------------------------------------------------------------------------


def harmed_text(random: Random, text: str) -> str:
    """A text whose lines went through bad hands."""
    lines = text.split("\n")
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(lines))
        other = random.randrange(len(lines))
        scrap = random.choice(("?", "  - ", "plan:", "ï¿½", ": :", '"', "units:"))
        harmed_line(lines, random.choice(HARMS), at, other=other, kept=random.randrange(20), scrap=scrap)
    return "\n".join(lines)


def harmed_bytes(random: Random, data: bytes) -> bytes:
    """Bytes with some of them changed, lost, doubled or put in between."""
    harmed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(harmed) + 1)
        way = random.randrange(5)
        if way == 0 and at < len(harmed):
            harmed[at] = random.randrange(256)
        elif way == 1:
            del harmed[at : at + random.randint(1, 30)]
        elif way == 2:
            harmed[at:at] = random.choice(SCRAPS)
        elif way == 3:
            harmed[at:at] = harmed[at : at + random.randint(1, 60)]
        else:
            harmed = harmed[:at] if random.random() < 0.3 else harmed
    return bytes(harmed)


def recoded(random: Random, text: str) -> bytes:
    """A text as other programs write it."""
    ways = (
        lambda: text.encode("utf-16"),
        lambda: text.encode("latin-1", "replace"),
        lambda: text.replace("\n", "\r\n").encode(),
        lambda: b"\xef\xbb\xbf" + text.encode(),
        lambda: json.dumps(text).encode(),
        lambda: (text + "\n---\n" + text).encode(),
    )
    return ways[random.randrange(6)]()


def order_bytes(random: Random, document: dict[str, Any], others: Sequence[str]) -> bytes:
    """A document as the bytes that arrive: unharmed more often than not.

    ``others`` are names of foreign units.
    """
    fate = random.random()
    if 0.6 <= fate < 0.85:
        document = copy.deepcopy(document)
        for _ in range(random.randint(1, 3)):
            random.choice(ORDER_HARMS)(random, document, others)
    elif 0.85 <= fate < 0.88:
        document = copy.deepcopy(document)
        wrong_head(random, document, others)
    text = as_text(document)
    if 0.88 <= fate < 0.94:
        text = harmed_text(random, text)
    if 0.94 <= fate < 0.98:
        return harmed_bytes(random, text.encode())
    if 0.98 <= fate < 0.99:
        return recoded(random, text)
    if fate >= 0.99:
        return random.randbytes(random.randrange(400))
    return text.encode("utf-8", "surrogatepass")
