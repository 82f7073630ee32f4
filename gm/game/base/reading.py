"""Order files of small games below their head.

Each item is read on its own, so a bad line spoils no other.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Table
from typing import Any, ClassVar, Self, TypeVar

from pydantic import GetJsonSchemaHandler, PrivateAttr, ValidationError, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from gm.core.diagnostics import Diagnostic, says, shown
from gm.core.orders.cases import judge_cases
from gm.core.orders.header import THEN
from gm.core.orders.reading import NameIndex, OrderFileReader
from gm.core.values import Record
from gm.core.yaml.models import located
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence, flow_text, has_repeated, plain_data
from gm.game.base.events import Written
from gm.game.base.schema_parts import SCALAR, TEXT_SHOWN, json_pattern

ModelT = TypeVar("ModelT", bound=YamlModel)
Also = Table[str, str]
_ONE_KEY = "[>→⇒0-9]|^(?:[Mm]ove|[Aa]ttack|[Ss]end)$"  # ``A2: 3`` is a mapping to YAML


class Line(YamlModel):
    """A line of orders: the words that it may have.

    :meth:`meant` returns it with names resolved, for the steps.
    """

    said: ClassVar[tuple[re.Pattern[str], ...]] = ()  # How texts begin that are understood in its place

    _written: Written = PrivateAttr()

    @classmethod
    def of_text(cls, value: Any) -> dict[str, Any] | None:
        """Return the words that a text in place of a mapping means.

        None if no text is allowed there, or it is not understood.
        """
        keys = list(value) if isinstance(value, dict) else []
        fields = {field.alias or name for name, field in cls.model_fields.items()}
        if len(keys) == 1 and keys[0] not in fields:
            value = f"{keys[0]}: {value[keys[0]]}"
        return cls.spoken(value) if isinstance(value, str) and 0 < len(value) <= TEXT_SHOWN else None

    @model_validator(mode="before")
    @classmethod
    def _meant_by_text(cls, value: Any) -> Any:
        return cls.of_text(value) or value

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema: a mapping or, where the line has patterns, a text."""
        reference = handler(core)
        definition = handler.resolve_ref_schema(reference)
        if cls.said:
            one_key = {"minProperties": 1, "maxProperties": 1, "propertyNames": {"pattern": _ONE_KEY}}
            definition |= {
                "type": ["object", "string"],
                "pattern": json_pattern(*cls.said),
                "maxLength": TEXT_SHOWN,
            }
            definition |= {
                "patternProperties": {_ONE_KEY: SCALAR},
                "anyOf": [{"required": definition.pop("required")}, one_key],
            }
        return reference

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        """Return the words that a text in place of a line means; None if it is not understood."""
        return None

    @property
    def written(self) -> Written:
        """Return the place of the line in its file, and its text."""
        return self._written

    def meant(self, written: Written, **changes: Any) -> Self:
        """Return the line with the resolved names in the place of the written ones."""
        copy = self.model_copy(update=changes)
        copy._written = written
        return copy


_WAY = re.compile(
    r"(?:(?:move|attack|send)\b:?\s+)?"
    r"(?:(?P<first>\d+|all)(?:\s+(?:units?|arm(?:y|ies)))?\s*(?:@|\b(?:of|from|in|at)\b)?\s+)?"
    r"(?P<start>[^>]*?[^>\s=-])\s*(?:[-–—=]*>|[→⇒])\s*(?P<end>[^>]+?)"
    r"(?:(?:\s+with|\s*[:,(]|(?=\s))\s*(?P<last>\d+|all|max)(?:\s+(?:units?|arm(?:y|ies)))?\)?)?\s*\Z",
    re.IGNORECASE,
)


_TO = re.compile(r"((?:(?:move|attack|send|all)\b|\d).*?)\sto\s", re.IGNORECASE)
WAYS = (_WAY, _TO)


def way_said(text: str) -> tuple[str, str, int | str | None] | None:
    """Return a move that is written as on other forums, ``Move 3 A1 -> B2`` or ``A1 > B2 with 3``.

    None for any other text. Its parts are the start, the end, and the number (digits, ``all``, or empty).
    """
    match = _WAY.match(_TO.sub(r"\1 > ", text.strip(), count=1))
    if match is None:
        return None
    many = (match["first"] or match["last"] or "").casefold().replace("max", "all")
    return match["start"], match["end"], int(many) if many.isdigit() else many or None


class BaseOrders(Record):
    """One party's orders for a turn, as the game has read them."""

    realm: str
    turn: int
    late: bool
    orders: Any


class Body(OrderFileReader):
    """The part of an order file below the head, of the party ``realm``.

    A code of a finding without a family is one of orders.
    """

    root: Mapping
    realm: str

    def _report(self, diagnostic: Diagnostic) -> None:
        code = diagnostic.code if "/" in diagnostic.code else f"order/{diagnostic.code}"
        super()._report(diagnostic.evolve(code=code))

    def node(self, word: str) -> Node | None:
        """Return the value of a word as a node; None when it is missing or empty."""
        node = self.root.get(word)
        return None if isinstance(node, Scalar) and node.is_null else node

    def _listed(self, word: str) -> list[Node]:
        """Return the items of a list or a single value, each counted as an order.

        Raises ``SourceError`` for too many.
        """
        node = self.node(word)
        cases = [] if node is None else self.listed(node, says("a list at '{0}'", word))
        for case in cases:
            self.count_order(case)
        return cases

    def lines(self, word: str) -> Iterator[tuple[Scalar, Written]]:
        """Yield the texts of a list as (node, text). Items that are no text are reported."""
        for node in self._listed(word):
            if self.scalar(node, says("a line of text")) is not None and isinstance(node, Scalar):
                yield node, written(node)

    def items(
        self, word: str, model: type[ModelT], clause: str = ""
    ) -> Iterator[tuple[Node, Written, ModelT]]:
        """Yield (node, text, value) of a list's items as values of a model.

        One that does not fit is reported.
        """
        for node in self._listed(word):
            value = self.fitted(node, model, clause)
            if value is not None:
                yield node, written(node), value

    def lost_before(self, word: str, node: Node, settled: Iterable[Node]) -> list[Node]:
        """Return the earlier items of a list, before ``node``, that are missing from ``settled``."""
        listed = self.node(word)
        items = list(listed) if isinstance(listed, Sequence) else []
        settled_ids = {id(line) for line in settled}
        earlier = itertools.takewhile(lambda item: item is not node, items)
        return [item for item in earlier if id(item) not in settled_ids]

    def cases(self, model: type[YamlModel], check: Callable[[Mapping], None], clause: str) -> None:
        """Read the orders for cases that may come, in their order; ``check`` reports names in a valid one."""
        cases = self._listed(THEN)
        for case in cases:
            self.fitted(case, model, clause)
        judge_cases(self, cases, check, clause)

    def number(
        self, word: str, what: str, low: int, high: int, clause: str = ""
    ) -> tuple[Written, int] | None:
        """Return a whole number that is an order by itself, such as ``bid: 5``, as (text, number).

        None when there is no number, or one out of range, which is reported.
        """
        node = self.node(word)
        if node is None:
            return None
        self.count_order(node)
        number = self.whole(node, what, low, high, clause)
        return None if number is None else (written(node), number)

    def value(self, word: str, model: type[ModelT], clause: str = "") -> ModelT | None:
        """Return a single value as one of a model.

        None when there is none, or it does not fit, which is reported.
        """
        node = self.node(word)
        if node is None:
            return None
        self.count_order(node)
        return self.fitted(node, model, clause)

    def fitted(self, node: Node, model: type[ModelT], clause: str = "") -> ModelT | None:
        """Return a node as a value of a model; None when it does not fit, which is reported.

        It may be a text as on other forums (:class:`Line`). One with a repeated word is refused whole and
        reported.
        """
        if has_repeated(node):
            return None
        data = plain_data(node)
        if isinstance(node, Scalar) and not node.is_null:
            data = node.text  # a number, a date, a yes: a line is what was written
        if not isinstance(node, Mapping) and not (issubclass(model, Line) and model.of_text(data)):
            words = ", ".join(f"{field.alias or name}: ..." for name, field in model.model_fields.items())
            self.expected(node, f"{{{words}}}", clause=clause)
            return None
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for finding in located(node, error, model):
                adapted = finding.evolve(
                    code=finding.code.replace("data/", "order/"), clause=clause or finding.clause
                )
                self.diagnostics.append(adapted)
            return None

    def named(
        self,
        node: Node,
        text: str,
        names: Iterable[str],
        what: str,
        clause: str = "",
        also: Also | None = None,
    ) -> str | None:
        """Return the one of ``names``, or of ``also`` (other spellings), that a text means.

        None, with a finding, for another text.
        """
        index = NameIndex(what, names, also)
        name = index.find(text.strip())
        if name is None:
            code = f"unknown-{what.replace(' ', '-')}"
            message = says(f"no {what} is called {{0}}", shown(text))
            self.error(node, code, message, suggestion=index.suggestion(text), clause=clause)
        return name


def field_of(node: Node, word: str) -> Node:
    """Return the node of a word of a line, or the line itself."""
    value = node.get(word) if isinstance(node, Mapping) else None
    return node if value is None else value


def written(node: Node) -> Written:
    """Return the place of a node, and its text on one line."""
    text = " ".join(flow_text(node).split())
    return Written(node.line, node.column, text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 1] + "…")
