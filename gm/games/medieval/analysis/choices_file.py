"""The data of tables of choices that is the same in all turns: ``choices.yaml``, titles, troops."""

from collections.abc import Mapping
from functools import cache

from gm.core.values import Value
from gm.core.yaml.models import load_data, load_value
from gm.games.medieval.analysis.choices_realm import Choices, cents
from gm.games.medieval.data.rules import TroopType
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.model import Structure
from gm.resources import resource
from gm.text.pages import capitalised


class SaidReason(Value):
    """A reason for a refusal that the page finds itself.

    ``blanks``: the name of the blank that the page fills in, by the figure's name; ``figures``: the name of a
    limit, by the figure's name.
    """

    reason: str
    blanks: Mapping[str, str] = {}
    figures: Mapping[str, str] = {}


class ChoicesFile(Value):
    """choices.yaml, where each part is explained."""

    phases: tuple[Choices, ...]
    gold: tuple[Choices, ...]
    pays: str
    free: tuple[str, ...]
    late: tuple[str, ...]
    said: Mapping[str, SaidReason]
    limits: Mapping[str, str]


@cache
def choices_file() -> ChoicesFile:
    """Return the content of ``choices.yaml``."""
    return load_value(resource("rules", "medieval", "choices.yaml"), ChoicesFile)


@cache
def titles() -> Mapping[str, str]:
    """Return the button labels of order words and structures, by word and structure."""
    title_of: dict[str, str] = load_data(resource("templates", "medieval", "titles.yaml"))[0]
    names = (*HEADQUARTERS, *UNIT, *PLAN, *(structure.value for structure in Structure))
    return {name: plain_title(name) for name in names} | title_of


def plain_title(name: str) -> str:
    """Return the label of a word that has no title in the tables."""
    return capitalised(name.replace("_", " "))


def troop_figures(troop: TroopType) -> Choices:
    """Return a troop type's figures for the page, without zeros."""
    figures = {
        "attacks": troop.attacks,
        "combat": troop.combat,
        "total": troop.total_combat,
        "hits": float(troop.hit_points),
        "moves": troop.move_points,
        "cost": cents(troop.cost),
        "upkeep": float(troop.upkeep * 100),
        "weight": troop.weight,
        "room": troop.storage,
        "ship": troop.ship,
    }
    return {name: figure for name, figure in figures.items() if figure}
