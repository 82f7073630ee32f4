"""Random order files that fit a realm's JSON Schema: what a player's editor would accept, sensible or not.

The schemas say what a realm may name now, so the same writer serves every map, every position and every game.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any
from urllib.parse import unquote

from gm.games.medieval.orders.spellings import ACCENTED
from tests.medieval.order_files import yaml_lines

Schema = Mapping[str, Any]

TEXTS = (
    "Sir Bors",
    "Étienne",
    "Hear ye!",
    "x" * 40,
    "<b>Bold</b>",
    "no",
    "1e3",
    "a: b # c",
    "{{ realm }}",
    "\U0001f409",
    "' \" \\",
)
# so many entries of these sections are written at most; three of any other
MANY = {"units": 9, "headquarters": 4}
USUAL = ("plan", "recruit", "march", "sail")  # words that orders are mostly made of
# so many times as often as others the usual entries come; eight times in any other section
OFTEN = {"units": 60}
OTHERWISE = "^(?!"  # patterns of keys in other spellings, but for the units that a file may form
_PLAIN = re.compile(r"[A-Za-zÀ-ɏ][\w À-ɏ'-]*\Z")


class Documents:
    """Draws documents.

    ``names`` are those that a schema only describes by a pattern: ids of units, for example.

    ``usual`` are entries that a section has most of, such as the realm's own units.
    """

    def __init__(
        self, random: Random, schema: Schema, names: Sequence[str], usual: Iterable[str] = ()
    ) -> None:
        self._random = random
        self._schema = schema
        self._names = names
        self._usual = frozenset((*USUAL, *usual))

    def document(self) -> dict[str, Any]:
        """One document; the constants of the head are in it."""
        data: dict[str, Any] = {}
        for name, schema in self._schema["properties"].items():
            if "const" in schema or "const" in schema.get("anyOf", [{}])[0] or name in MANY:
                data[name] = self.value(schema, name)
        if self._random.random() < 0.05:
            data["standing"] = data["turn"] + self._random.randrange(14)
        return data

    def value(self, schema: Schema, name: str = "") -> Any:
        """Something that fits a schema. ``name`` is the word whose value it is."""
        if "$ref" in schema:
            path = unquote(schema["$ref"]).removeprefix("#/").split("/")
            target: Any = self._schema
            for part in path:
                target = target[part]
            return self.value(target, name)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._random.choice(schema["enum"])
        if "allOf" in schema and "type" not in schema:
            return self.value(schema["allOf"][0], name)
        if "anyOf" in schema and "type" not in schema:
            # a form with parts says most; of others the first is the usual one, the last often nothing at all
            # by other spellings nothing is named that a schema does not name itself
            forms = [form for form in schema["anyOf"] if not self._is_other(form)] or schema["anyOf"]
            usual = next((form for form in forms if form.get("type") == "object"), forms[0])
            return self.value(usual if self._random.random() < 0.8 else self._random.choice(forms), name)
        kind = schema.get("type", "string")
        kind = (
            kind
            if isinstance(kind, str)
            else kind[0]
            if self._random.random() < 0.9
            else self._random.choice(kind)
        )
        return getattr(self, f"_{kind}")(schema, name)

    def _is_other(self, schema: Schema) -> bool:
        """Whether a schema only lets through how a name is spelled otherwise."""
        target = unquote(schema.get("$ref", "")).rpartition("/")[2]
        return (
            target.startswith("other ")
            or target.endswith(" in words")
            or ACCENTED in schema.get("pattern", "")
        )

    def _object(self, schema: Schema, name: str) -> dict[str, Any]:
        """Draw a mapping that fits an object's schema, with more of the entries that are usual."""
        entries = dict(schema.get("properties", {}))
        for pattern, value in schema.get("patternProperties", {}).items():
            if ACCENTED in pattern or pattern.startswith(OTHERWISE):
                continue
            fitting = [name for name in self._names if re.search(pattern, name)]
            for spelling in self._random.sample(fitting, min(1 if entries else 2, len(fitting))):
                entries.setdefault(spelling, value)
        required = schema.get("required") or schema.get("then", {}).get("required", ())
        least = max(schema.get("minProperties", 0), len(required))
        most = min(len(entries), schema.get("maxProperties", MANY.get(name, 3)))
        if name == "units":
            # few orders are for units that are still to come
            most = min(most, sum(key in self._usual for key in entries) + (self._random.random() < 0.3))
        count = self._random.randint(min(least, most), most) if most else 0
        if name in MANY and most:
            count = max(count, 1)
        chosen = set(required)
        keys = [key for key in entries for _ in range(OFTEN.get(name, 8) if key in self._usual else 1)]
        while len(chosen) < count:
            chosen.add(self._random.choice(keys))
        if required and len(chosen) == len(required):
            chosen.update(key for key in list(entries)[:2])
        return {key: self.value(entries[key], key) for key in entries if key in chosen}

    def _array(self, schema: Schema, name: str) -> list[Any]:
        if "items" not in schema:
            return []
        count = self._random.choice((1, 1, 2, 3, 4) if name == "plan" else (1, 1, 1, 2, 3))
        return [self.value(schema["items"], name) for _ in range(count)]

    def _string(self, schema: Schema, name: str) -> str:
        pattern = schema.get("pattern")
        if pattern:
            fitting = [name for name in self._names if re.search(pattern, name)]
            return self._random.choice(fitting or ["A1"])
        return self._random.choice(TEXTS)[: schema.get("maxLength", 100)]

    def _boolean(self, schema: Schema, name: str) -> bool:
        return self._random.random() < 0.5

    def _integer(self, schema: Schema, name: str) -> int:
        low = schema.get("minimum", 0)
        high = schema.get("maximum", 9)
        return min(high, low + self._random.choice((0, 0, 1, 1, 2, 3, 5, 8)))

    def _number(self, schema: Schema, name: str) -> float | int:
        return self._random.choice((1, 2, 5, 10, 0.5, 12.25, 40, 250))

    def _null(self, schema: Schema, name: str) -> None:
        return None


def as_text(document: Any) -> str:
    """A document as the text of an order file."""
    return "\n".join(yaml_lines(_scalars(document))) + "\n"


def _scalars(value: Any) -> Any:
    """The same with every scalar as it is written, what is empty too."""
    if isinstance(value, (dict, list)) and not value:
        return json.dumps(value)
    if isinstance(value, dict):
        return {_scalar(key): _scalars(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_scalars(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> str:
    if (
        isinstance(value, str)
        and _PLAIN.match(value)
        and value not in ("yes", "no", "none", "null", "true", "false")
    ):
        return value
    if isinstance(value, str) and value in ("yes", "no", "none"):
        return value
    return json.dumps(value, ensure_ascii=False)
