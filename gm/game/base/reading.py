"""Order files of small games below their head. Each line is read on its own: a bad one affects no other."""

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
Also = Table[str, str]  # the name for each other spelling
_ONE_KEY = "[>→⇒0-9]|^(?:[Mm]ove|[Aa]ttack|[Ss]end)$"  # the key in a text with a colon, a mapping to YAML


class Line(YamlModel):
    """A line of orders: a mapping of words, its fields, or a text that means one.

    :meth:`meant` returns it with names resolved, for the steps.
    """

    said: ClassVar[tuple[re.Pattern[str], ...]] = ()  # How texts begin that are understood as such a line

    _written: Written = PrivateAttr()

    @classmethod
    def of_text(cls, value: Any) -> dict[str, Any] | None:
        """Return the fields that a text in place of a mapping means, by name.

        None if it is not understood, empty or too long, and for any other value. A mapping with one unknown
        key is taken for a text with a colon.
        """
        keys = list(value) if isinstance(value, dict) else []
        fields = {field.alias or name for name, field in cls.model_fields.items()}
        if len(keys) == 1 and keys[0] not in fields:
            value = f"{keys[0]}: {value[keys[0]]}"
        return cls.spoken(value) if isinstance(value, str) and 0 < len(value) <= TEXT_SHOWN else None

    @model_validator(mode="before")
    @classmethod
    def _meant_by_text(cls, value: Any) -> Any:
        """Return the fields that a text means, or else the value as it is; pydantic calls this."""
        return cls.of_text(value) or value

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema: a mapping or, where ``said`` has patterns, also a text; pydantic calls this."""
        reference = handler(core)
        definition = handler.resolve_ref_schema(reference)
        if cls.said:
            one_key = {"minProperties": 1, "maxProperties": 1, "propertyNames": {"pattern": _ONE_KEY}}
            definition |= {
                "type": ["object", "string"],
                "pattern": json_pattern(*cls.said),
                "maxLength": TEXT_SHOWN,
            }
            # as a mapping with one key YAML reads a text with a colon
            definition |= {
                "patternProperties": {_ONE_KEY: SCALAR},
                "anyOf": [{"required": definition.pop("required")}, one_key],
            }
        return reference

    @classmethod
    def spoken(cls, text: str) -> dict[str, Any] | None:
        """Return the fields that a text means, by name; None if it is not understood.

        A model with a form in words overrides this; for others no text is understood.
        """
        return None

    @property
    def written(self) -> Written:
        """The place of the line in its file, and its text."""
        return self._written

    def meant(self, written: Written, **changes: Any) -> Self:
        """Return the line with its place, and with resolved names (``changes``) for the written ones."""
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
WAYS = (_WAY, _TO)  # how texts begin that :func:`way_said` understands


def way_said(text: str) -> tuple[str, str, int | str | None] | None:
    """Return (start, end, amount) of a move in free words, as players write moves in other games.

    For example ``Move 3 A1 -> B2`` or ``A1 > B2 with 3``. The amount is a number, ``all``, or None if none is
    named. For any other text the result is None.
    """
    # ``3 A1 to B2`` is read as ``3 A1 > B2``
    match = _WAY.match(_TO.sub(r"\1 > ", text.strip(), count=1))
    if match is None:
        return None
    amount = (match["first"] or match["last"] or "").casefold().replace("max", "all")
    return match["start"], match["end"], int(amount) if amount.isdigit() else amount or None


class BaseOrders(Record):
    """One party's orders for a turn, as the game has read them."""

    realm: str  # the party's code
    turn: int
    late: bool  # whether the file came after the deadline
    orders: Any  # what the game's ``read_body`` returned


class Body(OrderFileReader):
    """Reads the part of an order file below the head, of the party ``realm``.

    The code of a finding without a slash gets ``order/`` before it.
    """

    root: Mapping  # the whole file
    realm: str

    def _report(self, diagnostic: Diagnostic) -> None:
        """Add a finding, with ``order/`` before its code if that has no slash.

        Raises ``SourceError`` when there are too many.
        """
        code = diagnostic.code if "/" in diagnostic.code else f"order/{diagnostic.code}"
        super()._report(diagnostic.evolve(code=code))

    def node(self, word: str) -> Node | None:
        """Return the value of a word as a node; None when it is missing or empty."""
        node = self.root.get(word)
        return None if isinstance(node, Scalar) and node.is_null else node

    def _counted_items(self, word: str) -> list[Node]:
        """Return the items of the list at a word, or its single value; each is counted as an order.

        Raises ``SourceError`` for too many.
        """
        node = self.node(word)
        items = [] if node is None else self.listed(node, says("a list at '{0}'", word))
        for item in items:
            self.count_order(item)
        return items

    def lines(self, word: str) -> Iterator[tuple[Scalar, Written]]:
        """Yield (node, place and text) of each text in the list at a word; other items are reported."""
        for node in self._counted_items(word):
            if self.scalar(node, says("a line of text")) is not None and isinstance(node, Scalar):
                yield node, written(node)

    def items(
        self, word: str, model: type[ModelT], clause: str = ""
    ) -> Iterator[tuple[Node, Written, ModelT]]:
        """Yield (node, place and text, value of the model) of each item of the list at a word.

        Those that do not fit are reported.
        """
        for node in self._counted_items(word):
            value = self.fitted(node, model, clause)
            if value is not None:
                yield node, written(node), value

    def lost_before(self, word: str, node: Node, settled: Iterable[Node]) -> list[Node]:
        """Return the items of the list at a word that are before ``node`` and not among ``settled``."""
        listed = self.node(word)
        items = list(listed) if isinstance(listed, Sequence) else []
        settled_ids = {id(line) for line in settled}
        earlier = itertools.takewhile(lambda item: item is not node, items)
        return [item for item in earlier if id(item) not in settled_ids]

    def cases(self, model: type[YamlModel], check: Callable[[Mapping], None], clause: str) -> None:
        """Check the orders for cases that may come, and report what is wrong with them.

        ``check`` reports the wrong names in a case that fits the model.
        """
        cases = self._counted_items(THEN)
        for case in cases:
            self.fitted(case, model, clause)
        judge_cases(self, cases, check, clause)

    def number(
        self, word: str, what: str, low: int, high: int, clause: str = ""
    ) -> tuple[Written, int] | None:
        """Return (place and text, number) of an order that is a whole number, such as ``bid: 5``.

        None when there is no such word; also, with a finding, for any value that is no number in the range.
        """
        node = self.node(word)
        if node is None:
            return None
        self.count_order(node)
        number = self.whole(node, what, low, high, clause)
        return None if number is None else (written(node), number)

    def value(self, word: str, model: type[ModelT], clause: str = "") -> ModelT | None:
        """Return the single value at a word as one of a model, and count it as an order.

        None when there is no such word; also, with a finding, for a value that does not fit.
        """
        node = self.node(word)
        if node is None:
            return None
        self.count_order(node)
        return self.fitted(node, model, clause)

    def fitted(self, node: Node, model: type[ModelT], clause: str) -> ModelT | None:
        """Return a node as a value of a model; None, with a finding, if it does not fit.

        For a :class:`Line` it may be a text. One with a repeated word, which was reported before, does
        not fit.
        """
        if has_repeated(node):
            return None
        data = plain_data(node)
        if isinstance(node, Scalar) and not node.is_null:
            data = node.text  # also what YAML takes for a number or a boolean is text here
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
        """Return the one of ``names`` that a text means, perhaps by another spelling (``also``).

        None, with a finding at ``node``, for another text. ``what``: the noun for such a name.
        """
        index = NameIndex(what, names, also)
        name = index.find(text.strip())
        if name is None:
            code = f"unknown-{what.replace(' ', '-')}"
            message = says(f"no {what} is called {{0}}", shown(text))
            self.error(node, code, message, suggestion=index.suggestion(text), clause=clause)
        return name


def field_of(node: Node, word: str) -> Node:
    """Return the value of a word in a line, as a node; the line's own node if the word is missing."""
    value = node.get(word) if isinstance(node, Mapping) else None
    return node if value is None else value


def written(node: Node) -> Written:
    """Return the place of a node, and its text on one line, cut off if it is long."""
    text = " ".join(flow_text(node).split())
    return Written(node.line, node.column, text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 1] + "…")
