"""What a realm may choose in its next orders, as tables: legal targets, costs, why the others fail (O2).

The turn's own ``why_not`` functions fill the tables in, on the world as the next turn opens; a page adds them
up and decides nothing. An answer is a number, the cost (hundredths of gold, or move-points for moves), or a
text: the index in ``says`` of the reason and its clause. What is in no table is not known beforehand: a trial
of the orders shows it.

``says`` are pairs (clause, sentence). ``{needs}``, ``{to}``, its ``{owner}`` and their like in a sentence are
filled in by the reader; so are nouns that are counted, ``{needs:move-point}``.

Two tables: :meth:`TurnChoices.shared`, what all realms share, and :meth:`TurnChoices.of_realm`.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any

from gm.games.medieval.analysis import choices_realm
from gm.games.medieval.analysis.choices_file import (
    SaidReason,
    choices_file,
    plain_title,
    titles,
    troop_figures,
)
from gm.games.medieval.analysis.choices_headquarters import headquarters_choices
from gm.games.medieval.analysis.choices_realm import Answer, Answers, Blank, ChoiceContext, Choices, cents
from gm.games.medieval.analysis.odds.attacks import Attacks, Scenes, fights_for
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import troop_names
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.worded import phrases
from gm.games.medieval.state import Unit, UnitKind, World, pair
from gm.games.medieval.steps.diplomacy import end_rights
from gm.games.medieval.steps.loading import CERTAIN, why_not_board, why_not_load, why_not_unload
from gm.games.medieval.steps.movement import is_homeless, march_cost, sail_cost, why_not_march, why_not_sail
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.transfers import why_not_transfer
from gm.games.medieval.steps.turn import Workspace
from gm.text.languages import ENGLISH

BY_DICE = -1  # the answer of what dice decide, such as a landing on enemy land (M8)
_PAID = "needs-move-points"
_WAYS = {
    "march": {(False, False)},
    "sail": {(False, True), (True, False), (True, True)},
    "load": {(True, False)},
    "unload": {(True, False)},
}
"""By word, the kinds of places between which a unit moves by it: whether (the first, the second) is a sea."""
_EntryAnswer = tuple[Refusal | None, int | None, Mapping[str, Blank]]
"""(refusal, cost, blanks), which an ``Answers`` object makes an answer of."""


class TurnChoices(ChoiceContext):
    """The tables of one turn, for the ``world`` before it; those that all realms share are made once."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas, language: str = ENGLISH) -> None:
        """Prepare for the choices of every realm in a position."""
        super().__init__(world, rules, atlas, language)
        soldiers = [name for name, troop in rules.troops.items() if not troop.ship]
        ships = [name for name, troop in rules.troops.items() if troop.storage]
        # what ``_entry_answers`` returns, by all of a place that it depends on: the same for every realm
        self._cached_entry_answers: dict[
            tuple[Any, ...], tuple[_EntryAnswer, _EntryAnswer, _EntryAnswer]
        ] = {}
        # heads by rank: one soldier, whose army a fleet of nine ships can carry
        self._troops_of_probe = {
            UnitKind.ARMY: {soldiers[0]: (1, 0, 0, 0, 0)},
            UnitKind.FLEET: {ships[0]: (9, 0, 0, 0, 0)},
        }

    def probe(self, realm: str, kind: UnitKind, place: str, aboard: str | None = None) -> Unit:
        """Return a unit without any hindrance, to ask the rules about."""
        return Unit(
            realm=realm, kind=kind, number=0, place=place, aboard=aboard, troops=self._troops_of_probe[kind]
        )

    def why_not(self, word: str, work: Workspace, realm: str, a: str, b: str) -> Refusal | None:
        """Return why no unit of a realm can march, sail, load or unload (``word``) from ``a`` to ``b``.

        A lack of move-points is no reason: the page itself adds them up.
        """
        fleet = self.probe(realm, UnitKind.FLEET, a)
        if word == "march":
            refusal = why_not_march(work, self.probe(realm, UnitKind.ARMY, a), b)
        elif word == "sail":
            refusal = why_not_sail(work, fleet, b)
        elif word == "load":
            refusal = why_not_load(work, fleet, self.probe(realm, UnitKind.ARMY, b))
        else:  # unload
            army = self.probe(realm, UnitKind.ARMY, a, fleet.key)
            refusal = why_not_unload(work, fleet, army, army.key, b)
        return None if refusal is not None and refusal.reason == _PAID else refusal

    def shared(self) -> Choices:
        """Return the tables that all realms have in common.

        Among them are ``closed``: by word and pair of places (``from,to`` as indices) why the way between
        them is closed; ``said``: the reasons that the page itself finds, by name; ``titles``: button labels
        of order words and structures, if they differ from the plain ones; ``phrases``: orders in words.
        """
        says = Answers(self.sentence)
        choice_file = choices_file()
        leads = self.rules.commanders
        translate = self.formatter.translate
        limits = {
            name: attrgetter(path)(self.rules) if path else CERTAIN
            for name, path in choice_file.limits.items()
        }

        title_of_name = {name: translate(title) for name, title in titles().items()}

        def said(reason: SaidReason) -> Answer:
            """Return a reason as an answer, with blanks and limits in its figures."""
            blanks = {figure: Blank(blank) for figure, blank in reason.blanks.items()}
            figures = {figure: limits[limit] for figure, limit in reason.figures.items()}
            return says(refuse(reason.reason, **blanks, **figures))

        return {
            "closed": {word: dict(self._closed_ways(says, word)) for word in _WAYS},
            "troops": {name: troop_figures(troop) for name, troop in self.rules.troops.items()},
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
            "titles": {name: title for name, title in title_of_name.items() if title != plain_title(name)},
            "phrases": {word: translate(phrase) for word, phrase in phrases().items()},
            # last: it holds what the entries above have put into words
            "says": says.table(),
        }

    def _closed_ways(self, says: Answers, word: str) -> Iterable[tuple[str, Answer]]:
        """Yield (``from,to`` as places' indices, why) for each way that no realm can go by this word.

        It is closed even if all provinces are own and have harbours.
        """
        realm = next(iter(self.world.realms))  # whichever: the way is closed to all
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
        peace = self._entry_answers_by_word(world, realm, says)
        at_war = self._at_war(realm, other_codes)
        _, sorts_of_places = self._sorts
        entries_at_war = self._entry_answers_by_word(at_war, realm, says)
        units = world.of_realm(realm)
        fleets = (unit for unit in units if unit.is_fleet and not unit.empty)
        return {
            "headquarters": headquarters_choices(self, realm, says),
            "units": {unit.id: choices_realm.unit_choices(self, unit, says) for unit in units},
            "pools": says.pools,
            "homeless": [fleet.id for fleet in fleets if is_homeless(world, self.atlas, fleet)],
            "fleeing": self._fleeing_realms(at_war, other_codes),
            "enter": {
                word: list(map(answers.__getitem__, sorts_of_places)) for word, answers in peace.items()
            },
            "war": {
                word: self._different_answers(answers, peace[word])
                for word, answers in entries_at_war.items()
            },
            **self._hosts(realm, other_codes, says),
            # last: it holds what the entries above have put into words
            "says": says.table(),
        }

    def _hosts(self, realm: str, others: Iterable[str], says: Answers) -> Choices:
        """Return the answers ``board`` (M2) and ``receivers`` (M1) about ``others``, each by realm."""
        army = self.probe(realm, UnitKind.ARMY, self.atlas.provinces[0])
        # one army of each realm stands for all its units: only the realm decides
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

    def _fleeing_realms(self, world: World, realms: Sequence[str]) -> dict[int, list[str]]:
        """Return, by the index of a sea, a realm's code for each fleet that may flee there (M5).

        These are fleets of one of ``realms`` that have no anchorage in the ``world``.
        """
        realms_by_sea: dict[int, list[str]] = {}
        for fleet in world.of_kind(UnitKind.FLEET):
            if fleet.realm not in realms or fleet.empty or not is_homeless(world, self.atlas, fleet):
                continue
            for sea in self.atlas.open_neighbours(fleet.place, sea=True):
                realms_by_sea.setdefault(self.atlas.place_order[sea], []).append(fleet.realm)
        return realms_by_sea

    def _different_answers(self, answers: Sequence[Answer], usual: Sequence[Answer]) -> dict[int, Answer]:
        """Return the answers that differ from the ``usual`` ones, by the indices of places.

        ``answers`` and ``usual``: by sort of place.
        """
        other = {sort: answer for sort, answer in enumerate(answers) if answer != usual[sort]}
        if not other:
            return {}
        _, sorts_of_places = self._sorts
        return {index: other[sort] for index, sort in enumerate(sorts_of_places) if sort in other}

    @cached_property
    def attacks(self) -> Attacks:
        """Return the possible attacks of units, with their odds as all units are now."""
        return Attacks(
            Scenes(self.world, self.rules, self.atlas, fights_for(self.world)), self.formatter.translate
        )

    @cached_property
    def _shapes(self) -> dict[str, tuple[bool, ...]]:
        """By place: whether it is a sea, has an open border to land, has an open border to a sea."""
        near = self.atlas.graph.open_neighbours
        is_sea = self.atlas.is_sea
        ways = {name: set(map(is_sea, near(name))) for name in self.atlas.locations}
        return {name: (is_sea(name), False in kinds, True in kinds) for name, kinds in ways.items()}

    @cached_property
    def _sorts(self) -> tuple[list[str], list[int]]:
        """(The first place of each sort, the sort of every place in map order).

        Places of a sort have equal answers for every realm. A sort is an index of the first places.
        """
        sort_by_features: dict[tuple[Any, ...], int] = {}
        firsts = []
        sort_of = []
        for name in self.atlas.locations:
            land = self.world.provinces.get(name)
            features = (
                (self._shapes[name], land.owner, land.permissions, land.harbour)
                if land
                else self._shapes[name]
            )
            if features not in sort_by_features:
                sort_by_features[features] = len(sort_by_features)
                firsts.append(name)
            sort_of.append(sort_by_features[features])
        return firsts, sort_of

    def _entry_answers_by_word(
        self, world: World, realm: str, says: Answers
    ) -> dict[str, tuple[Answer, ...]]:
        """Return the answers about entering each sort of place, by word: ``march``, ``sail`` and ``unload``.

        The cost of a landing may be ``BY_DICE``.
        """
        answers_of: dict[tuple[Any, ...], list[Answer]] = {}  # march, sail and unload, by features of a place
        work = Workspace(self.turn.evolve(state=world))
        answers = []
        first_places, _ = self._sorts
        for name in first_places:
            land = world.provinces.get(name)
            shape = self._shapes[name]
            # the owner counts only by what it permits
            rights = (
                (land.harbour, world.has_permission(realm, name), world.is_enemy_land(realm, name))
                if land
                else ()
            )
            features = (*shape, *rights)
            if features not in answers_of:
                if features not in self._cached_entry_answers:
                    self._cached_entry_answers[features] = self._entry_answers(work, realm, name)
                answers_of[features] = [
                    says(*entry_answer) for entry_answer in self._cached_entry_answers[features]
                ]
            answers.append(answers_of[features])
        return dict(zip(("march", "sail", "unload"), zip(*answers, strict=True), strict=True))

    def _entry_answers(
        self, work: Workspace, realm: str, place: str
    ) -> tuple[_EntryAnswer, _EntryAnswer, _EntryAnswer]:
        """Return (answer by march, answer by sail, answer by landing) about entering a place."""
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
        ashore = self._why_not_across("march", work, realm, place, None)
        docked = self._why_not_across("sail", work, realm, place, refuse("no-harbour", place=place))
        return (ashore, marched, blanks), (docked, sailed, blanks), (landing, landed, blanks)

    def _why_not_across(
        self, word: str, work: Workspace, realm: str, place: str, nowhere: Refusal | None
    ) -> Refusal | None:
        """Return why no unit gets to a place across an open border; ``nowhere`` if it has none to cross.

        One neighbour stands for all: the reasons that differ are in other tables. ``word``: ``march`` or
        ``sail``.
        """
        near = self.atlas.open_neighbours(place, sea=word == "sail")
        return self.why_not(word, work, realm, near[0], place) if near else nowhere
