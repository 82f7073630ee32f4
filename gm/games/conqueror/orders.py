"""Reads order files of Conqueror!: what cannot be done is refused at its place, the rest stands (CQ-20)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.core.yaml.source import Mapping, Node, Scalar
from gm.game.base.events import Written
from gm.game.base.reading import Body, flow_text
from gm.games.conqueror.labour import Lacking, why_not_make
from gm.games.conqueror.land import Land
from gm.games.conqueror.order_models import (
    ALL,
    BuyModel,
    ItemModel,
    Move,
    MoveModel,
    Orders,
    Purchase,
    ReportModel,
    Work,
    by_the_number,
)
from gm.games.conqueror.rules import DIPLOMAT, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import CULTURES, World


class OrdersReader:
    """Reads one file. ``rules`` are those of the game, its settings applied."""

    def __init__(self, body: Body, state: World, land: Land, rules: Rules) -> None:
        self._body = body
        self._state = state
        self._land = land
        self._rules = rules
        self._me = body.realm
        self._named = {province.name: code for code, province in land.provinces.items()}

    def orders(self) -> Orders:
        """Everything below the head."""
        buy = tuple(self._purchases())
        moves = tuple(self._moves(buy))
        return Orders(moves, tuple(self._production(moves)), buy, self._show_moves())

    # -- moves -------------------------------------------------------------------------------------------------------

    def _moves(self, buy: tuple[Purchase, ...]) -> Iterator[Move]:
        """CQ-20.3, CQ-20.4, CQ-5.7."""
        left = {province.code: province.fresh for province in self._state.owned(self._me)}
        if self._rules.knobs.rush_armies_can_move:
            for purchase in buy:
                left[purchase.province] += purchase.count if purchase.item == RECRUIT else 0
        valid = 0
        for node, line, found in self._body.items("moves", MoveModel, "CQ-20.4"):
            source = self._province(_field(node, "from"), found.from_, "CQ-20.4")
            target = self._province(_field(node, "to"), found.to, "CQ-20.4")
            if source is None or target is None or not self._may_go(node, source, target, left):
                continue
            valid += 1
            if valid > self._rules.limits.moves:
                self._body.error(
                    node, "too-many-moves", f"only {self._rules.limits.moves} moves per turn", clause="CQ-20.3"
                )
                continue
            wanted = left[source] if found.armies == ALL else found.armies
            armies = min(wanted, left[source])
            if armies < wanted:
                message = f"{source} has only {left[source]} left to send; {wanted} is trimmed to that"
                self._body.warn(_field(node, "armies"), "trimmed", message, clause="CQ-5.7")
            left[source] -= armies
            yield Move(source, target, armies, wanted, found.armies == ALL, line)

    def _may_go(self, node: Node, source: str, target: str, left: dict[str, int]) -> bool:
        if source not in left:
            self._body.error(_field(node, "from"), "not-own", f"{source} is not yours", clause="CQ-20.4")
        elif target not in self._land.neighbours[source]:
            near = f"next to it are {', '.join(self._land.neighbours[source])}"
            message = f"{target} is not next to {source}"
            self._body.error(_field(node, "to"), "not-adjacent", message, suggestion=near, clause="CQ-20.4")
        elif not left[source]:
            self._body.error(node, "nothing-left", f"{source} has nothing left to send", clause="CQ-20.4")
        else:
            return True
        return False

    # -- production --------------------------------------------------------------------------------------------------

    def _production(self, moves: tuple[Move, ...]) -> Iterator[Work]:
        """CQ-20.5, CQ-9.12."""
        node = self._body.node("production")
        if node is None:
            return
        if not isinstance(node, Mapping):
            self._body.reader.expected(node, "{PROVINCE: item}", clause="CQ-19.1")
            return
        seen: dict[str, Scalar] = {}
        for key, value in node:
            self._body.reader.count_order(key)
            province = self._province(key, key.text, "CQ-20.5")
            work = None if province is None else self._work(key, value, province)
            if work is None:
                continue
            if work.province in seen:
                self._body.reader.twice(key, seen[work.province])
                continue
            seen[work.province] = key
            if self._allowed(key, work, moves):
                yield work

    def _work(self, key: Scalar, value: Node, province: str) -> Work | None:
        target = ""
        if isinstance(value, Mapping):
            found = self._body.fitted(value, ItemModel, "CQ-9.11")
            if found is None:
                return None
            word, aimed = found.item, self._target(value, province, found.item, found.target)
            if aimed is None:
                return None
            target = aimed
        else:
            text = self._body.reader.scalar(value, "an item, e.g. recruit", "CQ-20.5")
            if text is None:
                return None
            word = text
        item = self._body.named(_field(value, "item"), word, self._rules.items, "item", "CQ-20.5")
        if item is None:
            return None
        line = Written(key.line, key.column, f"{key.text}: {flow_text(value)}")
        taken = self._state.provinces[province].owner != self._me
        return Work(province, item, target, taken, line)

    def _allowed(self, key: Node, work: Work, moves: tuple[Move, ...]) -> bool:
        if work.taken:
            if any(move.target == work.province for move in moves):
                return True
            message = f"{work.province} is not yours, and no move of yours attacks it"
            self._body.error(key, "not-own", message, clause="CQ-9.12")
            return False
        lacking = why_not_make(self._state.provinces[work.province], work.item, self._rules)
        if lacking is None:
            return True
        message = f"{work.province} cannot work on {work.item}: {self._missing(lacking)}"
        self._body.error(key, "cannot-make", message, clause="CQ-20.5")
        return False

    def _missing(self, lacking: Lacking) -> str:
        if lacking.what == "culture":
            return f"it needs {CULTURES[lacking.level]} culture"
        return f"it needs a {self._rules.works[lacking.level]}" if lacking.what == "works" else "it has that already"

    def _target(self, node: Node, province: str, item: str, word: str) -> str | None:
        """CQ-9.11: where a diplomat goes, empty for the province itself; none: it is refused."""
        target = self._province(_field(node, "target"), word, "CQ-9.11")
        if target is None or target == province:
            return None if target is None else ""
        problem = ""
        if item != DIPLOMAT:
            problem = f"only diplomats go elsewhere, not {item}"
        elif not self._rules.knobs.diplomat_range:
            problem = "in this game a diplomat serves the province that sends him"
        elif target not in self._land.neighbours[province] or self._state.provinces[target].owner != self._me:
            problem = f"{target} is no province of yours next to {province}"
        if problem:
            self._body.error(node, "diplomat-range", problem, clause="CQ-9.11")
            return None
        return target

    # -- gold --------------------------------------------------------------------------------------------------------

    def _purchases(self) -> Iterator[Purchase]:
        """CQ-20.6, as far as it can be known before gold is counted."""
        for node, line, found in self._body.items("buy", BuyModel, "CQ-20.6"):
            province = self._province(_field(node, "province"), found.province, "CQ-20.6")
            item = self._body.named(_field(node, "item"), found.item, self._rules.items, "item", "CQ-20.6")
            if province is None or item is None:
                continue
            problem = ""
            if self._state.provinces[province].owner != self._me:
                problem = f"{province} is not yours"
            elif item == TAXES:
                problem = "taxes cannot be bought"
            elif found.count > 1 and not by_the_number(item):
                problem = f"one {item} at most can be bought in a province and turn"
            if problem:
                self._body.error(node, "not-for-sale", problem, clause="CQ-11.5" if found.count > 1 else "CQ-20.6")
                continue
            target = "" if found.target is None else self._target(node, province, item, found.target)
            if target is not None:
                yield Purchase(province, item, found.count, target, line)

    # -- the rest ----------------------------------------------------------------------------------------------------

    def _show_moves(self) -> bool | None:
        found = self._body.value("report", ReportModel, "CQ-22.6")
        return None if found is None else found[2].show_internal_moves

    def _province(self, node: Node, text: str, clause: str) -> str | None:
        return self._body.named(node, text, self._land.provinces, "province", clause, self._named)


def _field(node: Node, word: str) -> Node:
    """What stands at a word of a line, or the line itself."""
    return (node.get(word) or node) if isinstance(node, Mapping) else node
