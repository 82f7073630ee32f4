"""Orders that a program thinks of: the lines before they stand in a file, and the file."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.events import Written
from gm.game.base.reading import Line
from gm.games.conquestination.amounts import Strength
from gm.games.conquestination.battle import Retreat
from gm.games.conquestination.cells import rank
from gm.games.conquestination.orders import AttackModel, DeployT, If, Orders

LineT = TypeVar("LineT", bound=Line)
_PLANNED = Written(0, 0, "")


def planned(model: type[LineT], **fields: Any) -> LineT:
    """Return a line that a program thinks of, which stands in no file yet."""
    line: Any = model.model_construct(**fields)
    line._written = _PLANNED
    return cast("LineT", line)


@lru_cache(65536)
def attack_line(source: str, target: str, until: Retreat, least: int) -> AttackModel:
    """Return an attack with all units there are, once there are so many."""
    condition = If.model_construct(min_units=least)
    return planned(AttackModel, source=source, target=target, strength=Strength(), until=until, condition=condition)


def placings(model: type[DeployT], placed: Mapping[str, int]) -> Iterator[DeployT]:
    """Units for countries, the most important last: it takes the rest, also of what others left over."""
    order = sorted((each for each in placed if placed[each]), key=lambda each: (placed[each], rank(each)))
    for country in order[:-1]:
        yield planned(model, country=country, units=placed[country])
    if order:
        yield planned(model, country=order[-1], units="rest")


def file_lines(orders: Orders) -> Iterator[str]:
    """Orders as they stand below the head of a file."""
    for word in ("deploy", "reinforce", "attacks", "redeploy"):
        lines = getattr(orders, word)
        yield from [f"{word}:", *(f"  - {_flow(line)}" for line in lines)] if lines else ()


def _flow(given: Any) -> str:
    """Return how a line or a part of it stands in a file."""
    if isinstance(given, YamlModel):
        fields = type(given).model_fields
        told = given.model_fields_set
        given = {fields[name].alias or name: getattr(given, name) for name in fields if name in told}
    if isinstance(given, Retreat):
        given = {name: value for name, value in given._asdict().items() if value} or "won"
    if isinstance(given, Strength):
        given = given.number or ({"leave": given.leave} if given.leave else "max")
    if isinstance(given, dict):
        return "{" + ", ".join(f"{word}: {_flow(each)}" for word, each in given.items()) + "}"
    return "[" + ", ".join(given) + "]" if isinstance(given, tuple) else str(given)
