"""Orders in a file for turns to come, each for a case: ``then: [{if: b2-b3, move: c1-c2}]``.

When a party has sent nothing newer and its turn comes, the first item of its last file whose ``if`` holds
becomes its orders; an item without ``if`` always holds. The item's own ``then`` is for the turn after that,
so that one letter may hold many half-moves. Such orders are stored as an order file, sealed and replayed like
any other. If no item holds, or its orders cannot be read, the party has sent nothing. Items after one that is
not understood do not count: one of them might hold in its place. The orders do not bind a replacement player.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from gm.campaign.open import Campaign
from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.orders.cases import IF, is_unclear
from gm.core.orders.header import PLAIN_WORDS, THEN, OrderFile, later_cases
from gm.core.values import Record
from gm.core.yaml.source import Mapping, Node, Scalar, flow_text, plain_data, read_tolerantly


def foreseen_orders(campaign: Campaign, realms: Iterable[str]) -> Iterator[tuple[str, OrderFile, int]]:
    """Yield the orders for the next turn that the last files of ``realms`` hold for the case that came true.

    Each is (realm, the orders, the turn for which the file was sent).
    """
    for realm in realms:
        turn, data = _last_file(campaign, realm)
        player = campaign.folder.players.of(realm)
        if not data or player is None or turn < player.seated:  # a former player sent the file
            continue
        orders = _true_case_orders(campaign, realm, data)
        if not orders:
            continue
        reading = campaign.orders.read(orders, f"{THEN}/{realm}.yaml", realm)
        if reading.sheet is not None:
            # the file itself may be a case of an earlier file, whose turn the record names
            origins = campaign.record(turn).get("decisions", {}).get("repeated", {})
            yield realm, reading, int(origins.get(realm, turn))


def _last_file(campaign: Campaign, realm: str) -> tuple[int, bytes]:
    """Return (turn, content) of the newest order file of a realm that was played; (0, empty) for none.

    Only as many turns are searched as the game has parties: so many let every party move once.
    """
    newest = campaign.newest_turn
    for turn in range(newest, max(0, newest - len(campaign.seats)), -1):
        data = campaign.folder.orders(turn, [realm]).get(realm)
        if data:
            return turn, data
    return 0, b""


def _turn_of_file(root: Node) -> int | None:
    """Return the turn that a file says it is for; None if it names none."""
    quoted = root.get("turn") if isinstance(root, Mapping) else None
    # no turn has more than nine digits, and Python refuses to read very long numbers
    return int(quoted.text[:9]) if isinstance(quoted, Scalar) and quoted.text.isdigit() else None


def _true_case_orders(campaign: Campaign, realm: str, data: bytes) -> bytes:
    """Return the content of the order file for the next turn that a realm's file holds, by its true case.

    Empty if the file cannot be read or names no turn, if no case holds, if a case before the one that holds
    is not understood, or if the case that holds is not understood or has no orders of its own.
    """
    try:
        root, _ = read_tolerantly(data, "")
    except SourceError:
        return b""
    turn = _turn_of_file(root)
    if not isinstance(root, Mapping) or turn is None:
        return b""
    for item in later_cases(root):
        if not isinstance(item, Mapping) or not _is_understood(campaign, realm, item):
            return b""  # a later case would stand in the place of this one
        case = item.get(IF)
        condition = plain_data(case) if case is not None else None
        if campaign.spec.foreseen(campaign.table, campaign.state, realm, turn, condition):
            vote = root.get("vote")  # the file's counts for all of its cases
            votes = {} if vote is None else {"vote": plain_data(vote)}
            body = {key.text: plain_data(value) for key, value in item if key.text not in (IF, *PLAIN_WORDS)}
            if body.keys() <= {THEN}:  # the case has no orders of its own
                return b""
            return _order_file(campaign, realm, votes | body)
    return b""


def _is_understood(campaign: Campaign, realm: str, case: Mapping) -> bool:
    """Return whether a case reads without an error, apart from the cases nested in it."""
    if is_unclear(case, ()):  # no mapping, or a word in it is repeated
        return False
    words = {key.text: plain_data(value) for key, value in case if key.text not in (THEN, *PLAIN_WORDS)}
    # read as the only case of a file that has no orders of its own: all errors are then the case's
    data = _order_file(campaign, realm, {THEN: [words]})
    return not campaign.orders.read(data, f"{THEN}/{realm}.yaml", realm).errors


def _order_file(campaign: Campaign, realm: str, orders: dict[str, Any]) -> bytes:
    """Return a realm's order file for the next turn. ``orders``: its entries below the head."""
    head = {"game": campaign.folder.settings.id, "turn": campaign.spec.quoted(campaign.state)}
    entries = {**head, campaign.spec.party_word: realm, **orders}
    lines = (f"{word}: {json.dumps(value, ensure_ascii=False)}\n" for word, value in entries.items())
    return "".join(lines).encode()


class Case(Record):
    """The orders of a file for one case, as written."""

    line: int  # in the file
    depth: int  # the number of cases in which it is nested
    when: str  # its condition; empty: it holds if no case before it does
    orders: str  # on one line
    other: bool  # whether there is a case before it, at the same depth
    void: bool = False  # it does not count: it, or a case before it or around it, is not understood


def written_cases(file: OrderFile) -> Iterator[Case]:
    """Return all cases that a file has for turns to come, in the order of the file, nested ones too."""
    return _cases(file.cases, 0, file.diagnostics)


def _cases(
    cases: Iterable[Node], depth: int, diagnostics: tuple[Diagnostic, ...], *, void: bool = False
) -> Iterator[Case]:
    """Yield these cases and those nested in them.

    ``depth``: in how many cases these are nested; ``diagnostics``: the findings about the file; ``void``: an
    earlier case was not understood.
    """
    for number, item in enumerate(cases):
        void = void or is_unclear(item, diagnostics)
        if not isinstance(item, Mapping):
            continue
        case = item.get(IF)
        words = [entry for entry in item if entry[0].text not in (IF, THEN, *PLAIN_WORDS)]
        yield Case(
            line=item.line,
            depth=depth,
            when=_on_one_line(case),
            orders=", ".join(map(_on_one_line, words)),
            other=number > 0,
            void=void,
        )
        yield from _cases(later_cases(item), depth + 1, diagnostics, void=void)


def _on_one_line(node: Node | tuple[Scalar, Node] | None) -> str:
    """Return a value or an entry (key, value) of a file as text on one line; empty for None."""
    if isinstance(node, tuple):
        key, value = node
        return f"{key.text} {flow_text(value)}"
    if isinstance(node, Mapping):
        return ", ".join(map(_on_one_line, node))
    return flow_text(node) if node is not None else ""
