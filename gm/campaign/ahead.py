"""Orders in a file for turns to come, each for a case: ``then: [{if: b2-b3, move: c1-c2}]``.

When a party has sent nothing newer and its turn comes, the first item of its last file whose ``if`` holds
becomes its orders, an item without ``if`` in any case. What stands in the item's own ``then`` is for the turn
after that, so that one letter may hold many half-moves. Such an order file is kept, sealed and replayed like
any other. None holds, or what it orders cannot be done: then nothing was sent. The cases after one that is
not understood do not count: the last of them would stand in its place. Who takes over a seat is not bound by
them.
"""

import json
from collections.abc import Iterable, Iterator

from gm.campaign.open import Campaign
from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.orders.cases import IF, is_unclear
from gm.core.orders.header import PLAIN_WORDS, THEN, OrderFile, later_cases
from gm.core.values import Record
from gm.core.yaml.source import Mapping, Node, Scalar, flow_text, plain_data, read_tolerantly


def foreseen_orders(campaign: Campaign, realms: Iterable[str]) -> Iterator[tuple[str, OrderFile, int]]:
    """Yield the orders for the case that came true, of those of ``realms`` whose last file has any.

    Each is (realm, its file for the next turn, the turn that it was sent for).
    """
    for realm in realms:
        turn, data = _last_file(campaign, realm)
        player = campaign.folder.players.of(realm)
        orders = _made(campaign, realm, data) if data and player and turn >= player.seated else b""
        reading = campaign.orders.read(orders, f"{THEN}/{realm}.yaml", realm) if orders else None
        if reading is not None and reading.sheet is not None:
            origins = campaign.record(turn).get("decisions", {}).get("repeated", {})
            yield realm, reading, int(origins.get(realm, turn))


def _last_file(campaign: Campaign, realm: str) -> tuple[int, bytes]:
    """Return the newest order file of a realm that was played, and its turn.

    Only the last turns are searched, as many as it takes until every party has moved once.
    """
    newest = campaign.newest_turn
    for turn in range(newest, max(0, newest - len(campaign.seats)), -1):
        data = campaign.folder.orders(turn, [realm]).get(realm)
        if data:
            return turn, data
    return 0, b""


def _quoted_turn(root: Node) -> int | None:
    """Return the turn that a file says it is for; None if it names none."""
    quoted = root.get("turn") if isinstance(root, Mapping) else None
    return int(quoted.text[:9]) if isinstance(quoted, Scalar) and quoted.text.isdigit() else None


def _made(campaign: Campaign, realm: str, data: bytes) -> bytes:
    """Return the order file for the next turn that is nested in a realm's file; empty if there is none."""
    try:
        root, _ = read_tolerantly(data, "")
    except SourceError:
        return b""
    turn = _quoted_turn(root)
    if not isinstance(root, Mapping) or turn is None:
        return b""
    for item in later_cases(root):
        if not isinstance(item, Mapping) or not _is_understood(campaign, realm, item):
            return b""  # a later case would stand in the place of this one
        case = item.get(IF)
        condition = plain_data(case) if case is not None else None
        if campaign.spec.foreseen(campaign.table, campaign.state, realm, turn, condition):
            head = {"game": campaign.folder.settings.id, "turn": campaign.spec.quoted(campaign.state)}
            head |= {campaign.spec.party_word: realm}
            vote = root.get("vote")
            if vote is not None:  # it is that of all that the letter orders
                head |= {"vote": plain_data(vote)}
            body = {key.text: plain_data(value) for key, value in item if key.text not in (IF, *PLAIN_WORDS)}
            if body.keys() <= {THEN}:
                return b""
            lines = (
                f"{word}: {json.dumps(value, ensure_ascii=False)}\n"
                for word, value in {**head, **body}.items()
            )
            return "".join(lines).encode()
    return b""


def _is_understood(campaign: Campaign, realm: str, case: Mapping) -> bool:
    """Return whether a case reads without an error, apart from the cases nested in it."""
    if is_unclear(case, ()):
        return False
    words = {key.text: plain_data(value) for key, value in case if key.text not in (THEN, *PLAIN_WORDS)}
    head = {"game": campaign.folder.settings.id, "turn": campaign.spec.quoted(campaign.state)}
    entry = {**head, campaign.spec.party_word: realm, THEN: [words]}
    lines = (f"{word}: {json.dumps(value, ensure_ascii=False)}\n" for word, value in entry.items())
    return not campaign.orders.read("".join(lines).encode(), f"{THEN}/{realm}.yaml", realm).errors


class Case(Record):
    """The orders of a file for one case, as written.

    ``depth``: how many cases it is nested in. ``when``: its condition; empty for any case, or, with
    ``other``, for none of those before it.
    """

    line: int
    depth: int
    when: str
    orders: str
    other: bool
    void: bool = False  # it is not understood, or it or what it comes after stands behind such a case


def written_cases(file: OrderFile) -> Iterator[Case]:
    """Return all cases that a file has for turns to come, in the order of the file."""
    return _cases(file.cases, 0, file.diagnostics)


def _cases(
    cases: Iterable[Node], depth: int, diagnostics: tuple[Diagnostic, ...], *, void: bool = False
) -> Iterator[Case]:
    """Yield these cases and those nested in them. ``void``: an earlier case was not understood."""
    for number, item in enumerate(cases):
        void = void or is_unclear(item, diagnostics)
        if not isinstance(item, Mapping):
            continue
        case = item.get(IF)
        words = [entry for entry in item if entry[0].text not in (IF, THEN, *PLAIN_WORDS)]
        yield Case(item.line, depth, _flat(case), ", ".join(map(_flat, words)), bool(number), void)
        yield from _cases(later_cases(item), depth + 1, diagnostics, void=void)


def _flat(written: Node | tuple[Scalar, Node] | None) -> str:
    """Return a written value as text on one line; empty for nothing."""
    if isinstance(written, tuple):
        return f"{written[0].text} {flow_text(written[1])}"
    if isinstance(written, Mapping):
        return ", ".join(map(_flat, written))
    return flow_text(written) if written is not None else ""
