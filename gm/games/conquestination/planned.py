"""Orders that a bot plans: the lines before they are in a file, and the file."""

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
    """Return a line that a bot plans, which is in no file yet."""
    line: Any = model.model_construct(**fields)
    line._written = _PLANNED
    return cast("LineT", line)


@lru_cache(65536)
def attack_line(source: str, target: str, until: Retreat, least: int) -> AttackModel:
    """Return an attack with all units of a country, once there are at least ``least``."""
    condition = If.model_construct(min_units=least)
    return planned(
        AttackModel, source=source, target=target, strength=Strength(), until=until, condition=condition
    )


def placings(model: type[DeployT], placed: Mapping[str, int]) -> Iterator[DeployT]:
    """Yield units for countries, the most important last: it gets the rest."""
    order = sorted(
        (place for place in placed if placed[place]), key=lambda place: (placed[place], rank(place))
    )
    for country in order[:-1]:
        yield planned(model, country=country, units=placed[country])
    if order:
        yield planned(model, country=order[-1], units="rest")


def file_lines(orders: Orders) -> Iterator[str]:
    """Yield orders as lines of a file below its head."""
    for word in ("deploy", "reinforce", "attacks", "redeploy"):
        lines = getattr(orders, word)
        yield from [f"{word}:", *(f"  - {_flow(line)}" for line in lines)] if lines else ()


def _flow(content: Any) -> str:
    """Return a line or a part of it as text of a file."""
    if isinstance(content, YamlModel):
        fields = type(content).model_fields
        fields_set = content.model_fields_set
        content = {
            fields[name].alias or name: getattr(content, name) for name in fields if name in fields_set
        }
    if isinstance(content, Retreat):
        content = {name: amount for name, amount in content._asdict().items() if amount} or "won"
    if isinstance(content, Strength):
        content = content.number or ({"leave": content.leave} if content.leave else "max")
    if isinstance(content, dict):
        return "{" + ", ".join(f"{word}: {_flow(part)}" for word, part in content.items()) + "}"
    return "[" + ", ".join(content) + "]" if isinstance(content, tuple) else str(content)
