"""Orders of Conqueror!: the entries of a file, and how they are read (CQ-19, CQ-20)."""

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from gm.core.diagnostics import says
from gm.core.orders.reading import NameIndex
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Mapping, Node, Scalar, flow_text
from gm.game.base.events import Written
from gm.game.base.reading import WAYS, Body, Line, field_of, way_said
from gm.game.base.schema_parts import Answer, whole_number
from gm.games.conqueror.figures import why_not_make
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import DIPLOMAT, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import CULTURES, Move, Orders, Purchase, Work, World
from gm.text.languages import languages_of, translator

KEY = "conqueror"
ALL = "all"
BY_THE_NUMBER = (RECRUIT, DIPLOMAT)  # Any number of these may be bought in a province and turn (CQ-11.5)


# A purchase in one line: ``2 recruit @ WESS``, ``buy fort in Wessex``
_BOUGHT = re.compile(
    r"(?:buy\s+)?(?:(?P<count>\d{1,3})\s+)?(?P<item>[A-Za-z]+)"
    r"\s*(?:@|\b(?:in|at|for)\b)\s*(?P<province>.+)\Z",
    re.IGNORECASE,
)


class MoveModel(Line):
    """A line of ``moves``: the armies that march from one province to another."""

    from_: str = Field(alias="from")
    to: str
    armies: Annotated[Any, *whole_number(9_999, ALL)]

    said = WAYS

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        """Return the fields of a move in one line, by name; None for any other text.

        It is written ``WESS -> MERC`` (all armies), ``3 WESS > MERC`` or ``Wessex to Mercia with 3``.
        """
        way = way_said(text)
        return way and {"from": way[0], "to": way[1], "armies": way[2] or ALL}


class ItemModel(YamlModel):
    """The item that a province works on; with a target for diplomats meant for another province (CQ-9.11)."""

    item: str
    target: str


class BuyModel(Line):
    """A line of ``buy``: what gold finishes in a province, and how many of it."""

    said = (_BOUGHT,)

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        """Return the fields of a purchase in one line, by name; None for any other text.

        It is written ``2 recruit @ WESS`` or ``Recruit in Wessex`` (one).
        """
        match = _BOUGHT.match(text.strip())
        return match and {
            "item": match["item"],
            "province": match["province"],
            "count": int(match["count"] or 1),
        }

    province: str
    item: str
    count: Annotated[int, *whole_number(99)] = 1
    target: str | None = None


class ReportModel(YamlModel):
    """The entries below ``report`` (CQ-22.6)."""

    show_internal_moves: Answer


class OrdersModel(YamlModel):
    """The entries below the head."""

    moves: tuple[MoveModel, ...] = Field((), description="At most 5; the first is executed first.")
    production: dict[str, str | ItemModel] = Field(
        {}, description="What provinces work on until told otherwise."
    )
    buy: tuple[BuyModel, ...] = Field((), description="What is finished with gold, before all moves.")
    report: ReportModel | None = Field(
        None, description="Whether your reports tell of others' friendly moves."
    )


class OrdersReader:
    """Reads one file: an order that cannot be carried out is refused, the rest counts (CQ-20)."""

    def __init__(self, body: Body, state: World, land: Board, rules: Rules) -> None:
        """Prepare for one file; provinces are found by name in all languages."""
        self._body = body
        self._state = state
        self._land = land
        self._rules = rules
        self._me = body.realm
        translators = [translator(KEY, language) for language in languages_of(KEY)]
        self._names: dict[str, str] = {}  # codes of provinces, by name in any language
        for code, province in land.by_id.items():
            self._names |= {translate(province.name): code for translate in translators}

    def orders(self) -> Orders:
        """Return everything below the head."""
        buy = tuple(self._purchases())
        moves = tuple(self._moves(buy))
        production = tuple(self._production(moves))
        report = self._body.value("report", ReportModel, "CQ-22.6")
        return Orders(moves, production, buy, None if report is None else report.show_internal_moves)

    def _armies_to_move(self, buy: tuple[Purchase, ...]) -> dict[str, int]:
        """Return the number of armies that can still move this turn, by province code.

        Bought recruits can move only where the rules allow it.
        """
        armies = {province.code: province.fresh for province in self._state.owned(self._me)}
        if self._rules.knobs.rush_armies_can_move:
            for purchase in buy:
                if purchase.item == RECRUIT:
                    armies[purchase.province] += purchase.count
        return armies

    def _moves(self, buy: tuple[Purchase, ...]) -> Iterator[Move]:
        """Yield the moves that can be carried out, in the order of the file; report the others.

        A move of more armies than the province has left is trimmed, with a warning. Clauses: CQ-20.3,
        CQ-20.4, CQ-5.7.
        """
        armies_left = self._armies_to_move(buy)
        valid_count = 0
        most = self._rules.limits.moves
        # items after which the player can know how many armies are left in the province: accepted moves, and
        # refused ones from a province that has none left
        certain: list[Node] = []
        for node, line, move in self._body.items("moves", MoveModel, "CQ-20.4"):
            source = self._province(field_of(node, "from"), move.from_, "CQ-20.4")
            target = self._province(field_of(node, "to"), move.to, "CQ-20.4")
            if source is not None and not armies_left.get(source):
                certain.append(node)
            if source is None or target is None or not self._may_go(node, source, target, armies_left):
                continue
            if move.armies == ALL and not self._knows_all(node, source, certain):
                continue
            valid_count += 1
            if valid_count > most:
                self._body.error(
                    node, "too-many-moves", says("only {0} moves per turn", most), clause="CQ-20.3"
                )
                continue
            asked_armies = armies_left[source] if move.armies == ALL else move.armies
            armies = min(asked_armies, armies_left[source])
            if armies < asked_armies:
                message = says(
                    "{0} has only {1} left to send; {2} is trimmed to that",
                    source,
                    armies_left[source],
                    asked_armies,
                )
                self._body.warn(field_of(node, "armies"), "trimmed", message, clause="CQ-5.7")
            armies_left[source] -= armies
            certain.append(node)
            yield Move(source, target, armies, asked_armies, move.armies == ALL, line)

    def _knows_all(self, node: Node, source: str, certain: list[Node]) -> bool:
        """Return whether "all" in the move of ``node`` means the armies that the player meant.

        It does not, which is reported, if a refused move before this one would have taken armies from the
        same province, or nobody knows from which. ``source``: the province where the move begins;
        ``certain``: earlier moves that are no cause for doubt.
        """
        for line_lost in self._body.lost_before("moves", node, certain):
            if self._source_of(line_lost) in ("", source):
                message = says(
                    "the move in line {0} is refused, so that nobody knows how many are left", line_lost.line
                )
                self._body.error(node, "all-unknown", message, clause="CQ-20.4")
                return False
        return True

    def _source_of(self, node: Node) -> str:
        """Return the code of the province from which a refused line would have moved armies.

        Empty if unknown.
        """
        start = node.get("from") if isinstance(node, Mapping) else None
        text = start.text if isinstance(start, Scalar) else ""
        if isinstance(node, Scalar):  # a move in one line of words
            entry = MoveModel.of_text(node.text) or {}
            text = str(entry.get("from", ""))
        return NameIndex("province", self._land.by_id, self._names).find(text.strip()) or ""

    def _may_go(self, node: Node, source: str, target: str, armies_left: dict[str, int]) -> bool:
        """Return whether a move from ``source`` to ``target`` is possible; if not, report why (CQ-20.4)."""
        near = self._land.neighbours[source]
        if source not in armies_left:
            self._body.error(
                field_of(node, "from"), "not-own", says("{0} is not yours", source), clause="CQ-20.4"
            )
        elif target not in near:
            message = says("{0} is not next to {1}", target, source)
            hint = says("next to it are {0}", ", ".join(near))
            self._body.error(field_of(node, "to"), "not-adjacent", message, suggestion=hint, clause="CQ-20.4")
        elif not armies_left[source]:
            self._body.error(
                node, "nothing-left", says("{0} has nothing left to send", source), clause="CQ-20.4"
            )
        else:
            return True
        return False

    def _production(self, moves: tuple[Move, ...]) -> Iterator[Work]:
        """Yield the new work of provinces; report impossible and repeated entries (CQ-20.5, CQ-9.12)."""
        node = self._body.node("production")
        if not isinstance(node, Mapping):
            if node is not None:
                self._body.expected(node, "{PROVINCE: item}", clause="CQ-19.1")
            return
        key_of_province: dict[str, Scalar] = {}  # the first one, by the province's code
        for key, value in node:
            self._body.count_order(key)
            province = self._province(key, key.text, "CQ-20.5")
            work = None if province is None else self._work(key, value, province)
            if work is None:
                continue
            first_key = key_of_province.setdefault(work.province, key)
            if first_key is not key:
                self._body.twice(key, first_key)
            elif self._allowed(key, work, moves):
                yield work

    def _work(self, key: Scalar, value: Node, province: str) -> Work | None:
        """Return the work that an entry of ``production`` orders.

        None, with a finding, if it cannot be read (CQ-20.5).
        """
        word: str | None
        target: str | None = ""
        if not isinstance(value, Mapping):
            word = self._body.scalar(value, says("an item, e.g. recruit"), "CQ-20.5")
        elif item_model := self._body.fitted(value, ItemModel, "CQ-9.11"):
            word = item_model.item
            target = self._target(value, province, item_model.item, item_model.target)
        else:
            return None
        if word is None or target is None:
            return None
        item = self._item(value, word, "CQ-20.5")
        line = Written(key.line, key.column, f"{key.text}: {flow_text(value)}")
        if item is None:
            return None
        must_be_won = self._state.provinces[province].owner != self._me
        return Work(province, item, target, must_be_won, line)

    def _allowed(self, key: Node, work: Work, moves: tuple[Move, ...]) -> bool:
        """Return whether a province can do this work; if not, report why.

        Work of a province that has yet to be won is allowed if one of ``moves`` goes there (CQ-9.12).
        """
        why, level = why_not_make(self._state.provinces[work.province], work.item, self._rules)
        if work.must_be_won and not any(move.target == work.province for move in moves):
            message = says("{0} is not yours, and no move of yours attacks it", work.province)
            self._body.error(key, "not-own", message, clause="CQ-9.12")
            return False
        # what a province can do that has yet to be won is seen once it is won
        if work.must_be_won or not why:
            return True
        missing = says("it has that already")
        if why == "lacks-culture":
            missing = says("it needs {0} culture", says(CULTURES[level]))
        elif why == "lacks-works":
            missing = says("it needs a {0}", says(self._rules.works[level]))
        message = says("{0} cannot work on {1}: {2}", work.province, says(work.item), missing)
        self._body.error(key, "cannot-make", message, clause="CQ-20.5")
        return False

    def _target(self, node: Node, province: str, item: str, word: str) -> str | None:
        """Return the code of the province that a diplomat goes to, empty for their own ``province``.

        None, with a finding, if it is refused (CQ-9.11). ``word``: the target in the file.
        """
        target = self._province(field_of(node, "target"), word, "CQ-9.11")
        if target is None:
            return None
        if target == province:
            return ""
        problem = ""
        if item != DIPLOMAT:
            problem = says("only diplomats go elsewhere, not {0}", says(item))
        elif not self._rules.knobs.diplomat_range:
            problem = says("in this game a diplomat serves the province that sends them")
        elif target not in self._land.neighbours[province] or self._state.provinces[target].owner != self._me:
            problem = says("{0} is not a province of yours next to {1}", target, province)
        if problem:
            self._body.error(node, "diplomat-range", problem, clause="CQ-9.11")
        return None if problem else target

    def _purchases(self) -> Iterator[Purchase]:
        """Yield the purchases that are possible if there is gold for them; report the others (CQ-20.6)."""
        for node, line, purchase in self._body.items("buy", BuyModel, "CQ-20.6"):
            province = self._province(field_of(node, "province"), purchase.province, "CQ-20.6")
            item = self._item(node, purchase.item, "CQ-20.6")
            if province is None or item is None:
                continue
            problem = ""
            clause = "CQ-20.6"
            if self._state.provinces[province].owner != self._me:
                problem = says("{0} is not yours", province)
            elif item == TAXES:
                problem = says("taxes cannot be bought")
            elif purchase.count > 1 and item not in BY_THE_NUMBER:
                problem = says("one {0} at most can be bought in a province and turn", says(item))
                clause = "CQ-11.5"
            if problem:
                self._body.error(node, "not-for-sale", problem, clause=clause)
                continue
            target = "" if purchase.target is None else self._target(node, province, item, purchase.target)
            if target is not None:
                yield Purchase(province, item, purchase.count, target, line)

    def _province(self, node: Node, text: str, clause: str) -> str | None:
        return self._body.named(node, text, self._land.by_id, "province", clause, self._names)

    def _item(self, node: Node, text: str, clause: str) -> str | None:
        return self._body.named(field_of(node, "item"), text, self._rules.items, "item", clause)
