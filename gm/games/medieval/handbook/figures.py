"""The handbook's figures: looked up in rules and map, or worked out by the turn's own code."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any

from gm.core.diagnostics import NUMBER_WORDS
from gm.core.values import Value, percent_of
from gm.games.medieval.combat.contingents import attack_chance, in_percent, siege_chance
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import bot_profiles
from gm.games.medieval.data.rules import Rules, TroopClass
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.steps.construction import work_on
from gm.text.languages import Translate
from gm.text.pages import figure, gold, listed, percent

WORDS = ("no", *NUMBER_WORDS[1:])  # the words for the numbers from 0
PARTS = {1: "all", 2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 10: "a tenth"}
# the ordinal of each number; 0 has none
_ORDINALS = (
    "",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


class RuleFigures:
    """A function that returns the text of a figure such as ``numbers.economy.decay_percent``."""

    def __init__(
        self, rules: Rules, atlas: Atlas, more: Mapping[str, Any] | None = None, translate: Translate = str
    ) -> None:
        """Prepare for a game's rules and map. ``more``: the caller's own figures, by name."""
        self._rules = rules
        self._atlas = atlas
        self._more = more or {}
        self._translate = translate

    def __call__(self, expression: str) -> str:
        """Return the text of an expression: ``path`` or ``path|filter``, with filters of :data:`FILTERS`.

        Raises ``ValueError`` for an unknown figure or filter.
        """
        path, _, shape = expression.partition("|")
        value = self._value(path.strip())
        if not shape:
            is_list = isinstance(value, (tuple, list))
            return self._listed(value) if is_list else self._translate(_shown(value))
        name, _, argument = shape.strip().partition(" ")
        if name not in FILTERS:
            raise ValueError(f"{{{expression}}}: there is no filter {name!r}; there are {', '.join(FILTERS)}")
        return self._translate(FILTERS[name](value, argument))

    def _value(self, path: str) -> Any:
        """Return the figure at a path; a number stands for itself. Raises ``ValueError`` for other paths."""
        if path.replace(".", "", 1).isdigit():
            return Decimal(path)
        if path in self._more:
            return self._more[path]
        root, *parts = path.split(".")
        if root not in self._roots:
            raise ValueError(f"{{{path}}}: no figure is called so")
        value = self._roots[root]
        for part in parts:
            is_field = isinstance(value, Value) and (
                part in value.__struct_fields__ or hasattr(type(value), part)
            )
            if not is_field and not (isinstance(value, Mapping) and part in value):
                raise ValueError(f"{{{path}}}: there is no {part!r} in it")
            value = getattr(value, part) if is_field else value[part]
        if isinstance(value, (Value, Mapping)):
            raise ValueError(f"{{{path}}}: that is a table, not a figure")
        return value

    @cached_property
    def _roots(self) -> Mapping[str, Any]:
        """The values of the first words of paths, such as ``map`` in the field ``{map.realms}`` of a text."""
        rules = self._rules
        atlas = self._atlas
        _ = self._translate
        troops = list(rules.troops.values())

        def weights(kind: TroopClass) -> list[int]:
            """Return the weights of all troop types of a class."""
            return [troop.weight for troop in troops if troop.kind is kind]

        def work(structure: Structure, level: int = 0) -> str:
            """Return the words for what it takes to build a structure."""
            needs = work_on(structure, level, rules)
            pattern = (
                _("{gold} gold and 1 worker")
                if needs.workers == 1
                else _("{gold} gold and {workers} workers")
            )
            return pattern.format(gold=gold(needs.gold), workers=needs.workers)

        levels = range(1, rules.construction.fortification_limit + 1)
        cities = len(atlas.cities)
        return {
            "numbers": rules,
            "troops": rules.troops,
            "fortifications": {str(row.level): row for row in rules.fortifications},
            "map": {"realms": len(atlas.realms), "title": atlas.title, "cities": cities},
            # enumerations of troop types
            "types": {
                "siege": self._listed(
                    [f"{troop.name} {troop.siege_power}" for troop in troops if troop.siege_power]
                ),
                "no_marines": self._listed(
                    [troop.name for troop in troops if not troop.ship and troop.marine is None]
                ),
                "transports": self._listed(
                    [troop.name for troop in troops if troop.kind is TroopClass.TRANSPORT]
                ),
            },
            # what most troop types of a kind have
            "most": {
                "amphibious": _commonest(troop.amphibious for troop in troops if not troop.ship),
                "foot_weight": _commonest(weights(TroopClass.FOOT)),
                "mounted_weight": _commonest(weights(TroopClass.MOUNTED)),
            },
            "work": {
                "harbour": work(Structure.HARBOUR),
                "production_area": work(Structure.PRODUCTION_AREA),
                "fortification": {str(level): work(Structure.FORTIFICATION, level) for level in levels},
            },
            "sums": self._sums(),
            "rule": self._sentences(),
            "bots": bot_profiles(),
        }

    def _listed(self, words: Sequence[Any]) -> str:
        """Return figures or words as an enumeration in the reader's language."""
        return listed([self._translate(_shown(word)) for word in words], last=self._translate("and"))

    def _sums(self) -> dict[str, Any]:
        """Return the figures ``sums.*``: results of worked examples, and tables as enumerations, by name."""
        battle = self._rules.battle
        economy = self._rules.economy
        movement = self._rules.movement
        workers = self._rules.construction.fortification_workers_level
        best_chance = battle.best_chance_percent
        shares = economy.revenue_percent  # by damage
        _ = self._translate
        share_words = _("{share}% at damage {damage}")
        workers_words = _("{n} workers for each level of n")
        # the troops and leaders of the examples are those in the texts of rules/medieval/handbook
        return {
            "revenue_by_damage": self._listed(
                [share_words.format(share=share, damage=damage) for damage, share in enumerate(shares)]
            ),
            "damaged_revenue": gold(percent_of(Decimal(40), shares[min(2, economy.damage_limit)])),
            "fortification_workers": _("n workers") if workers == 1 else workers_words.format(n=workers),
            "tactics_on_foot": figure(
                in_percent(attack_chance(best_chance, 30, 46, battle.tactics_divisor).exact)
            ),
            "tactics_on_horse": figure(
                in_percent(attack_chance(best_chance, 45, 20, battle.tactics_divisor).exact)
            ),
            "siege_with_skill": figure(in_percent(siege_chance(battle, 30, 42))),
            "march_taken": max(movement.march_permitted, movement.march_changed_owner),
            "march_friendly": movement.march_permitted,
        }

    def _sentences(self) -> dict[str, str]:
        """Return the figures ``rule.*``: sentences that depend on a setting of the rules, by name."""
        battle = self._rules.battle
        victory = self._rules.victory
        _ = self._translate
        marked = _("A unit in which everybody has been marked retreats no more.")
        replaced = _("Nobody takes the places of the fallen.")
        last = _("The game has no fixed last turn.")
        if battle.marked_retreat:
            marked = _(
                "Troops behind the retreat level leave with the unit, even if marked in that round: "
                "they strike no more and die. A unit with nobody behind that level strikes on until "
                "its casualties are removed."
            )
        if battle.marines_replaced:
            replaced = _("When some fall, the next take their places at the next even round.")
        if victory.last_turn is not None:
            last = _(
                "The game ends after turn {turn}: then {city} points for each city and {province} for "
                "each province decide."
            ).format(turn=victory.last_turn, city=victory.score_city, province=victory.score_province)
        landed = _(
            "What your realm lands in a province in a phase counts together, "
            "and each province has its own roll."
        )
        if self._rules.movement.landing_counts == "realm":
            landed = _(
                "What your realm lands on enemy soil in a phase counts together, "
                "wherever it lands, for one roll."
            )
        return {
            "marked_retreat": marked,
            "marines_replaced": replaced,
            "last_turn": last,
            "landing_counts": landed,
        }


def _commonest(values: Iterable[int]) -> int:
    """Return the most frequent value, the least of equally frequent ones; 0 without values."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else 0


def _shown(value: Any) -> str:
    """Return a figure as text, in digits if it is a number."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value) if isinstance(value, (int, Decimal)) else str(value)


def _word(value: Any) -> str:
    """Return a small whole number as a word, another in digits."""
    has_word = 0 <= value < len(WORDS) and value == int(value)
    return WORDS[int(value)] if has_word else _shown(value)


FILTERS: dict[str, Callable[[Any, str], str]] = {
    "word": lambda value, _: _word(value),
    "part": lambda value, _: PARTS.get(int(value), f"1/{_shown(value)}"),
    "times": lambda value, _: {1: "once", 2: "twice"}.get(int(value), f"{_word(value)} times"),
    "ordinal": lambda value, _: _ORDINALS[value] if 0 < value < len(_ORDINALS) else f"{_shown(value)}th",
    "count": lambda value, noun: f"{_shown(value)} {noun}{'' if value == 1 else 's'}",
    "size": lambda value, _: _word(len(value)),
    "first": lambda value, _: _shown(value[0]),
    "signed": lambda value, _: percent(int(value)),
    "gold": lambda value, _: f"{gold(value)} gold",
    "year": lambda value, _: str(value),
}
"""What returns the text of a figure and the rest of the expression: for ``value|count army``, "army".

The name of the filter is the first word after the bar."""
