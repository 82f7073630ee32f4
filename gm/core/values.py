"""Immutable values, all ``msgspec.Struct``: the types of states, orders, rules data and events.

Steps emit events, which templates put into words. Values are checked when they are read from a file
(:mod:`gm.core.codec`), not when Python makes one. Mappings in them are never changed.
"""

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property, wraps
from typing import Annotated, Any, TypeVar, dataclass_transform

import msgspec
from msgspec import structs

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
V = TypeVar("V", bound="Record")
C = TypeVar("C")
K = TypeVar("K")

CENT = Decimal("0.01")
PUBLIC = "public"
GM = "gm"

NameSet = frozenset[str]  # a set of names
Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True):
    """A struct whose fields are given in order or by name; equal to one of its class with equal fields."""

    evolve = msgspec.Struct.__replace__  # raises ``TypeError`` for a field that does not exist


class NamedFields(msgspec.StructMeta):
    """The metaclass of structs whose fields are given by name, and whose checks run whenever one is made.

    ``clause`` in a class statement is the rule behind all events of the class.
    """

    checks: tuple[Callable[[Any], Any], ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> Any:
        """Make the class, with its clause and with its checks and those of its bases."""
        namespace |= {"clause": config.pop("clause")} if "clause" in config else {}
        checks = [check for base in bases for check in getattr(base, "checks", ())]
        checks += [method for method in namespace.values() if hasattr(method, "checked_fields")]
        if checks:
            namespace["__post_init__"] = _run_checks
        made = super().__new__(mcs, name, bases, namespace, **{"kw_only": True, **config})
        made.checks = tuple(checks)
        return made


def _run_checks(value: "Value") -> None:
    """Run the checks of a value's class, and store the fields that they change."""
    for check in type(value).checks:
        if not check.checked_fields:  # type: ignore[attr-defined]
            check(value)  # a check of the whole value
        for name in check.checked_fields:  # type: ignore[attr-defined]
            content = getattr(value, name)
            checked = check(content)
            if checked is not content:
                structs.force_setattr(value, name, checked)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Value(Record, frozen=True, forbid_unknown_fields=True, dict=True, metaclass=NamedFields):
    """A record with fields given by name, which refuses unknown ones in files.

    ``evolve`` drops cached properties.
    """


def check_fields(*names: str) -> Callable[[F], F]:
    """Decorate a function in a class of values as a check of each of these fields.

    The function gets the field's content and returns it, perhaps changed. It raises ``ValueError`` for wrong
    content.
    """

    def decorate(check: F) -> F:
        check.checked_fields = names  # type: ignore[attr-defined]
        return check

    return decorate


check_whole = check_fields()  # decorates a method as a check of the finished value: it raises ``ValueError``


derived = cached_property  # the name until 1.0.0: for plug-ins, for one release (docs/reference/formats.md)


def cached_per_context(make: Callable[[V, C], T]) -> Callable[[V, C], T]:
    """Decorate a function of a value and of a context that seldom changes, like a game's rules.

    The value caches the last result, which holds as long as the context is the same object.
    """
    name = f"{make.__module__}.{make.__name__}"

    @wraps(make)
    def cached(value: V, context: C) -> T:
        """Return the cached result if it is for this context; else make and cache it."""
        entry = value.__dict__.get(name)  # (context, result)
        if entry is None or entry[0] is not context:
            entry = value.__dict__[name] = (context, make(value, context))
        result: T = entry[1]
        return result

    return cached


def grouped(members: Iterable[T], key_of: Callable[[T], K]) -> dict[K, tuple[T, ...]]:
    """Return the members by their key; the groups and the members of each are in the order given."""
    groups: dict[K, list[T]] = {}
    for member in members:
        groups.setdefault(key_of(member), []).append(member)
    return {key: tuple(group) for key, group in groups.items()}


def to_cents(amount: Decimal | int) -> Decimal:
    """Return ``amount`` rounded half up to 1/100 (W10): each operation on gold rounds once, here."""
    return Decimal(amount).quantize(CENT, ROUND_HALF_UP)


def percent_of(amount: Decimal, percent: Decimal | int) -> Decimal:
    """Return ``percent`` percent of ``amount``, rounded half up to 1/100 (W10)."""
    return to_cents(amount * percent / 100)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Event(Record, tag=True, tag_field="event", metaclass=NamedFields):
    """Something that happened. Logs call it by its class's name, under the key ``event``.

    ``audience``: PUBLIC, GM, or the only realm that may read it. The pipeline fills in ``phase`` (0 in stages
    without phases) and ``step``.
    """

    audience: str = PUBLIC
    phase: int = 0
    step: str = ""

    @property
    def kind(self) -> str:
        """The name of its class."""
        return type(self).__name__

    def visible_to(self, realm: str) -> bool:
        """Return whether a realm may read it; an empty realm: whether it is public."""
        return self.audience in (PUBLIC, realm)


class DiceRolled(Event):
    """The draws of one stream (W12).

    ``label``: the stream's; ``outcomes``: 0 or 1 for a chance, an index for a choice; ``asked``: the
    questions, each with its number of draws in a row: ``3/20`` for a chance, ``6`` for a choice among six,
    empty in old logs; ``private``: the realm whose affairs the draws reveal (W8), empty for public ones.
    """

    label: str
    outcomes: tuple[int, ...]
    asked: tuple[tuple[str, int], ...] = ()
    private: str = ""


class PhaseLimitReached(Event):
    """A stage was ended because it had come to its ``limit`` of phases: a sign of a rules bug (M0)."""

    limit: int


class StrayFilesSetAside(Event):
    """Files came that belong to no known realm: unreadable, or with nobody's key (O7).

    ``files``: their names.
    """

    files: tuple[str, ...]


class StewardActed(Event):
    """A ``realm`` whose player is away sent no orders, so a bot gave them; only this player is told."""

    realm: str


class BotFailed(Event):
    """The bot that plays a party gave no valid orders, so the party gives none (N3, O7).

    ``realm``: the party; ``bot``: the bot's name; ``why``: what went wrong, in words.
    """

    realm: str
    bot: str
    why: str
