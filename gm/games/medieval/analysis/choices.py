"""What a realm may choose in its next orders, as tables: legal targets, costs, why the others fail (O2).

The turn's own ``why_not`` functions fill the tables in, on the world as the next turn opens; a page adds them
up and decides nothing. An answer is a number, the cost (hundredths of gold, or move-points for what moves),
or a text: the index in ``says`` of the reason and its clause. What stands in no table is not known
beforehand: the trial tells it.

``says`` are pairs (clause, sentence). ``{needs}``, ``{to}``, its ``{owner}`` and their like in a sentence are
filled in by the reader; so are nouns that are counted, ``{needs:move-point}``.

Two tables: :meth:`TurnChoices.shared`, what all realms share, and :meth:`TurnChoices.of_realm`.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, cached_property
from itertools import chain
from operator import attrgetter
from typing import Any

from gm.core.values import Value
from gm.core.yaml.models import load_data, load_value
from gm.games.medieval.analysis import choices_realm
from gm.games.medieval.analysis.choices_headquarters import headquarters_choices
from gm.games.medieval.analysis.choices_realm import Answer, Answers, Blank, ChoiceContext, Choices, cents
from gm.games.medieval.analysis.odds.attacks import Attacks, Scenes, fights_for
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import troop_names
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.worded import phrases
from gm.games.medieval.state import Unit, UnitKind, World, pair
from gm.games.medieval.steps.diplomacy import end_rights
from gm.games.medieval.steps.loading import CERTAIN, why_not_board, why_not_load, why_not_unload
from gm.games.medieval.steps.movement import homeless, march_cost, sail_cost, why_not_march, why_not_sail
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.transfers import why_not_transfer
from gm.games.medieval.steps.turn import Workspace
from gm.resources import resource
from gm.text.languages import ENGLISH
from gm.text.pages import capitalised

BY_DICE = -1  # the answer of what dice decide, such as a landing on enemy land (M8)
_PAID = "needs-move-points"
_WAYS = {
    "march": {(False, False)},
    "sail": {(False, True), (True, False), (True, True)},
    "load": {(True, False)},
    "unload": {(True, False)},
}
"""By word, between which places it goes: whether each is a sea."""
_Asked = tuple[Refusal | None, int | None, Mapping[str, Blank]]


class SaidReason(Value):
    """A reason for a refusal, with the blanks for its figures, and the figures that are limits, by name."""

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
def _file() -> ChoicesFile:
    return load_value(resource("rules", "medieval", "choices.yaml"), ChoicesFile)


@cache
def titles() -> Mapping[str, str]:
    """Return the button labels of order words and structures."""
    title_of: dict[str, str] = load_data(resource("templates", "medieval", "titles.yaml"))[0]
    names = (*HEADQUARTERS, *UNIT, *PLAN, *(structure.value for structure in Structure))
    return {name: _plain(name) for name in names} | title_of


def _plain(name: str) -> str:
    """Return the label of a word that has no title in the tables."""
    return capitalised(name.replace("_", " "))


class TurnChoices(ChoiceContext):
    """The tables of one turn, for the ``world`` before it; those that all realms share are made once."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas, language: str = ENGLISH) -> None:
        """Prepare for the choices of every realm in a position."""
        super().__init__(world, rules, atlas, language)
        soldiers = [name for name, troop in rules.troops.items() if not troop.ship]
        ships = [name for name, troop in rules.troops.items() if troop.storage]
        self._asked: dict[tuple[Any, ...], tuple[_Asked, _Asked, _Asked]] = {}  # the same for every realm
        self._crew = {
            UnitKind.ARMY: {soldiers[0]: (1, 0, 0, 0, 0)},
            UnitKind.FLEET: {ships[0]: (9, 0, 0, 0, 0)},
        }

    def probe(self, realm: str, kind: UnitKind, place: str, aboard: str | None = None) -> Unit:
        """Return a unit without any hindrance, to ask the rules about."""
        return Unit(realm=realm, kind=kind, number=0, place=place, aboard=aboard, troops=self._crew[kind])

    def why_not(self, word: str, work: Workspace, realm: str, a: str, b: str) -> Refusal | None:
        """Return why no unit goes there, by this ``word``'s step; the page itself adds up move-points."""
        fleet = self.probe(realm, UnitKind.FLEET, a)
        if word == "march":
            refusal = why_not_march(work, self.probe(realm, UnitKind.ARMY, a), b)
        elif word == "sail":
            refusal = why_not_sail(work, fleet, b)
        elif word == "load":
            refusal = why_not_load(work, fleet, self.probe(realm, UnitKind.ARMY, b))
        else:
            army = self.probe(realm, UnitKind.ARMY, a, fleet.key)
            refusal = why_not_unload(work, fleet, army, army.key, b)
        return None if refusal is not None and refusal.reason == _PAID else refusal

    def shared(self) -> Choices:
        """Return the tables that all realms have in common.

        ``closed``: by word, for a pair of places (indices, from and to) why the way between them is closed.

        ``said``: the reasons that the page itself adds up, by name. ``titles``: button labels of order words;
        ``phrases``: orders in words.
        """
        says = Answers(self.sentence)
        choice_file = _file()
        leads = self.rules.commanders
        translate = self.formatter.translate
        limits = {
            name: attrgetter(path)(self.rules) if path else CERTAIN
            for name, path in choice_file.limits.items()
        }

        title_of_name = {name: translate(title) for name, title in titles().items()}

        def said(reason: SaidReason) -> Answer:
            blanks = {figure: Blank(blank) for figure, blank in reason.blanks.items()}
            figures = {figure: limits[limit] for figure, limit in reason.figures.items()}
            return says(refuse(reason.reason, **blanks, **figures))

        return {
            "closed": {word: dict(self._closed(says, word)) for word in _WAYS},
            "troops": {name: _troop(troop) for name, troop in self.rules.troops.items()},
            "commander": {
                "total": leads.attacks * leads.combat,
                "hits": float(leads.hit_points),
                "upkeep": float(leads.upkeep * 100),
                "moves": self.rules.movement.commanders_move_points,
            },
            "said": {name: said(refusal) for name, refusal in choice_file.said.items()},
            "limits": {
                name: cents(limit) if isinstance(limit, Decimal) else limit for name, limit in limits.items()
            },
            **{name: getattr(choice_file, name) for name in ("phases", "gold", "pays", "free", "late")},
            "war": "declare_war",
            "names": {"one": troop_names().one, "many": troop_names().many},
            "titles": {name: title for name, title in title_of_name.items() if title != _plain(name)},
            "phrases": {word: translate(phrase) for word, phrase in phrases().items()},
            "says": says.table(),
        }

    def _closed(self, says: Answers, word: str) -> Iterable[tuple[str, Answer]]:
        """Yield the ways that are closed to all realms, even where all provinces and harbours are own."""
        realm = next(iter(self.world.realms))
        possible_lands = (land.evolve(owner=realm, harbour=True) for land in self.world.provinces.values())
        work = Workspace(self.turn.evolve(state=self.world.with_provinces(*possible_lands)))
        order = self.atlas.place_order
        shut = (border for border in self.atlas.borders if border.barrier is not None)
        pairs = chain.from_iterable(((border.a, border.b), (border.b, border.a)) for border in shut)
        for a, b in pairs:
            if (self.atlas.is_sea(a), self.atlas.is_sea(b)) not in _WAYS[word]:
                continue
            refusal = self.why_not(word, work, realm, a, b)
            if refusal:
                yield f"{order[a]},{order[b]}", says(refusal, blanks={a: Blank("from"), b: Blank("to")})

    def of_realm(self, realm: str) -> Choices:
        """Return a realm's tables: ``headquarters`` by word, ``units`` by id and word, and ``enter``.

        ``homeless``: the fleets that have no anchorage (M5); ``fleeing``: by sea, the realms whose fleets may
        flee there from where they have none once the realm is at war with them; ``board``: the realms whose
        fleets may be told to take an army aboard (M2); ``receivers``: those whose units may be given troops,
        where both are in one place (M1). ``enter``: by word, for each place (in the order of the map) the
        cost of entering it from any neighbour across an open border. ``war``: the same where it differs after
        the realm has declared war on the owner, by index. Raises ``KeyError`` for an unknown realm.
        """
        says = Answers(self.sentence)
        world = self.world
        other_codes = [code for code in world.realms if code != world.realms[realm].code]
        peace = self._entries(world, realm, says)
        at_war = self._at_war(realm, other_codes)
        sorts = self._alike[1]
        entries_at_war = self._entries(at_war, realm, says)
        units = world.of_realm(realm)
        fleets = (unit for unit in units if unit.is_fleet and not unit.empty)
        return {
            "headquarters": headquarters_choices(self, realm, says),
            "units": {unit.id: choices_realm.unit_choices(self, unit, says) for unit in units},
            "pools": says.pools,
            "homeless": [fleet.id for fleet in fleets if homeless(world, self.atlas, fleet)],
            "fleeing": self._fleeing(at_war, other_codes),
            "enter": {word: list(map(answers.__getitem__, sorts)) for word, answers in peace.items()},
            "war": {word: self._otherwise(answers, peace[word]) for word, answers in entries_at_war.items()},
            **self._hosts(realm, other_codes, says),
            "says": says.table(),
        }

    def _hosts(self, realm: str, others: Iterable[str], says: Answers) -> Choices:
        """Return, by realm, whether its fleets may take an army aboard (M2) and its units get troops (M1)."""
        army = self.probe(realm, UnitKind.ARMY, self.atlas.provinces[0])
        receivers = [army.evolve(realm=code) for code in others]
        return {
            "board": {unit.realm: says(why_not_board(self.world, army, unit.realm)) for unit in receivers},
            "receivers": {
                unit.realm: says(why_not_transfer(self.world, army, unit, unit.key)) for unit in receivers
            },
        }

    def _at_war(self, realm: str, others: Iterable[str]) -> World:
        """Return the world after the realm has declared war on others: their rights have ended (F1)."""
        wars = {pair(realm, other) for other in others}
        work = Workspace(self.turn)
        end_rights(work, wars)
        work.change(wars=work.world.wars | wars)
        return work.outcome().state

    def _fleeing(self, world: World, realms: Sequence[str]) -> dict[int, list[str]]:
        """Return the realms whose fleets without anchorage may flee to a sea (M5), by the seas' indices."""
        realms_by_sea: dict[int, list[str]] = {}
        for fleet in world.of_kind(UnitKind.FLEET):
            if fleet.realm not in realms or fleet.empty or not homeless(world, self.atlas, fleet):
                continue
            for sea in self.atlas.open_neighbours(fleet.place, sea=True):
                realms_by_sea.setdefault(self.atlas.place_order[sea], []).append(fleet.realm)
        return realms_by_sea

    def _otherwise(self, answers: Sequence[Answer], usual: Sequence[Answer]) -> dict[int, Answer]:
        """Return the answers, by sort of place, that differ from the ``usual`` ones, by places' indices."""
        other = {sort: answer for sort, answer in enumerate(answers) if answer != usual[sort]}
        if not other:
            return {}
        return {index: other[sort] for index, sort in enumerate(self._alike[1]) if sort in other}

    @cached_property
    def attacks(self) -> Attacks:
        """Return the possible attacks of units, with their odds as all units are now."""
        return Attacks(
            Scenes(self.world, self.rules, self.atlas, fights_for(self.world)), self.formatter.translate
        )

    @cached_property
    def _shapes(self) -> dict[str, tuple[bool, ...]]:
        """The shape of each place: whether it is a sea, and whether it has a way to land and to a sea."""
        near = self.atlas.graph.open_neighbours
        is_sea = self.atlas.is_sea
        ways = {name: set(map(is_sea, near(name))) for name in self.atlas.locations}
        return {name: (is_sea(name), False in kinds, True in kinds) for name, kinds in ways.items()}

    @cached_property
    def _alike(self) -> tuple[list[str], list[int]]:
        """The first place of each sort, and the sort of every place; places of a sort have equal answers."""
        sorts: dict[tuple[Any, ...], int] = {}
        firsts = []
        sort_of = []
        for name in self.atlas.locations:
            land = self.world.provinces.get(name)
            alike = (
                (self._shapes[name], land.owner, land.permissions, land.harbour)
                if land
                else self._shapes[name]
            )
            if alike not in sorts:
                sorts[alike] = len(sorts)
                firsts.append(name)
            sort_of.append(sorts[alike])
        return firsts, sort_of

    def _entries(self, world: World, realm: str, says: Answers) -> dict[str, tuple[Answer, ...]]:
        """Return, by word and sort of place, move-points or a refusal; for a landing perhaps ``BY_DICE``."""
        answers_of: dict[tuple[Any, ...], list[Answer]] = {}
        work = Workspace(self.turn.evolve(state=world))
        answers = []
        for name in self._alike[0]:
            land = world.provinces.get(name)
            shape = self._shapes[name]
            # whose land it is has no part in it but by what he allows
            rights = (
                (land.harbour, world.has_permission(realm, name), world.is_enemy_land(realm, name))
                if land
                else ()
            )
            alike = (*shape, *rights)
            if alike not in answers_of:
                if alike not in self._asked:
                    self._asked[alike] = self._entry(work, realm, name)
                answers_of[alike] = [says(*refusal) for refusal in self._asked[alike]]
            answers.append(answers_of[alike])
        return dict(zip(("march", "sail", "unload"), zip(*answers, strict=True), strict=True))

    def _entry(self, work: Workspace, realm: str, place: str) -> tuple[_Asked, _Asked, _Asked]:
        """Return the cost of entering a place, or the refusal: by march, by sail and by landing."""
        world = work.world
        sailed = sail_cost(world, self.rules, place)
        if place not in world.provinces:
            # a sea: nobody marches or lands there
            return (None, None, {}), (None, sailed, {}), (None, None, {})
        blanks = {place: Blank("to"), world.provinces[place].owner: Blank("owner")}
        marched = march_cost(world, self.rules, realm, place)
        landed = BY_DICE if world.is_enemy_land(realm, place) else 0
        landing = self.why_not("unload", work, realm, place, place)
        # a province that no land borders on is entered from the sea (M9), and inland nobody docks (M4)
        ashore = self._across("march", work, realm, place, None)
        docked = self._across("sail", work, realm, place, refuse("no-harbour", place=place))
        return (ashore, marched, blanks), (docked, sailed, blanks), (landing, landed, blanks)

    def _across(
        self, word: str, work: Workspace, realm: str, place: str, nowhere: Refusal | None
    ) -> Refusal | None:
        """Return why no unit gets there across an open border; ``nowhere`` when there is none to cross."""
        near = self.atlas.open_neighbours(place, sea=word == "sail")
        return self.why_not(word, work, realm, near[0], place) if near else nowhere


def _troop(troop: TroopType) -> Choices:
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
