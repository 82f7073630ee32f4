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

STRONGER = Decimal("1.5")
"""A side is stronger from so many times the enemy's hits times hit points, weaker below its inverse."""
FAR = Decimal(4)  # from so many times it is far the stronger
TELLING = 1.0  # from so many times their spread the dice count as a reason
ENDLESS = 200  # rounds
TERRAIN = (("amphibious", "in their landing", "B5.2"), ("marine", "aboard", "B5.3"))
"""What makes soldiers weaker."""


class Reason(NamedTuple):
    """One sentence, and the clause of the rules behind it (empty: none)."""

    text: str
    clause: str = ""


class Why(NamedTuple):
    """The explanation for one side of a battle.

    ``gist``: the answer in a sentence, ``reasons``: its grounds. ``luck``: that of its own hits, None when
    the log has no expected hits.
    """

    realm: str
    words: str
    outcome: str
    gist: str
    reasons: tuple[Reason, ...]
    luck: Luck | None
    army: "Side"
    strength: str  # how many fought, and what they are
    lost: int

    @property
    def name(self) -> str:
        """The realm's name in the form for tables."""
        return capitalised(self.words.removeprefix("the "))


class Side(NamedTuple):
    """The force of a realm or of its enemies: expected hits in a round, hit points, heads."""

    realms: tuple[str, ...]
    units: tuple[BattleUnit, ...]
    counted: Count

    @property
    def combat(self) -> Decimal:
        return sum((unit.total_combat for unit in self.units), Decimal(0))

    @property
    def hits(self) -> Decimal:
        return self.combat / 100

    @property
    def hit_points(self) -> Decimal:
        return sum((unit.hit_points for unit in self.units), Decimal(0))

    @property
    def heads(self) -> int:
        return self.counted.engaged

    def unit(self, key: str) -> BattleUnit | None:
        return next((unit for unit in self.units if unit.unit == key), None)


class Explainer:
    """Explains battles in a language. ``realm`` and ``unit`` return the name of a code and of a key."""

    def __init__(
        self, realm: Callable[[str], str], unit: Callable[[str], str], language: str = ENGLISH
    ) -> None:
        self._realm = realm
        self._unit = unit
        self._language = language
        self._translate = translator("medieval", language)

    def why(self, report: BattleReport, form: int = 0) -> tuple[Why, ...]:
        """Return the explanation for each realm of the battle.

        ``form``: the choice of wordings (:mod:`.battle_wordings`).
        """
        return tuple(self._side(report, code, form, number) for number, code in enumerate(report.realms))

    def _tell(self, form: int, sentence: str, /, **figures: Any) -> str:
        """Return one of the sentences of why.yaml in a wording."""
        values = {"form": form % FORMS, **figures}
        pattern = variant(load_sentences("templates", "medieval", "story")[sentence], values.__getitem__)
        return in_prose(pattern, self._translate, values)

    def _side(self, report: BattleReport, code: str, form: int, number: int) -> Why:
        """Return the explanation for one side. ``number``: of the side, for its wording."""
        own_side = _army(report, (code,))
        enemy = _army(report, enemies_of(report, code))
        luck = luck_of(report, own_side.realms, self._translate)
        theirs = luck_of(report, enemy.realms, self._translate)
        outcome = _outcome(report, code)
        behind = [unit for unit in report.units if unit.defends and unit.realm in (code, *enemy.realms)]
        values = {
            "report": report,
            "own": own_side,
            "enemy": enemy,
            "luck": luck,
            "theirs": theirs,
            "outcome": outcome,
            **_weighed(outcome, own_side, enemy, net_score(luck, theirs) if luck and theirs else 0.0, report),
            "tell": partial(self._tell, form + number),
            # no two sides of battles with different forms have both in common
            "favours": (2 * form - number) % FORMS,
            "defends": any(unit.realm == code for unit in behind),
            "lasting": _lasting(own_side, enemy),
            "name": self._unit,
            "strength": own_side.counted.engaged_in_words(self._translate),
            "present": {unit.unit for unit in report.units},
            "divided": any(a in enemy.realms and b in enemy.realms for a, b in report.wars),
            "inside": [self._unit(unit.unit) for unit in behind],
            "walls": next(_modifiers(behind, "fortification"), None),
            **self._leadership(own_side, enemy),
            "terrain": _terrain(own_side),
        }
        gist, *reasons = sentences("medieval/why/side.txt", values, self._language)
        parts = (self._realm(code), outcome, gist.text, tuple(reasons))
        return Why(code, *parts, luck, own_side, values["strength"], own_side.counted.fell)

    def _leadership(self, own: Side, enemy: Side) -> dict[str, Any]:
        """Return the leaders of the side's units, its other commanders, and whether enemies were led."""
        return {
            "led": [_led(unit, self._translate) for unit in own.units if _tactics(unit)],
            "idle": list(chain.from_iterable(unit.commanders for unit in own.units if not unit.leader)),
            "foes_led": any(_tactics(unit) for unit in enemy.units),
        }


def sentences(template: str, values: Mapping[str, Any], language: str = ENGLISH) -> Iterator[Reason]:
    """Yield a template's text in plain sentences: one a line, its clause before it, "-" for none."""
    for line in (
        environment("medieval", language, markup=False).get_template(template).render(values).split("\n")
    ):
        clause, _, text = line.partition(" ")
        if line:
            yield Reason(text, clause.strip("-"))


def enemies_of(report: BattleReport, code: str) -> tuple[str, ...]:
    """Return the realms that fought ``code`` in this battle; of an older log, where only two fought."""
    enemies = [b if a == code else a for a, b in report.wars if code in (a, b)]
    if not report.wars and len(report.realms) == 2:
        enemies = [realm for realm in report.realms if realm != code]
    return tuple(sorted(enemies))


def _outcome(report: BattleReport, code: str) -> str:
    """Return how a battle ended for a realm."""
    if report.result == "drawn":
        return "drawn"
    return "won" if code in report.winners else "lost"


def _army(report: BattleReport, realms: tuple[str, ...]) -> Side:
    counts = battle_counts(report)
    units = tuple(unit for unit in report.units if unit.realm in realms)
    return Side(realms, units, together([counts[code] for code in realms]))


def _weighed(outcome: str, own: Side, enemy: Side, score: float, report: BattleReport) -> dict[str, Any]:
    """Return how far a side was ``ahead`` on paper, its ``score`` with the dice, and their trend.

    ``ahead`` is from -2 to 2. The trend is 1 for the outcome, -1 against it. ``left``: a loser got away.
    """
    against = enemy.hits * enemy.hit_points
    ratio = own.hits * own.hit_points / against if against else FAR
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


def _lasting(own: Side, enemy: Side) -> tuple[int, int | None] | None:
    """Return the rounds that a side and its enemy would last against the expected hits of round 1.

    None for an enemy that it could not wear down; empty for a side that no enemy could wear down.
    """
    if not enemy.hits or own.hit_points > ENDLESS * enemy.hits:
        return None
    rounds = max(1, ceil(own.hit_points / enemy.hits))
    if not own.hits or enemy.hit_points > ENDLESS * own.hits:
        return rounds, None
    return rounds, max(1, ceil(enemy.hit_points / own.hits))


def _terrain(own: Side) -> list[tuple[str, str, dict[str, int]]]:
    """Return (words, clause, percent by troop) for each weakness of a side's soldiers by terrain."""
    return [(words, clause, _weaker(own, kind)) for kind, words, clause in TERRAIN]


def _weaker(own: Side, kind: str) -> dict[str, int]:
    """Return by troop how much landings and decks weaken soldiers (B5.2, B5.3)."""
    weaker: dict[str, int] = {}
    for modifier in _modifiers(own.units, kind):
        weaker.update(modifier.figures)
    return weaker


def _modifiers(units: Iterable[BattleUnit], kind: str) -> Iterator[Modifier]:
    """Return the modifiers of one kind of these units' strikes."""
    modifiers = chain.from_iterable(unit.modifiers for unit in units)
    return (modifier for modifier in modifiers if modifier.kind == kind)


def _led(unit: BattleUnit, translate: Translate) -> str:
    figures = _tactics(unit)
    divisor = figures.pop("divisor")
    tactics = [
        f"{translate(name)} {percent(round(100 * rating / divisor))}"
        for name, rating in figures.items()
        if rating
    ]
    return f"{unit.leader} ({', '.join(tactics) or translate('without a bonus')})"


def _tactics(unit: BattleUnit) -> dict[str, int]:
    # with the divisor; empty without a leader
    return next((dict(modifier.figures) for modifier in unit.modifiers if modifier.kind == "tactics"), {})
