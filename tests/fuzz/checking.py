"""What must be true of every turn of every game: a sentence for each thing that is not."""

import json
from collections.abc import Iterator
from random import Random

from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan
from gm.campaign.play import play_turn, turn_files
from gm.core.pipeline import Outcome
from gm.core.values import DiceRolled
from gm.game.values import TurnResult
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.state import World
from gm.games.medieval.steps.outcomes import OrderSettled
from gm.store.formats import JsonObject
from tests.medieval.books import audit


def outcome_problems(
    campaign: Campaign, plan: TurnPlan, played: TurnResult, before: JsonObject, *, files: bool
) -> Iterator[str]:
    """Yield the problems of a turn that was played and not yet written.

    ``before``: the record of the state it was played from; ``files``: also compare each file of the turn for
    another order of the order files, besides state, log and dice.
    """
    spec = campaign.spec
    table = campaign.table
    outcome: Outcome[World] = Outcome(played.after, played.events)
    yield from audit(played.before, played.sheets, outcome, table.board)
    yield from spec.broken(table, played.after)
    if spec.record(campaign.state) != before:
        yield "the state that was played from has changed"
    yield from _places(played.after)
    yield from _findings(plan)
    if not files and played.after.turn % 2:
        return
    # whatever comes of the order of the files: state, log, dice and every file
    turned = plan.evolve(
        readings=dict(reversed(plan.readings.items())),
        set_aside=dict(reversed(plan.set_aside.items())),
        unreadable=dict(reversed(plan.unreadable.items())),
    )
    other = play_turn(campaign, turned)
    if (other.after, other.events, other.proof) != (played.after, played.events, played.proof):
        yield "the turn depends on the order of the files"
    asked = ((plan, played), (turned, other)) if files else ()
    first, second = [turn_files(campaign, p, q, html=False) for p, q in asked] or ({}, {})
    for name in sorted({*first, *second}):
        if first.get(name) != second.get(name):
            yield f"{name} depends on the order of the files"


def _places(world: World) -> Iterator[str]:
    """Nothing negative, and nobody in two places or in none."""
    for unit in world.units.values():
        if unit.aboard is not None and world.units[unit.aboard].place != unit.place:
            yield f"{unit.key} is in {unit.place} and its fleet elsewhere"
        if any(count < 0 for ranks in unit.troops.values() for count in ranks):
            yield f"{unit.key} has less than no troops"
        if any(
            not 0 <= tactic <= 100
            for c in unit.commanders
            for tactic in (c.infantry, c.cavalry, c.siege, c.naval)
        ):
            yield f"{unit.key} has a commander of impossible skill"
    names = [(unit.realm, commander.name) for unit in world.units.values() for commander in unit.commanders]
    for name in sorted({name for name in names if names.count(name) > 1 and name[0] != "IND"}):
        yield f"the commander {name} is in two places"
    for realm in world.realms.values():
        if realm.treasury < 0:
            yield f"{realm.code} has {realm.treasury} gold"


def _findings(plan: TurnPlan) -> Iterator[str]:
    """Every finding has a place inside its file."""
    for realm, reading in plan.readings.items():
        lines = len(plan.files[realm].splitlines()) + 1
        for diagnostic in reading.diagnostics:
            if not diagnostic.code or not diagnostic.message or not 0 <= diagnostic.line <= lines:
                yield f"{diagnostic} of {realm} has no place or says nothing"


def file_problems(campaign: Campaign, played: TurnResult, random: Random, *, pages: bool) -> Iterator[str]:
    """About the files of the newest turn, read from the disk by somebody who was not there."""
    spec = campaign.spec
    table = campaign.table
    turn = campaign.newest_turn
    folder = campaign.folder.turn_path(turn)
    if campaign.snapshot != played.after:
        yield "the state on the disk is not that which was played"
    if spec.state(json.loads(json.dumps(spec.record(played.after)))) != played.after:
        yield "the state does not come back from its record"
    if campaign.logged(turn) != played.events:
        yield "the log on the disk tells other events"
    paths = sorted((folder / "results").glob("*.yaml"))
    for path in random.sample(paths, min(2, len(paths))):
        data = path.read_bytes()
        head, public = spec.results_state(data, path.name)
        if (head["realm"], head["turn"]) != (path.stem, turn):
            yield f"{path.name} says that it is {head}"
        if public.units != played.after.units or public.provinces != played.after.provinces:
            yield f"{path.name} shows another position"
        yield from _private_part(path.stem, spec.results_data(data, path.name), played)
    templates = sorted((folder / "next").glob("*.yaml"))
    for path in random.sample(templates, min(2, len(templates))):
        reading = spec.read_orders(
            table, played.after, path.read_bytes(), path.name, game="fuzz", realm=path.stem, key=None
        )
        if reading.sheet is None or reading.diagnostics:
            complaints = [diagnostic.render() for diagnostic in reading.diagnostics]
            yield f"the template {path.name} is not clean: {complaints}"
    if pages:
        yield from _pages(campaign, played, random)


def _private_part(realm: str, data: JsonObject, played: TurnResult) -> Iterator[str]:
    """What a realm is told of its orders and its gold is what happened."""
    private = data["private"]
    mine = [event for event in played.events if event.audience == realm]
    if len(private["orders"]) != sum(isinstance(event, OrderSettled) for event in mine):
        yield f"{realm} is told of {len(private['orders'])} orders"
    if private["treasury"] != str(played.after.realms[realm].treasury):
        yield f"{realm} is told that it has {private['treasury']} gold"


def _pages(campaign: Campaign, played: TurnResult, random: Random) -> Iterator[str]:
    """The pages, the mails' lines, and answers to why: nothing of it may fail for any turn."""
    spec = campaign.spec
    table = campaign.table
    turn = campaign.newest_turn
    folder = campaign.folder.turn_path(turn)
    nobody_reads = {seat.code for seat in campaign.seats if seat.bot}
    for realm in played.after.realms:
        page = folder / "results" / f"{realm}.html"
        if page.is_file() == (realm in nobody_reads):
            yield f"the page of {realm} is {'written for nobody' if page.is_file() else 'missing'}"
        elif page.is_file() and not page.read_text(encoding="utf-8").rstrip().endswith("</html>"):
            yield f"the page of {realm} has no end"
    if set(spec.digests(table, played)) != set(played.after.realms):
        yield "not everybody gets a digest"
    if not list(spec.summary(table, played)):
        yield "the summary is empty"
    spec.warnings(table, played)
    spec.tally({}, played.events)
    yield from _answers(campaign, played, random)


def _answers(campaign: Campaign, played: TurnResult, random: Random) -> Iterator[str]:
    """Yield what `explain` has no answer to, of drawn questions about a turn."""
    opened = campaign.state_after(campaign.newest_turn - 1)
    realm = random.choice(sorted(played.after.realms))
    units = [unit for unit in opened.units if unit.startswith(f"{realm}/")]
    questions: list[tuple[str, ...]] = [
        (realm,),
        (realm, "gold"),
        (random.choice(sorted(opened.provinces)),),
        ("luck",),
    ]
    questions += [(random.choice(units),)] if units else []
    questions += [("battle", event.place) for event in played.events if isinstance(event, BattleFought)][:2]
    for question in questions:
        if not list(campaign.spec.explain(campaign.table, played, opened, question)):
            yield f"{' '.join(question)} has no answer"
    if any(not event.label for event in played.events if isinstance(event, DiceRolled)):
        yield "a roll has no label"
