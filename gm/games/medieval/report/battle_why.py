"""Why a side won or lost a battle, in words: strength, walls, commanders, ranks, retreats and dice.

This module finds the reasons; the wording is in templates/medieval/why/side.txt.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import chain
from math import ceil
from typing import Any, NamedTuple

from gm.games.medieval.combat.report import BattleReport, BattleUnit, Modifier
from gm.games.medieval.report.battle_counts import Count, battle_counts, together
from gm.games.medieval.report.battle_entries import Luck, luck_of, net_score
from gm.games.medieval.report.battle_wordings import FORMS
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.pages import capitalised, environment, percent
from gm.text.words import in_prose, load_sentences, variant

# a side's strength is its expected hits times its hit points
STRONGER = Decimal("1.5")  # a side is stronger than its enemy from so many times the enemy's strength
FAR = Decimal(4)  # from so many times it is far stronger
TELLING = 1.0  # from a luck of so many times the spread, dice are a reason for the outcome
ENDLESS = 200  # a side that would last more rounds than this is not worn down
TERRAIN = (("amphibious", "in their landing", "B5.2"), ("marine", "aboard", "B5.3"))
"""(kind of modifier, words, clause) of what makes soldiers weaker."""


class Reason(NamedTuple):
    """One sentence, and the clause of the rules behind it (empty: none)."""

    text: str
    clause: str = ""


class Why(NamedTuple):
    """The explanation of a battle's outcome for one realm."""

    realm: str  # its code
    words: str  # its name within a sentence
    outcome: str  # won, lost or drawn
    gist: str  # the answer in a sentence
    reasons: tuple[Reason, ...]
    luck: Luck | None  # of its own hits; None when the log has no expected hits
    army: "Side"
    strength: str  # how many fought, and what they are
    lost: int  # how many of them fell

    @property
    def name(self) -> str:
        """The realm's name in the form for tables."""
        return capitalised(self.words.removeprefix("the "))


class Side(NamedTuple):
    """The force of a realm, or of its enemies together, at the start of a battle."""

    realms: tuple[str, ...]  # their codes
    units: tuple[BattleUnit, ...]
    counted: Count

    @property
    def combat(self) -> Decimal:
        """The sum of the units' combat values, in percent of a hit a round."""
        return sum((unit.total_combat for unit in self.units), Decimal(0))

    @property
    def hits(self) -> Decimal:
        """The expected hits in a round."""
        return self.combat / 100

    @property
    def hit_points(self) -> Decimal:
        return sum((unit.hit_points for unit in self.units), Decimal(0))

    @property
    def heads(self) -> int:
        """The number of troops and commanders who fought."""
        return self.counted.engaged

    def unit(self, key: str) -> BattleUnit | None:
        """Return the unit of a key; None if it is not on this side."""
        return next((unit for unit in self.units if unit.unit == key), None)


class Explainer:
    """Explains the outcomes of battles in a language.

    ``realm_name`` returns a realm's name for its code, ``unit_name`` a unit's name for its key.
    """

    def __init__(
        self, realm_name: Callable[[str], str], unit_name: Callable[[str], str], language: str = ENGLISH
    ) -> None:
        self._realm_name = realm_name
        self._unit_name = unit_name
        self._language = language
        self._translate = translator("medieval", language)

    def why(self, report: BattleReport, form: int = 0) -> tuple[Why, ...]:
        """Return the explanation for each realm of the battle.

        ``form``: the choice of wordings (:mod:`.battle_wordings`).
        """
        return tuple(self._side(report, code, form, number) for number, code in enumerate(report.realms))

    def _tell(self, form: int, sentence: str, /, **figures: Any) -> str:
        """Return a sentence of templates/medieval/story, with these values.

        ``form``: any number; it selects one of the ``FORMS`` wordings.
        """
        values = {"form": form % FORMS, **figures}
        pattern = variant(load_sentences("templates", "medieval", "story")[sentence], values.__getitem__)
        return in_prose(pattern, self._translate, values)

    def _side(self, report: BattleReport, code: str, form: int, number: int) -> Why:
        """Return the explanation for a realm.

        ``form``: the battle's choice of wordings; ``number``: the realm's index, which varies them.
        """
        own_side = _army(report, (code,))
        enemy = _army(report, enemies_of(report, code))
        luck = luck_of(report, own_side.realms, self._translate)
        enemy_luck = luck_of(report, enemy.realms, self._translate)
        score = net_score(luck, enemy_luck) if luck and enemy_luck else 0.0
        outcome = _outcome(report, code)
        behind_walls = [unit for unit in report.units if unit.defends and unit.realm in (code, *enemy.realms)]
        values = {
            "report": report,
            "own": own_side,
            "enemy": enemy,
            "luck": luck,
            "theirs": enemy_luck,
            "outcome": outcome,
            **_comparison(outcome, own_side, enemy, score, report),
            "tell": partial(self._tell, form + number),
            # sides of battles with different forms never share both this wording and that of ``tell``
            "favours": (2 * form - number) % FORMS,
            "defends": any(unit.realm == code for unit in behind_walls),
            "lasting": _rounds_to_last(own_side, enemy),
            "name": self._unit_name,
            "strength": own_side.counted.engaged_in_words(self._translate),
            "present": {unit.unit for unit in report.units},
            "divided": any(a in enemy.realms and b in enemy.realms for a, b in report.wars),
            "inside": [self._unit_name(unit.unit) for unit in behind_walls],
            "walls": next(_modifiers(behind_walls, "fortification"), None),
            **self._leadership(own_side, enemy),
            "terrain": _terrain(own_side),
        }
        gist, *reasons = sentences("medieval/why/side.txt", values, self._language)
        return Why(
            realm=code,
            words=self._realm_name(code),
            outcome=outcome,
            gist=gist.text,
            reasons=tuple(reasons),
            luck=luck,
            army=own_side,
            strength=values["strength"],
            lost=own_side.counted.fell,
        )

    def _leadership(self, own: Side, enemy: Side) -> dict[str, Any]:
        """Return the values for sentences about leaders.

        ``led``: the leaders of the side's units, in words; ``idle``: the names of commanders of units without
        a leader; ``foes_led``: whether an enemy's unit had a leader.
        """
        return {
            "led": [_leader_in_words(unit, self._translate) for unit in own.units if _tactics(unit)],
            "idle": list(chain.from_iterable(unit.commanders for unit in own.units if not unit.leader)),
            "foes_led": any(_tactics(unit) for unit in enemy.units),
        }


def sentences(template: str, values: Mapping[str, Any], language: str = ENGLISH) -> Iterator[Reason]:
    """Yield the sentences of a template with their clauses.

    Each line of the template is a sentence, after its clause and a space; the clause "-" means none.
    """
    text = environment("medieval", language, markup=False).get_template(template).render(values)
    for line in text.split("\n"):
        clause, _, sentence = line.partition(" ")
        if line:
            yield Reason(sentence, clause.strip("-"))


def enemies_of(report: BattleReport, code: str) -> tuple[str, ...]:
    """Return the codes of the realms that fought the realm ``code`` in this battle.

    An old log does not say who fought whom: its enemies are known only in a battle of two realms.
    """
    enemies = [b if a == code else a for a, b in report.wars if code in (a, b)]
    if not report.wars and len(report.realms) == 2:
        enemies = [realm for realm in report.realms if realm != code]
    return tuple(sorted(enemies))


def _outcome(report: BattleReport, code: str) -> str:
    """Return how a battle ended for a realm: won, lost or drawn."""
    if report.result == "drawn":
        return "drawn"
    return "won" if code in report.winners else "lost"


def _army(report: BattleReport, realms: tuple[str, ...]) -> Side:
    """Return the units and the summed counts of realms on one side; ``realms``: their codes."""
    counts = battle_counts(report)
    units = tuple(unit for unit in report.units if unit.realm in realms)
    return Side(realms, units, together([counts[code] for code in realms]))


def _comparison(outcome: str, own: Side, enemy: Side, score: float, report: BattleReport) -> dict[str, Any]:
    """Return the values for sentences that compare a side's strength and luck with the outcome.

    ``ahead``: the grade of its strength against the enemy's (:func:`_advantage`); ``score``: the luck of its
    hits less the enemy's. ``paper``, ``dice``: 1 if the strengths, or the luck, speak for the outcome, -1 if
    against it, else 0. ``left``: whether a unit of the losers got away.
    """
    enemy_strength = enemy.hits * enemy.hit_points
    ratio = own.hits * own.hit_points / enemy_strength if enemy_strength else FAR
    ahead = _advantage(ratio)
    sign = 1 if outcome == "won" else -1
    losers = own if outcome == "lost" else enemy
    retreats = chain.from_iterable(fought.retreats for fought in report.rounds)
    return {
        "ahead": ahead,
        "score": score,
        "paper": sign * _sign_from(ahead, 1),
        "dice": sign * _sign_from(score, TELLING),
        "left": any(retreat.to and losers.unit(retreat.unit) for retreat in retreats),
    }


def _advantage(ratio: Decimal) -> int:
    """Return the grade of a ratio of strengths: 2 is far stronger, 0 about equal, -2 far weaker."""
    if ratio >= FAR:
        return 2
    if ratio >= STRONGER:
        return 1
    if ratio <= 1 / FAR:
        return -2
    if ratio <= 1 / STRONGER:
        return -1
    return 0


def _sign_from(value: float, least: float) -> int:
    """Return the sign of a value as 1 or -1; 0 if it is nearer to 0 than ``least``."""
    if value >= least:
        return 1
    if value <= -least:
        return -1
    return 0


def _rounds_to_last(own: Side, enemy: Side) -> tuple[int, int | None] | None:
    """Return the rounds that (a side, its enemy) would last against the expected hits of round 1.

    The enemy's rounds are None if the side could not wear it down. The whole is None if the enemy could not
    wear down the side.
    """
    if not enemy.hits or own.hit_points > ENDLESS * enemy.hits:
        return None
    rounds = max(1, ceil(own.hit_points / enemy.hits))
    if not own.hits or enemy.hit_points > ENDLESS * own.hits:
        return rounds, None
    return rounds, max(1, ceil(enemy.hit_points / own.hits))


def _terrain(own: Side) -> list[tuple[str, str, dict[str, int]]]:
    """Return (words, clause, percent by troop type) for each of ``TERRAIN``: what it costs a side's soldiers.

    There are no percents where it does not weaken the side.
    """
    return [(words, clause, _percents_of(own, kind)) for kind, words, clause in TERRAIN]


def _percents_of(own: Side, kind: str) -> dict[str, int]:
    """Return the percent by which modifiers of one kind change soldiers' strength, by troop type."""
    percents: dict[str, int] = {}
    for modifier in _modifiers(own.units, kind):
        percents.update(modifier.figures)
    return percents


def _modifiers(units: Iterable[BattleUnit], kind: str) -> Iterator[Modifier]:
    """Return the modifiers of one kind of these units' strikes."""
    modifiers = chain.from_iterable(unit.modifiers for unit in units)
    return (modifier for modifier in modifiers if modifier.kind == kind)


def _leader_in_words(unit: BattleUnit, translate: Translate) -> str:
    """Return the name of a unit's leader and the percentages that the ratings add, in words."""
    ratings = _tactics(unit)
    divisor = ratings.pop("divisor")
    tactics = [
        f"{translate(name)} {percent(round(100 * rating / divisor))}"
        for name, rating in ratings.items()
        if rating
    ]
    return f"{unit.leader} ({', '.join(tactics) or translate('without a bonus')})"


def _tactics(unit: BattleUnit) -> dict[str, int]:
    """Return the ratings of a unit's leader by tactic, and their ``divisor``; empty without a leader."""
    return next((dict(modifier.figures) for modifier in unit.modifiers if modifier.kind == "tactics"), {})
