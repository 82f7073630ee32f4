"""Orders that a bot plans: how their lines are made without a file, and how they are written in one."""

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
_PLANNED = Written(0, 0, "")  # The place of lines that are in no file


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
    """Yield the lines that place so many units in countries, in rising order: the last one gets the rest."""
    countries = sorted(
        (country for country in placed if placed[country]),
        key=lambda country: (placed[country], rank(country)),
    )
    if not countries:
        return
    *all_but_last, last = countries
    for country in all_but_last:
        yield planned(model, country=country, units=placed[country])
    yield planned(model, country=last, units="rest")


def file_lines(orders: Orders) -> Iterator[str]:
    """Yield the lines of the file for a bot's orders, below its head; no bot lets its turn go on."""
    for word in ("deploy", "reinforce", "attacks", "redeploy"):
        lines = getattr(orders, word)
        if lines:
            yield f"{word}:"
            yield from (f"  - {_flow(line)}" for line in lines)


def _flow(content: Any) -> str:
    """Return a line or a part of it as text of a file, in YAML's flow style: ``{from: A1, to: B2}``."""
    if isinstance(content, YamlModel):
        fields = type(content).model_fields
        fields_set = content.model_fields_set
        content = {
            fields[name].alias or name: getattr(content, name) for name in fields if name in fields_set
        }
    if isinstance(content, Retreat):  # one that never breaks off fights until it is won
        content = {name: amount for name, amount in content._asdict().items() if amount} or "won"
    if isinstance(content, Strength):  # a number, all but some, or all
        content = content.number or ({"leave": content.leave} if content.leave else "max")
    if isinstance(content, dict):
        return "{" + ", ".join(f"{word}: {_flow(part)}" for word, part in content.items()) + "}"
    return "[" + ", ".join(content) + "]" if isinstance(content, tuple) else str(content)
