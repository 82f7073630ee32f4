"""Reads order files of Conquestination: what cannot be understood is reported, and the other lines stand (CN-11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.core.diagnostics import fold, shown
from gm.core.yaml.nodes import Mapping, Node
from gm.game.base.reading import Body
from gm.games.conquestination.countries import CountryMap
from gm.games.conquestination.order_models import (
    ALWAYS,
    Attack,
    AttackModel,
    Condition,
    DeployModel,
    If,
    Orders,
    Placing,
    Redeploy,
    RedeployModel,
    ReinforceModel,
)
from gm.games.conquestination.state import Campaign


class OrdersReader:
    """Reads one file; what it cannot understand it reports, and the other lines stand (CN-11.3)."""

    def __init__(self, body: Body, state: Campaign, land: CountryMap, *, may_redeploy_over_links: bool) -> None:
        self._body = body
        self._state = state
        self._land = land
        self._redeploy_neighbours = land.neighbours if may_redeploy_over_links else land.by_land
        self._ids: set[str] = set()
        self._attacked: set[str] = set()
        """What earlier lines attack may be his by the time a line runs."""

    def orders(self) -> Orders:
        """Everything below the head."""
        deploying = self._state.run == 0
        for word in ("reinforce", "attacks", "redeploy") if deploying else ("deploy",):
            node = self._body.node(word)
            if node is not None:
                told = "run 0 only deploys" if deploying else "deployment is over"
                self._body.warn(node, "not-now", f"{told}; {word!r} is passed over", clause="CN-1.3")
        if deploying:
            return Orders(deploy=tuple(self._placings("deploy", DeployModel)))
        return Orders(
            reinforce=tuple(self._placings("reinforce", ReinforceModel)),
            attacks=tuple(self._attacks()),
            redeploy=tuple(self._redeployments()),
        )

    def _placings(self, word: str, model: type[DeployModel]) -> Iterator[Placing]:
        rest: Node | None = None
        for node, text, found in self._body.items(word, model):
            if rest is not None:
                message = "'rest' took all that were left; nothing can stand after it"
                self._body.error(node, "after-rest", message, clause="CN-11.5")
                continue
            country = self._country(_at(node, "country"), found.country)
            condition = getattr(found, "if_", None)
            hold = self._countries(node, condition.hold) if condition else ()
            if country is None or hold is None:
                continue
            if found.units == "rest":
                rest = node
            if self._state.countries[country].owner != self._body.realm:
                self._warn_stranger(_at(node, "country"), country)
            yield Placing(text, country, found.units if isinstance(found.units, int) else None, hold)

    def _attacks(self) -> Iterator[Attack]:
        for node, text, found in self._body.items("attacks", AttackModel):
            ends = self._ends(node, found.from_, found.to, self._land.neighbours)
            condition = self._condition(node, found.if_)
            line_id = found.id or ""
            if line_id and line_id in self._ids:
                message = f"the id {shown(line_id)} is used twice"
                self._body.error(_at(node, "id"), "id-twice", message, clause="CN-11.3")
                continue
            if line_id:
                self._ids.add(line_id)
            if ends is None or condition is None:
                continue
            self._warn_now(node, ends)
            yield Attack(text, line_id, *ends, found.with_, found.until, condition)

    def _redeployments(self) -> Iterator[Redeploy]:
        for node, text, found in self._body.items("redeploy", RedeployModel):
            ends = self._ends(node, found.from_, found.to, self._redeploy_neighbours)
            condition = self._condition(node, found.if_)
            if ends is not None and condition is not None:
                yield Redeploy(text, *ends, found.units, condition)

    def _ends(self, node: Node, source: str, target: str, beside: dict[str, tuple[str, ...]]) -> tuple[str, str] | None:
        first = self._country(_at(node, "from"), source)
        last = self._country(_at(node, "to"), target)
        if first is None or last is None:
            return None
        if last not in beside[first]:
            message = f"{last} is no neighbour of {first}"
            hint = f"there are: {', '.join(beside[first])}" if beside[first] else ""
            self._body.error(_at(node, "to"), "no-neighbour", message, suggestion=hint, clause="CN-11.3")
            return None
        return first, last

    def _condition(self, node: Node, given: If | None) -> Condition | None:
        if given is None:
            return ALWAYS
        at = _at(node, "if")
        for name, line_id in (("won", given.won), ("lost", given.lost)):
            if line_id is not None and line_id not in self._ids:
                message = f"no earlier line has the id {shown(line_id)}"
                self._body.error(_at(at, name), "unknown-id", message, clause="CN-11.3")
                return None
        owner = ""
        if given.owner is not None:
            owner = self._player(_at(at, "owner"), given.owner)
            if not owner:
                return None
        hold = self._countries(at, given.hold)
        if hold is None:
            return None
        return Condition(given.won or "", given.lost or "", owner, given.min_units, given.max_defenders, hold)

    def _player(self, node: Node, text: str) -> str:
        names = {fold(name): code for code, each in self._state.parties.items() for name in (code, each.name)}
        found = names.get(fold(text))
        if found is None:
            self._body.named(node, text, sorted(names), "player", clause="CN-11.3")
        return found or ""

    def _countries(self, node: Node, names: Sequence[str]) -> tuple[str, ...] | None:
        found = [self._country(_at(node, "hold"), name) for name in names]
        return None if None in found else tuple(each for each in found if each)

    def _country(self, node: Node, text: str) -> str | None:
        return self._body.named(node, text, self._land.countries, "country", clause="CN-11.3")

    def _warn_stranger(self, node: Node, country: str) -> None:
        owner = self._state.parties[self._state.countries[country].owner].name
        message = f"{country} is {owner}'s now; unless that changes, this is skipped"
        self._body.warn(node, "not-own", message, clause="CN-11.4")

    def _warn_now(self, node: Node, ends: tuple[str, str]) -> None:
        """CN-11.4: accepted, though as things stand it could not be done."""
        source, target = (self._state.countries[each] for each in ends)
        if source.owner != self._body.realm and ends[0] not in self._attacked:
            self._warn_stranger(_at(node, "from"), ends[0])
        elif target.owner == self._body.realm:
            message = f"{ends[1]} is your own now; unless that changes, this is skipped"
            self._body.warn(_at(node, "to"), "own-target", message, clause="CN-11.4")
        self._attacked.add(ends[1])


def _at(node: Node, word: str) -> Node:
    """The value of a word inside an item, or the item where it has none."""
    if isinstance(node, Mapping) and word in node.entries:
        return node.entries[word][1]
    return node
