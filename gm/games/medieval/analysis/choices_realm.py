"""The choices of each unit of a realm, except for its ways (O4, O5), and what all tables of choices need.

Tables hold answers about the turn as it opens: costs, and indices of refusals. Each refusal is put into words
only once.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache, cached_property
from typing import Any, NamedTuple

from gm.games.medieval.analysis.exposure import Threats
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import Unit, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps import construction, provinces, recruiting
from gm.games.medieval.steps.administration import why_not_follow
from gm.games.medieval.steps.bookkeeping import phase_opens, turn_opens
from gm.games.medieval.steps.conquest import why_not_pillage
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.movement import homeless_fleets_depart
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.transfers import fleet_storage_checked
from gm.games.medieval.steps.turn import Turn, Workspace
from gm.games.medieval.steps.units import holds_ships, salvage, why_not_form
from gm.text.languages import ENGLISH
from gm.text.words import Said

Answer = int | str | None  # a cost, or the index of a refusal as text; None where nobody asks
Choices = dict[str, Any]  # a table, or a part of one
NOWHERE = model.Written(0, 0, "")  # for orders that are in no file

_FIGURE = re.compile(r"\{(\w+)(:[^}]+)?\}")


class Blank(NamedTuple):
    """Stands for a figure that the reader of a table fills in, under this name."""

    name: str


def cents(gold: Decimal) -> int:
    """Return an amount in hundredths of gold."""
    return int(gold * 100)


Sentence = Callable[..., tuple[str, str]]  # returns (clause, words) for a reason and its figures


class Answers:
    """Makes answers of refusals; each refusal is put into words once, and has an index.

    ``pools``: by name, a resource that orders use up: [how much there is, answer when it is used up].
    """

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._index_of: dict[tuple[str, str], str] = {}  # by (clause, sentence)
        self.pools: Choices = {}

    def __call__(
        self, refusal: Refusal | None, cost: int | None = 0, blanks: Mapping[str, Blank] = {}
    ) -> Answer:
        """Return the index of a refusal, or ``cost`` without one.

        ``blanks``: by value, the blank that is put in the place of a figure with this value.
        """
        if refusal is None:
            return cost
        figures = refusal.figures.items()
        if blanks:
            figures = {name: blanks.get(figure, figure) for name, figure in figures}.items()
        return self._index_of.setdefault(self._sentence(refusal.reason, *figures), str(len(self._index_of)))

    def table(self) -> list[tuple[str, str]]:
        """Return (clause, sentence) of each refusal, in the order of their indices."""
        return list(self._index_of)


class ChoiceContext:
    """Answers what can be ordered in a turn, as it opens, by its rules; refusals are put into words."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas, language: str = ENGLISH) -> None:
        """Open the turn after ``world``; the attribute ``world`` is that of the opened turn."""
        turn: Turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={}, seed="")
        self.world: World = turn_opens(turn).state
        self.turn: Turn = turn.evolve(state=self.world)
        self.rules = rules
        self.atlas = atlas
        self.formatter = MedievalFormatter(world, sentences={}, language=language)
        self.sentence = cache(self._sentence)

    @cached_property
    def annexed(self) -> Mapping[str | None, int]:
        """The number of provinces annexed to each realm, by code; under None, of those annexed to nobody."""
        return provinces.annexed_counts(self.world)

    @cached_property
    def threats(self) -> Threats:
        """The places that all units could reach at most."""
        return Threats(self.world, self.rules, self.atlas)

    @cached_property
    def site(self) -> construction.Site:
        """The world for questions about works: at peace (L8), with no moves.

        Fleets without anchorage or room have lost their cargo (M5, M7).
        """
        turn = self.turn
        for step in (phase_opens, homeless_fleets_depart, fleet_storage_checked):
            turn = turn.evolve(state=step(turn.at_step(step.name, 1)).state)
        site = construction.Site(turn)
        construction.repair_in_peace(site)
        return site

    def _sentence(self, reason: str, *named_figures: tuple[str, Any]) -> tuple[str, str]:
        """Return (clause, sentence) of a reason with these figures; those that are blanks stay blanks."""
        reason_entry = load_reasons()[reason]
        figures = dict(named_figures)

        def put(match: re.Match[str]) -> str:
            """Return the text of one figure of the pattern; a blank stays for the page to fill."""
            value = figures[match[1]]
            noun = match[2] or ""  # with the colon before it
            if isinstance(value, Blank):
                return f"{{{value.name}{noun}}}"
            return format(Said(self.formatter.words(value, match[1])), noun[1:])

        return reason_entry.clause, _FIGURE.sub(put, self.formatter.translate(reason_entry.says))


def unit_choices(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """Return what a unit can be ordered to do, by the order's word: one answer, or a mapping of these keys.

    ``of``: answers by troop type, unit or structure; ``pool``: the resource that each one ordered uses up;
    ``part``: whether an order for more than there is gets what there is; ``workers``: how many each
    structure takes. Beside the words, ``ships`` says whether the garrison may hold ships.
    """
    world = turn.world
    rules = turn.rules
    atlas = turn.atlas
    at_sea = atlas.is_sea(unit.place)
    opening = Workspace(turn.turn)

    def form_answer(kind: str) -> Answer:
        # the number does not matter: it counts as not taken
        order = model.FormUnit(NOWHERE, unit.id, f"{kind}1", None)
        return says(why_not_form(opening, unit, order, taken=False))

    def follow_answer(other: Unit) -> Answer:
        return says(why_not_follow(unit, other, model.Follow(NOWHERE, unit.id, other.id), Draft(world)))

    choices: Choices = {
        "form": {"of": {kind: form_answer(kind) for kind in "AF"}},
        "disband": {
            "of": {
                name: -cents(salvage(rules.troops[name], at_sea=at_sea, rules=rules)) for name in unit.troops
            }
        },
    }
    if unit.is_garrison:
        choices |= _hire_choices(turn, unit, says)
        choices["ships"] = holds_ships(world.provinces[unit.place], atlas)
    else:
        same_kind = [
            other_unit
            for other_unit in world.of_realm(unit.realm)
            if other_unit.kind is unit.kind and other_unit.key != unit.key
        ]
        choices["follow"] = {
            # following nobody costs nothing
            "of": {"": 0} | {other_unit.id: follow_answer(other_unit) for other_unit in same_kind}
        }
    if not unit.is_fleet:
        choices |= _work_choices(turn, unit, says)
        if not at_sea:
            gold = cents(province_revenue(world.provinces[unit.place], atlas, rules))
            choices["pillage"] = says(why_not_pillage(world, rules, unit, already=False), -gold)
    return choices


def _hire_choices(turn: ChoiceContext, garrison: Unit, says: Answers) -> Choices:
    """Return by word a garrison's choices of recruits and of commanders to hire.

    They have the form of :func:`unit_choices`. What they use up is put into ``says.pools``: the city's
    resource, and what is left of the realm's limit of commanders.
    """
    world = turn.world
    rules = turn.rules
    atlas = turn.atlas

    def why_not_recruit(name: str) -> Refusal | None:
        """Return why the garrison cannot recruit one soldier or ship of this type; None if it can."""
        return recruiting.why_not_recruit(
            world, garrison, model.Recruit(NOWHERE, garrison.id, name, 1), rules, atlas
        )

    city = recruiting.city_of(garrison, atlas)
    if city is None:
        recruit: Any = says(why_not_recruit(""))  # the same for all troop types
    else:
        offered = [name for name in city.recruits if name in rules.troops]
        prices = {name: says(why_not_recruit(name), cents(rules.troops[name].cost)) for name in offered}
        recruit = {"of": prices, "pool": garrison.place, "part": True}
        short = refuse(
            "resource-too-little", ordered=Blank("ordered"), left=Blank("left"), place=garrison.place
        )
        says.pools[garrison.place] = [city.resource, says(short)]
    serving = sum(len(unit.commanders) for unit in world.of_realm(garrison.realm))
    limit = rules.statuses[world.realms[garrison.realm].status].commanders
    says.pools["commanders"] = [
        max(0, limit - serving),
        says(refuse("commanders-limit", limit=limit, has=serving)),
    ]
    # the answer leaves the limit to the pool: it is given as if one more were allowed
    order = model.HireCommander(NOWHERE, garrison.id, 1)
    refusal = recruiting.why_not_hire(world, garrison, order, min(serving, limit - 1), rules, atlas)
    hired = {"of": {"": says(refusal, cents(rules.commanders.price))}, "pool": "commanders", "part": True}
    return {"recruit": recruit, "hire_commander": hired}


def _work_choices(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """Return by word a unit's choices of works (L8, L8.1, L10), after the repairs of a turn of peace.

    They have the form of :func:`unit_choices`.
    """
    rules = turn.rules
    site = turn.site
    unit = site.world.units.get(unit.key, unit)  # as it is when work begins
    if turn.atlas.is_sea(unit.place):
        return dict.fromkeys(("build", "repair", "raze"), says(construction.why_not_work(site, unit)))
    land = site.province(unit.place)
    why_no_work = construction.why_not_work(site, unit)

    def build_answer(order: model.Build | model.Repair, work: construction.Work) -> Answer:
        """Return the price of a work, or why it cannot be ordered."""
        return says(why_no_work or construction.why_not_construct(site, unit, order), cents(work.gold))

    def raze_answer(order: model.Raze) -> Answer:
        """Return the gold that razing brings, as a price below 0, or why it cannot be ordered."""
        gold = cents(construction.razed_gold(order.structure, land.fortification, rules))
        return says(why_no_work or construction.why_not_raze(site, unit, order), -gold)

    builds = {structure.value: model.Build(NOWHERE, unit.id, structure) for structure in Structure}
    razes = {structure.value: model.Raze(NOWHERE, unit.id, structure) for structure in Structure}
    repair = model.Repair(NOWHERE, unit.id)
    work_of_name = {name: construction.work_of(order, land, rules) for name, order in builds.items()}
    return {
        "build": {
            "of": {name: build_answer(order, work_of_name[name]) for name, order in builds.items()},
            "workers": {name: work.workers for name, work in work_of_name.items()},
        },
        "repair": build_answer(repair, construction.work_of(repair, land, rules)),
        "raze": {
            "of": {name: raze_answer(order) for name, order in razes.items()},
        },
    }
