"""The odds of a battle before its dice, and the part of luck in it.

The battle is set up again from its report and the world before the turn. Where the units differ from those of
the report, it has no odds.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

from gm.core.values import Event
from gm.games.medieval.analysis.odds.attacks import Scenes, fights_for
from gm.games.medieval.analysis.odds.chances import Chances
from gm.games.medieval.analysis.odds.tally import verb
from gm.games.medieval.analysis.odds.trials import PHASE, BattleSetup
from gm.games.medieval.combat.battle import LAND, Battle, Field
from gm.games.medieval.combat.contingents import REAR
from gm.games.medieval.combat.muster import units_in_battle
from gm.games.medieval.combat.report import BattleReport, BattleUnit
from gm.games.medieval.combat.setup import assemble_battle, prepare_first_round
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import ArmyUnloaded, FleetSailed, UnitMarched
from gm.games.medieval.report.battle_why import Why, sentences
from gm.games.medieval.state import INDEPENDENTS, Commander, Ranks, Unit, UnitKind, UnitProgress, World
from gm.games.medieval.state.unit import NO_RANKS, as_ranks
from gm.text.languages import ENGLISH


class FoughtBattles:
    """The battles of one turn, set up again for their odds."""

    def __init__(
        self, before: World, after: World, public: Sequence[Event], rules: Rules, atlas: Atlas
    ) -> None:
        """Take the worlds before and after the turn, and its events for everybody."""
        self._after = after
        self._events = public
        self._scenes = Scenes(before, rules, atlas, fights_for(after))
        self._before = self._scenes.world  # the world before, as odds see it

    def chances(self, report: BattleReport) -> Chances | None:
        """Return a battle's odds; None if it cannot be set up as it was: a mutiny never can."""
        troops_of_units = [self._troops(unit) for unit in report.units]
        if report.mutiny or None in troops_of_units:
            return None
        units = [
            self._unit(unit, troops or {}, report)
            for unit, troops in zip(report.units, troops_of_units, strict=True)
        ]
        progress = {unit.unit: self._progress(unit, report) for unit in report.units}
        setup = BattleSetup(
            self._scenes.turn.evolve(state=self._world(report)), report.kind, report.place, report.other_place
        )
        scene = self._scenes.scene(setup, units, progress)
        drawn_up = _after_siege(scene, report)
        is_same = drawn_up is not None and units_in_battle(drawn_up) == report.units
        return self._scenes.chances(scene) if is_same else None

    def _world(self, report: BattleReport) -> World:
        """Return the world before the turn with the wars of the battle and, on land, its walls and owner."""
        before = self._before
        siege = report.siege
        wars = before.wars | {pair for pair in report.wars if INDEPENDENTS not in pair}
        world = before.evolve(wars=wars, alliances=before.alliances - wars)
        if report.kind != LAND or report.owner is None:
            return world
        level = siege.level if siege else report.fortification
        land = world.provinces[report.place].evolve(owner=report.owner)
        if level:
            land = land.evolve(fortification=level, fortification_damage=siege.damage_before if siege else 0)
        progress_of = world.progress.provinces
        land_progress = progress_of[land.name].evolve(owner_last_phase=report.owner)
        progress = world.progress.evolve(provinces={**progress_of, land.name: land_progress})
        return world.with_provinces(land).evolve(progress=progress)

    @cached_property
    def _moves(self) -> dict[str, list[tuple[int, str, str]]]:
        """(phase, origin, place) of each move, by the unit's key; the origin of a landing is empty."""
        moves: dict[str, list[tuple[int, str, str]]] = {}
        for event in self._events:
            if isinstance(event, UnitMarched):
                moves.setdefault(event.unit, []).append((event.phase, event.origin, event.place))
            elif isinstance(event, FleetSailed):
                moves.setdefault(event.fleet, []).append((event.phase, event.origin, event.place))
            elif isinstance(event, ArmyUnloaded):
                moves.setdefault(event.army, []).append((event.phase, "", event.place))
        return moves

    def _last_move(self, unit: BattleUnit, report: BattleReport) -> tuple[int, str, str]:
        """Return (phase, origin, place) of a unit's last move before the battle; phase 0 if it had none.

        The origin of a landing is empty.
        """
        moves = (move for move in self._moves.get(unit.unit, ()) if move[0] <= report.phase)
        return max(moves, default=(0, "", report.place))

    def _progress(self, unit: BattleUnit, report: BattleReport) -> UnitProgress:
        """Return a unit's progress before the battle, from its last move and its modifiers in the report."""
        phase, origin, _ = self._last_move(unit, report)
        has_landed = phase > 0 and not origin
        has_marched_now = bool(origin) and phase == report.phase
        # only a landing on enemy land in this phase weakens (B5.2): the report shows it, the move does not
        has_landed_on_enemies = any(modifier.kind == "amphibious" for modifier in unit.modifiers)
        # for odds, a battle is always in the one phase PHASE
        return UnitProgress(
            came_from=origin or None,
            marched_phase=PHASE if has_marched_now else 0,
            landed=has_landed,
            landed_phase=PHASE if has_landed_on_enemies else 0,
        )

    def _unit(self, reported: BattleUnit, troops: dict[str, Ranks], report: BattleReport) -> Unit:
        """Return a unit as it entered the battle."""
        code, _, number = reported.unit.partition("/")
        place = report.place
        if report.other_place:  # at a border each army stands where its march led
            _, _, place = self._last_move(reported, report)
        return Unit(
            realm=code,
            kind=UnitKind(number[0]),
            number=int(number[1:]),
            place=place,
            name=reported.name,
            aboard=reported.aboard,
            troops=troops,
            commanders=tuple(self._commander(reported, name) for name in reported.commanders),
            leader=reported.leader,
            retreat_level=reported.retreat_level,
            follow=reported.follows.partition("/")[2] if reported.follows else None,
            defend_fortifications=reported.defends,
        )

    def _commander(self, reported: BattleUnit, name: str) -> Commander:
        """Return a commander of a unit, with the ratings that the report shows of a leader.

        Ratings that it does not show are those before or after the turn, or 0 if the commander is in neither.
        """
        own_units = _units_of(reported.realm, (self._before, self._after))
        commanders = chain.from_iterable(unit.commanders for unit in own_units)
        commander = next((candidate for candidate in commanders if candidate.name == name), None)
        commander = commander or Commander(name=name, infantry=0, cavalry=0, siege=0, naval=0)
        shown_figures = (
            modifier.figures
            for modifier in reported.modifiers
            if modifier.kind == "tactics" and modifier.name == name
        )
        ratings = {**next(shown_figures, {})}
        ratings.pop("divisor", None)  # the one figure that is no rating
        return commander.evolve(**ratings)

    def _troops(self, reported: BattleUnit) -> dict[str, Ranks] | None:
        """Return how many troops of each type stood in each rank; None if the report does not allow it.

        A report has only the sum of each type and of each rank. Ranks are those of the unit, or of another of
        its realm, before the turn or after it, with as many troops of the type; else all are in the rank that
        has the most of them there.
        """
        worlds = (self._after, self._before)
        sources = [world.units[reported.unit] for world in worlds if reported.unit in world.units]
        sources += _units_of(reported.realm, worlds)
        ranks_of_troop: dict[str, Ranks] = {}
        for row in reported.troops:
            known_ranks = [unit.troops[row.troop] for unit in sources if row.troop in unit.troops]
            first = known_ranks[0] if known_ranks else NO_RANKS
            matching_ranks = next((ranks for ranks in known_ranks if sum(ranks) == row.count), None)
            fullest = first.index(max(first))
            in_one_rank = as_ranks(row.count if index == fullest else 0 for index in range(REAR))
            ranks_of_troop[row.troop] = matching_ranks or in_one_rank
        # zip gives nothing for a unit of commanders alone
        totals = [sum(ranks) for ranks in zip(*ranks_of_troop.values(), strict=True)] or [0] * REAR
        totals[REAR - 1] += len(reported.commanders)  # commanders stand in the last rank
        return ranks_of_troop if tuple(totals) == reported.ranks else None


def foretold(chances: Chances | None, sides: Sequence[Why], language: str = ENGLISH) -> str:
    """Return the expected result of a battle in sentences; after an upset also the luck behind it.

    Empty without odds. For example: "England would win a battle like this about 7 times in 10, France about
    3. Against the odds: the hits of France were very lucky, one battle in 20."
    """
    if chances is None:
        return ""
    favourite, *others = sorted(sides, key=lambda side: -chances.wins[side.realm])
    winners = [side.realm for side in sides if side.outcome == "won"]
    # none of the winners had as good a chance as the favourite
    is_upset = winners and all(chances.wins[code] != chances.wins[favourite.realm] for code in winners)
    values = {
        "chances": chances,
        "first": favourite,
        "others": others,
        "upset": is_upset,
        "lucky": list(filter(None, map(_luck, sides))),
        "verb": verb,
    }
    return " ".join(sentence.text for sentence in sentences("medieval/why/chances.txt", values, language))


def _units_of(realm: str, worlds: Iterable[World]) -> list[Unit]:
    """Return a realm's units in these states, one state after the other."""
    return list(chain.from_iterable(world.of_realm(realm) for world in worlds))


def _luck(side: Why) -> str:
    """Return the luck that helped a winner or hurt a loser, in words; empty if there was none."""
    luck = side.luck
    if luck is None or not luck.degree:
        return ""
    is_good = luck.difference > 0
    if is_good != (side.outcome == "won"):
        return ""
    return luck.translate("the hits of {realm} were {luck}").format(realm=side.words, luck=luck.brief)


def _after_siege(scene: BattleSetup, report: BattleReport) -> Battle | None:
    """Return the battle before its first round, after its siege if there was one; None if nobody fights."""
    field = Field(scene.turn)
    if report.siege is None:
        return scene.battle(field)
    # the siege is over: its damage is the report's, and all else is done as by ``land_battle``
    field.put_province(field.province(report.place).evolve(fortification_damage=report.siege.damage_after))
    battle = assemble_battle(field, report.place)
    if battle is not None:
        prepare_first_round(battle)
    return battle
