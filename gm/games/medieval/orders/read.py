"""Order files into order sheets (O1-O9): bytes in, orders and findings out, whatever the bytes are."""

from __future__ import annotations

from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.orders.header import HEADER_WORDS, Addressed, Header, read_header
from gm.core.orders.reading import OrderFileReader, UnknownWord
from gm.core.values import FrozenMap
from gm.core.yaml.source import Mapping, Node, read_yaml
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.grammar import FORMAT, TOP, where_else
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.read_headquarters import read_headquarters, read_renames
from gm.games.medieval.orders.read_units import read_units
from gm.games.medieval.orders.reading import Reading, realm_names
from gm.games.medieval.state import World


def read_sheet(
    data: bytes,
    file: str,
    *,
    world: World,
    rules: Rules,
    atlas: Atlas,
    game: str,
    realm: str | None = None,
    turn: int | None = None,
    key: str | None = None,
    late: bool = False,
) -> tuple[Orders | None, list[Diagnostic]]:
    """One order file against the world as it is before the turn; ``file`` is its name in messages.

    ``game``, and where given ``realm``, ``turn`` and ``key``, are what its header must say. Returns the sheet with
    every order that was understood, and the findings by their place in the file. The sheet is None when the file is to
    be set aside whole (O7); an error that says why then comes first. Never raises for what the file holds.
    """
    reader = OrderFileReader()
    try:
        root = read_yaml(data, file)
        to = Addressed(game, realm, turn, key)
        header = read_header(reader, root, version=FORMAT, realms=realm_names(world), to=to)
        if header is None or not isinstance(root, Mapping):
            return None, reader.by_place()
        sheet = _body(Reading(reader, header.realm, world, rules, atlas), root, header, late)
    except SourceError as error:
        return None, [*error.diagnostics, *reader.by_place()]
    if reader.failed and reader.orders == 0:
        message = "not one order of this file was understood: it is set aside as a whole"
        return None, [root.diagnostic("sheet/nothing-understood", message, clause="O7"), *reader.by_place()]
    return sheet, reader.by_place()


def _body(reading: Reading, root: Mapping, header: Header, late: bool) -> Orders:
    """The sections below the header."""
    reader = reading.reader
    unknown = UnknownWord(reader, "at the left margin", (*HEADER_WORDS, *TOP), where_else("top"))
    known = {word: word for word in (*HEADER_WORDS, *TOP)}
    sections: dict[str, Node] = {word: value for _, word, value in reader.words(root, known, unknown)}
    read_renames(reading, sections.get("headquarters"))
    units = sections.get("units")
    if isinstance(units, Mapping):
        reading.scan_formed(units)
    headquarters = tuple(read_headquarters(reading, sections["headquarters"])) if "headquarters" in sections else ()
    orders, plans = read_units(reading, units) if units is not None else ([], {})
    return Orders(
        realm=header.realm,
        turn=header.turn,
        key=header.key,
        headquarters=headquarters,
        units=tuple(orders),
        plans=FrozenMap(plans),
        late=late,
        standing=header.standing,
    )
