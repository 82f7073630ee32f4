"""A party's order file in a small game: its head, then its orders, with all findings."""

import re
from collections.abc import Iterable
from typing import Any, Unpack

from gm.core.diagnostics import Diagnostic, SourceError, did_you_mean, joined, nearest, says, shown
from gm.core.orders.header import PLAIN_WORDS, Addressed, Expected, parse, read_header
from gm.core.orders.reading import NameIndex
from gm.core.yaml.source import Mapping as MappingNode
from gm.game.base import forecast
from gm.game.base.hooks import Hooks
from gm.game.base.reading import BaseOrders, Body
from gm.game.values import GameData, OrderFile
from gm.text.names import subject, the

_HEAD = re.compile(r"sheet/(header-missing|game-over|wrong-(game|turn|key|player)|unknown-(player|word))")
"""The codes of the findings that cite the game's clause about heads."""


def read_orders(
    spec: Hooks[Any], table: GameData, state: Any, data: bytes, file: str, **to: Unpack[Expected]
) -> OrderFile:
    """Return an order file as it was read: its head, its orders, and all findings. Raises nothing.

    ``file``: its name in findings; ``to``: what its head must say.
    """
    body = Body()
    head = None
    orders = None
    raised: Iterable[Diagnostic] = ()
    root, parsed = parse(data, file)
    names = NameIndex("player", sorted(state.parties), spec.also_called(state))
    out = frozenset(code for code, party in state.parties.items() if party.out)
    votes = spec.vote_rule(table, state)
    addressed = Addressed(to["game"], to["realm"], spec.quoted(state), to["key"], votes, out)
    try:
        body.add(parsed.diagnostics)
        if root is not None:
            head = read_header(body, root, parsed, realms=names, to=addressed, party="player")
        if head is not None and isinstance(root, MappingNode):
            body.root = root
            body.realm = head.realm
            orders = _read_below(spec, body, table, state)
    except SourceError as error:
        raised = error.diagnostics
    findings = tuple(_cited(spec, finding) for finding in (*raised, *body.by_place()))
    if head is None or orders is None:
        return parsed.set_aside(*findings)
    sheet = BaseOrders(head.realm, head.turn, to.get("late", False), orders)
    # the word ``standing`` is unknown in these games, although the head's reader takes it
    return head.evolve(sheet=sheet, diagnostics=findings, standing=0)


def _cited(spec: Hooks[Any], finding: Diagnostic) -> Diagnostic:
    """Return a finding with a clause of this game or none: the core's readers cite those of another game.

    The ids of small games' clauses have a hyphen.
    """
    if "-" in finding.clause:
        return finding
    return finding.evolve(clause=spec.head_clause if _HEAD.fullmatch(finding.code) else "")


def _read_below(spec: Hooks[Any], body: Body, table: GameData, state: Any) -> Any:
    """Return a party's orders, below the head of its file.

    None, with a finding, if it may give none now or they cannot be read: the file is rejected.
    """
    if state.winners is not None:
        names = [the(state.parties[code].name) for code in state.winners]
        over = "the game is over: {0} won" if names else "the game is over: it is a draw"
        return body.error(
            body.root.get("player") or body.root, "sheet/game-over", says(over, joined(names, ", "))
        )
    words = [*PLAIN_WORDS, *spec.order_model.model_fields]
    if not spec.alternates(state):
        words.append(forecast.ASSUME)
    for key in (key for key, _ in body.root if key.text.lower() not in words):
        message = says("{0} is unknown in this game and is ignored", shown(key.text))
        body.warn(key, "sheet/unknown-word", message, suggestion=did_you_mean(nearest(key.text, words)))
    party = state.parties[body.realm]
    if party.out:
        message = says("{0} is out of the game: {1}", subject(party.name), says(party.status))
        return body.error(body.root, "out", message, clause=spec.out_clause)
    return spec.read_body(body, table, state)
