"""Why a side won or lost a battle, in plain words: strength, walls, commanders, ranks and retreats, and the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NamedTuple

from gm.games.medieval.combat.report import BattleReport, BattleUnit
from gm.games.medieval.report.battle_entries import Luck, luck_of, net_score
from gm.text.pages import capitalised, counted, figure, listed, percent

STRONGER = Decimal("1.5")
"""From so many times the enemy's strength (hits times hit points) a side is the stronger, below its inverse weaker."""
TELLING = 1.0  # from so many times their spread the dice count as a reason


class Reason(NamedTuple):
    """One sentence, and the clause of the rules behind it (empty: none)."""

    text: str
    clause: str = ""


class Why(NamedTuple):
    """One side of a battle. ``gist`` is the answer in a sentence, ``reasons`` are what it rests on. ``luck`` is that of
    its own hits, none when the log does not tell."""

    realm: str
    words: str
    outcome: str
    gist: str
    reasons: tuple[Reason, ...]
    luck: Luck | None
    army: Side
    lost: int

    @property
    def name(self) -> str:
        """The realm's name as the first word."""
        return capitalised(self.words)


class Side(NamedTuple):
    """What a realm and its enemies brought: hits to be expected in a round, hit points, heads."""

    realms: tuple[str, ...]
    units: tuple[BattleUnit, ...]

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
        return sum(unit.heads for unit in self.units)


class Explainer:
    """Explains battles. ``realm`` and ``unit`` say a code and a key in words."""

    def __init__(self, realm: Callable[[str], str], unit: Callable[[str], str]) -> None:
        self._realm = realm
        self._unit = unit

    def why(self, report: BattleReport) -> tuple[Why, ...]:
        """Each realm of the battle in turn."""
        return tuple(self._side(report, code) for code in report.realms)

    def _side(self, report: BattleReport, code: str) -> Why:
        own, enemy = _army(report, (code,)), _army(report, enemies_of(report, code))
        luck, theirs = luck_of(report, own.realms), luck_of(report, enemy.realms)
        outcome = "drawn" if report.result == "drawn" else "won" if code in report.winners else "lost"
        reasons = [
            *self._strength(own, enemy, report),
            *self._walls(report, code, enemy),
            *self._leaders(own, enemy, report),
            *_terrain(own),
            *self._retreats(own, report),
            *self._retreats(enemy, report),
            *_dice(luck, theirs, len(enemy.realms) > 1),
        ]
        gist = _gist(outcome, own, enemy, luck, theirs, report) if enemy.units else ""
        lost = sum(end.lost for end in report.ends if any(end.unit == unit.unit for unit in own.units))
        return Why(code, self._realm(code), outcome, gist, tuple(reasons), luck, own, lost)

    def _strength(self, own: Side, enemy: Side, report: BattleReport) -> Iterator[Reason]:
        if not enemy.units or not report.rounds:
            return
        yield Reason(
            f"{counted(own.heads, 'troop')} against {enemy.heads}: "
            f"{_units(round(own.hits, 1), 'hit')} to be expected in round 1 and {_units(own.hit_points, 'hit point')}, "
            f"against {figure(round(enemy.hits, 1))} and {figure(enemy.hit_points)}.",
            "B5",
        )
        if own.hits and enemy.hits:
            stands, falls = own.hit_points / enemy.hits, enemy.hit_points / own.hits
            foes = "its enemies" if len(enemy.realms) > 1 else "its enemy"
            yield Reason(
                f"At the pace of round 1 it would have stood for {_rounds(stands)}, {foes} for {_rounds(falls)}."
            )
        if any(a in enemy.realms and b in enemy.realms for a, b in report.wars):
            yield Reason("Its enemies fought each other too: not all of their hits were for it.", "B6")

    def _walls(self, report: BattleReport, code: str, enemy: Side) -> Iterator[Reason]:
        siege = report.siege
        if siege is not None:
            done = siege.damage_after - siege.damage_before
            rolled = sum(each.rolls for each in siege.rolls)
            yield Reason(
                f"The siege: {counted(rolled, 'roll')} took {counted(done, 'level')} off the walls"
                f"{'' if done else ', so they stood as before'}.",
                "B2",
            )
        inside = [unit for unit in report.units if unit.defends and unit.realm in (code, *enemy.realms)]
        walls = next((each for unit in inside for each in unit.modifiers if each.kind == "fortification"), None)
        if walls is not None:
            foot, mounted, room = (walls.figures[key] for key in ("foot", "mounted", "barracks"))
            yield Reason(
                f"{capitalised(listed([self._unit(unit.unit) for unit in inside]))} fought behind a {walls.name}: "
                f"foot hit {percent(foot)}, mounted {percent(mounted)}, "
                f"and the first {room} to fall had more hit points.",
                "B5.1",
            )

    def _leaders(self, own: Side, enemy: Side, report: BattleReport) -> Iterator[Reason]:
        led = [self._led(unit) for unit in own.units if _tactics(unit)]
        if led:
            yield Reason(f"Led by {listed(led)}.", "B5")
        elif idle := [name for unit in own.units if not unit.leader for name in unit.commanders]:
            yield Reason(f"{listed(idle)} fought, but as nobody's leader: only a chosen leader helps the troops.", "F7")
        elif any(_tactics(unit) for unit in enemy.units):
            yield Reason("Nobody led its troops with a rating that helps them; the enemy was led.", "F7")
        for fought in report.rounds:
            for part in fought.units:
                unit = next((each for each in own.units if each.unit == part.unit), None)
                if unit is not None and unit.leader in part.fallen_commanders and unit.leader:
                    yield Reason(
                        f"{unit.leader} fell: from round {fought.number + 1} on nobody led {self._unit(part.unit)}.",
                        "B12",
                    )

    def _led(self, unit: BattleUnit) -> str:
        figures = _tactics(unit)
        divisor = figures.pop("divisor")
        said = [f"{name} {percent(round(100 * rating / divisor))}" for name, rating in figures.items() if rating]
        return f"{unit.leader} ({', '.join(said)})" if said else f"{unit.leader} (without a bonus)"

    def _retreats(self, side: Side, report: BattleReport) -> Iterator[Reason]:
        units = {unit.unit: unit for unit in side.units}
        for fought in report.rounds:
            for each in fought.retreats:
                unit = units.get(each.unit)
                if unit is not None:
                    left = f"left for {each.to}" if each.to else "turned to flee, with nobody left to get away,"
                    yield Reason(
                        f"{capitalised(self._unit(each.unit))} {left} after round {fought.number}: "
                        f"{self._retreat_cause(unit, fought.number, report)}.",
                        "B9",
                    )

    def _retreat_cause(self, unit: BattleUnit, number: int, report: BattleReport) -> str:
        if report.result == "drawn" and number == len(report.rounds):
            return "the battle was broken off"
        if unit.role in ("marines", "mutineers"):
            return "the fleet under it left"
        if unit.follows and any(each.unit == unit.follows for each in report.units):
            return f"it follows {self._unit(unit.follows)}"
        level = unit.retreat_level
        ranks = f"ranks 1 to {level}" if level > 1 else "rank 1"
        if unit.ranks and not any(unit.ranks[:level]):
            return f"nobody stood in {ranks} from the start, and its retreat level is {level}"
        return f"everybody in {ranks} was a casualty, and its retreat level is {level}"


def enemies_of(report: BattleReport, code: str) -> tuple[str, ...]:
    """The realms that fought ``code`` in this battle; of an older log, where only two fought."""
    found = [b if a == code else a for a, b in report.wars if code in (a, b)]
    if not report.wars and len(report.realms) == 2:
        found = [each for each in report.realms if each != code]
    return tuple(sorted(found))


def _army(report: BattleReport, realms: tuple[str, ...]) -> Side:
    return Side(realms, tuple(unit for unit in report.units if unit.realm in realms))


def _gist(outcome: str, own: Side, enemy: Side, luck: Luck | None, theirs: Luck | None, report: BattleReport) -> str:
    """The answer in a sentence: strength on paper first, then the dice, then whoever left."""
    if outcome == "drawn":
        return "Neither side could break the other before the limit of rounds."
    if not report.rounds:
        return "No round was fought."
    against = enemy.hits * enemy.hit_points
    ratio = own.hits * own.hit_points / against if against else None
    score = net_score(luck, theirs) if luck and theirs else 0.0
    # +1: speaks for this outcome, -1: against it
    sign = 1 if outcome == "won" else -1
    paper = sign * (1 if ratio is None or ratio >= STRONGER else -1 if ratio <= 1 / STRONGER else 0)
    dice = 0 if abs(score) < TELLING else sign * (1 if score > 0 else -1)
    favour = "the dice were with it" if score > 0 else "the dice were against it"
    if luck and score * luck.score < 0 and luck.degree:  # its own hits, which are told beside this, say the opposite
        favour = f"the enemy's dice were {'worse' if score > 0 else 'better'} still"
    ends = {
        (1, 0): ", and the dice favoured nobody much.",
        (1, 1): f", and {favour}.",
        (1, -1): f", although {favour}.",
        (0, 0): ": it could have gone either way.",
        (0, 1): f", {'and' if outcome == 'won' else 'but'} {favour}.",
        (0, -1): f": it {outcome} although {favour}.",
        (-1, 0): f", and still it {outcome}.",
        (-1, 1): f", but {favour}.",
        (-1, -1): f", and {favour}, and still it {outcome}.",
    }
    return capitalised(_on_paper(ratio)) + ends[paper, dice] + _who_left(outcome, own, enemy, report)


def _who_left(outcome: str, own: Side, enemy: Side, report: BattleReport) -> str:
    losers = {unit.unit for unit in (own if outcome == "lost" else enemy).units}
    left = any(each.unit in losers and each.to for fought in report.rounds for each in fought.retreats)
    if not left:
        return ""
    return " It left the field." if outcome == "lost" else " The enemy left the field."


def _on_paper(ratio: Decimal | None) -> str:
    if ratio is None or ratio >= STRONGER:
        return "far the stronger on paper" if ratio is None or ratio >= 4 else "the stronger on paper"
    if ratio > 1 / STRONGER:
        return "an even match on paper"
    return "the weaker on paper" if ratio > Decimal("0.25") else "far the weaker on paper"


def _terrain(own: Side) -> Iterator[Reason]:
    """Landings and decks make soldiers weaker (B5.2, B5.3)."""
    for kind, words, clause in (("amphibious", "in their landing", "B5.2"), ("marine", "aboard", "B5.3")):
        found: dict[str, int] = {}
        for unit in own.units:
            for each in unit.modifiers:
                if each.kind == kind:
                    found |= each.figures
        if found:
            said = [f"{troop} {percent(amount)}" for troop, amount in found.items()]
            yield Reason(f"Its soldiers fought weaker {words}: {', '.join(said)}.", clause)


def _dice(luck: Luck | None, theirs: Luck | None, several: bool) -> Iterator[Reason]:
    # a single enemy's luck stands where it is explained
    sides = ((luck, "Its own hits"), (theirs if several else None, "Its enemies' hits"))
    for found, whose in sides:
        if found and found.expected:
            due = figure(round(found.expected, 1))
            yield Reason(f"{whose}: {found.made} where {due} were due – {found.words}.", "B5")


def _tactics(unit: BattleUnit) -> dict[str, int]:
    # with the divisor; empty without a leader
    return next((dict(each.figures) for each in unit.modifiers if each.kind == "tactics"), {})


def _units(amount: Decimal, noun: str) -> str:
    return f"{figure(amount)} {noun if amount == 1 else noun + 's'}"


def _rounds(count: Decimal) -> str:
    whole = max(1, int(count.to_integral_value(rounding="ROUND_CEILING")))
    return counted(whole, "round") if whole < 200 else "ever"
