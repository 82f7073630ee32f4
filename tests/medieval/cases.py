"""Cases of rules as data (``cases/*.yaml``): a position, orders, the steps to run, and all that comes of it.

A case names its sentence and clauses, what of the test world is different (as in ``make_world``), what the
turn has ``done`` already to units and how it has marked provinces (``marks``), and what to ``run``: steps by
name, ``move`` for First Events and all phases, or the whole ``turn``. Orders are texts; ``sheets`` are orders
that the reader of files would refuse already, each with what is ``written`` for it. ``rules`` are other rules
of battle, with test troops and dice that are certain (see warfare.py), ``numbers`` the highest of units,
``movement`` other numbers of movement.

The ``outcome`` has all events but dice, and all changes. Where ``bots`` are named, it has what each orders
for England, and which of its orders would fail by themselves; where England's orders are to be ``tried``,
what its player is told of them; where questions are ``asked`` about the turn, the answers; where realms are
named to whom something ``changed``, what their pages say of it; where its battles on ``land``, at ``sea`` or
at a ``border`` are to be ``told``, their stories.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

from gm.core.codec import encode
from gm.core.pipeline import Step
from gm.core.sealing import Proof
from gm.core.values import PUBLIC, DiceRolled, Event
from gm.core.yaml.models import load_data
from gm.core.yaml.source import Source
from gm.games.medieval.analysis.trial import preview_orders
from gm.games.medieval.analysis.why.asking import explain
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Orders, Structure, Written
from gm.games.medieval.pipeline import STAGES
from gm.games.medieval.report.battle_story import Storyteller
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import phase_opens
from gm.games.medieval.steps.outcomes import OrderSettled
from gm.text.languages import ENGLISH
from tests.medieval.battleground import battle_story
from tests.medieval.botland import asked, illegal
from tests.medieval.movement import move
from tests.medieval.order_reading import HEADER, read
from tests.medieval.reportland import changes_of, record_of
from tests.medieval.testland import Played, atlas, make_turn, play, rules, with_marks, world_of
from tests.medieval.warfare import sure_rules

CASES = Path(__file__).with_name("cases")
STEPS: dict[str, Step] = {step.name: step for stage in STAGES for step in stage.steps} | {
    "phase_opens": phase_opens
}
READ: Mapping[str, Any] = {
    **dict.fromkeys(("armies", "commanders"), tuple),
    **dict.fromkeys(("troops", "landings", "counts"), dict),
    "structure": Structure,
    "amount": Decimal,
}
"""Fields of orders that are not read as they stand."""
NAMES = {"AQU": "Aquitaine", "DEN": "Denmark", "ENG": "England", "FRA": "France", "NOR": "Norway"}
"""What realms are called where a case is read aloud."""
TOLD = {"land": ["land_battles_fought", "province_ownership_changes"]}
TOLD |= {"sea": ["sea_battles_fought"], "border": ["cross_border_battles_fought"]}
HIDDEN = {"audience", "step", "phase", "line", "column"}


@dataclass(frozen=True)
class Case:
    """One case; ``fields`` are as they are written."""

    file: Path
    sentence: str
    fields: Mapping[str, Any]

    @property
    def outcome(self) -> list[str]:
        """What is expected."""
        return list(self.fields["outcome"])

    @property
    def clauses(self) -> list[str]:
        return str(self.fields["clauses"]).split()


def all_cases() -> Iterator[Case]:
    """Every case of every file."""
    for file in sorted(CASES.glob("*.yaml")):
        yield from (Case(file, fields["case"], fields) for fields in load_data(file)[0])


def sheet_of(realm: str, body: Mapping[str, Any]) -> Orders:
    """Orders that are given one by one."""

    def order(fields: Mapping[str, Any]) -> Any:
        more = {name: READ.get(name, lambda value: value)(value) for name, value in fields.items()}
        written = Written(more.pop("line", 1), 1, more.pop("written", "order"))
        return getattr(model, more.pop("order"))(written, **more)

    lists = {name: tuple(map(order, body.get(name, ()))) for name in ("headquarters", "units")}
    plans = {name: tuple(map(order, plan)) for name, plan in body.get("plans", {}).items()}
    return Orders(realm, body.get("turn", 1), plans=plans, contact=body.get("contact", ""), **lists)


def outcome_of(fields: Mapping[str, Any]) -> list[str]:
    """What comes of a case, a line for each event and change."""
    names = {code: {"name": name} for code, name in NAMES.items()} if "told" in fields else {}
    world = world_of({**fields, "realms": names | fields.get("realms", {})})
    if "bots" in fields:
        return list(chain.from_iterable(ordered_by(name, world) for name in fields["bots"].split()))
    if "tried" in fields:
        return list(tried(world, fields["tried"]))
    if "asked" in fields:
        return list(answered(world, fields.get("orders", {}), fields["asked"]))
    if "changed" in fields:
        record = record_of(world, fields.get("orders", {}))
        language = fields.get("language", ENGLISH)
        return list(
            chain.from_iterable(page_lines(record, realm, language) for realm in fields["changed"].split())
        )
    return steps_outcome(world, fields)


def steps_outcome(world: World, fields: Mapping[str, Any]) -> list[str]:
    """What comes of the steps, the movement or the turn that a case runs.

    A step must not change what it is given.
    """
    if "told" in fields:
        owners = {name: {"owner_last_phase": land.owner} for name, land in world.provinces.items()}
        fields = {"marks": owners, "run": TOLD[fields["told"]], "phase": 1, **fields}
    run = fields["run"]
    orders = fields.get("orders", {})
    seed = str(fields.get("seed", "test"))
    if run in ("move", ["move"]):
        return story(make_turn(world).state, move(world, orders, seed=seed))
    if run in ("turn", ["turn"]):
        return story(world, play(world, orders, seed=seed))
    sheets = {realm: sheet_of(realm, body) for realm, body in fields.get("sheets", {}).items()}
    turn = make_turn(world, {**orders, **sheets}, seed)
    turn = turn.evolve(rules=rules_of(fields, turn.rules))
    state = with_marks(turn.state, fields.get("done"), fields.get("marks"))
    turn = turn.evolve(state=state)
    events = list[Event]()
    before = encode(state)
    for name in [run] if isinstance(run, str) else run:
        outcome = STEPS[name](turn.at_step(name, fields.get("phase", 0)))
        turn = turn.evolve(state=outcome.state)
        events += outcome.events
    assert encode(state) == before, "a step changed its input"
    played = Played(world, turn.state, tuple(events))
    language = fields.get("language", ENGLISH)
    return battles_told(played, turn.rules, language) if "told" in fields else story(state, played)


def rules_of(fields: Mapping[str, Any], usual: Rules) -> Rules:
    """Return the rules of a case: the usual ones but for what it changes."""
    by = sure_rules(**fields["rules"]) if "rules" in fields else usual
    if "numbers" in fields:
        by = by.evolve(units=by.units.evolve(number_limit=fields["numbers"]))
    if "movement" in fields:
        by = by.evolve(movement=by.movement.evolve(**fields["movement"]))
    return by


def battles_told(played: Played, by: Rules, language: str = ENGLISH) -> list[str]:
    """Every battle as a reader has it, sentence by sentence."""
    followed = (event.evolve(phase=1) for event in played.events)
    teller = Storyteller(MedievalFormatter(played.before, played.world, language=language), by, followed)
    stories = [teller.story(fought.report) for fought in played.only(BattleFought)]
    assert all(3 <= len(story) <= 7 for story in stories)
    return list(chain.from_iterable(stories))


def ordered_by(name: str, world: World) -> Iterator[str]:
    """The file of a bot below its head."""
    yield f"{name}:"
    body = asked(name, world, "ENG").data.decode().partition("\n\n")[2]
    yield from (line for line in body.splitlines() if line)
    yield from (f"would fail: {order.order}" for order in illegal(name, world, "ENG"))


def page_lines(result: MedievalResult, realm: str, language: str) -> Iterator[str]:
    """What a realm's page says has changed, line by line in its order: title, tone, what it names and
    leads to.
    """
    yield f"{realm}:"
    for line in changes_of(result, realm, language):
        pieces = (f"{piece.text} ({piece.note}) #{piece.anchor}" for piece in line.pieces)
        yield f"  {line.title} [{line.tone}]: {', '.join(pieces)}".replace(" ()", "")


def tried(world: World, body: str) -> Iterator[str]:
    """England's orders, each with its fate and cost; findings, the plan by phase, the books (O2, H1)."""
    text = HEADER + body
    sheet, findings = read(text, world=world)
    assert sheet is not None, [finding.render() for finding in findings]
    preview = preview_orders(
        world, "ENG", sheet if body else None, rules(), atlas(), Source("ENG.yaml", text)
    )
    for order in preview.orders:
        fate = f"{order.fate}{f', open to {order.hangs_on}' if order.hangs_on else ''}"
        yield f"{order.order}: {fate}, gold {order.gold}, moves {order.moves} {order.reason}".rstrip()
    yield from (
        f"{finding.line} {finding.code} {finding.clause}: {finding.message}" for finding in preview.findings
    )
    for phase in preview.plan:
        where = (
            f"{key} {at.place} {at.aboard} {at.moves}".replace("  ", " ") for key, at in phase.units.items()
        )
        yield f"phase {phase.phase}: {', '.join(where)}"
    yield f"ordered: {', '.join(preview.ordered)}"
    yield from (f"{line.says}: {line.amount or ''} = {line.balance}" for line in preview.books)
    yield ", ".join(f"{name} {amount}" for name, amount in preview.sums)


def answered(world: World, orders: Mapping[str, str], questions: list[str]) -> Iterator[str]:
    """The sentences that answer questions about the turn, each with its clause."""
    proof = Proof(turn=1, seal="", secret="", order_files={}, seed="test")
    record = record_of(world, orders, proof=proof)
    for question in questions:
        yield f"{question}?"
        for answer in explain(record, record.before, question.split()):
            yield f"{'  ' * answer.depth}{answer.text} {answer.clause}".rstrip()


def story(before: World, played: Played) -> list[str]:
    """Every event but the dice in order, then what has become of the position."""
    lines: list[str] = []
    for event in played.events:
        if isinstance(event, BattleFought):
            lines += battle_story(event)
        elif not isinstance(event, DiceRolled):
            lines.append(event_line(event))
    # which plans are open follows from the rest
    first, last = (
        json.loads(encode(world.evolve(progress=world.progress.evolve(plans=None))))
        for world in (before, played.world)
    )
    return lines + [f"{' '.join(path)}: {shown(value)}" for path, value in changes(first, last)]


def event_line(event: Event) -> str:
    """An event with its figures, and who alone is told of it."""
    phase = f"{event.phase} " if event.phase else ""
    if isinstance(event, OrderSettled):
        why = f" {event.reason} {figures(event.figures)}" if event.reason else ""
        return f"{phase}{event.audience} {event.text!r}: {event.fate.value}{why}".rstrip()
    secret = "" if event.audience == PUBLIC else f" (only {event.audience})"
    fields = {name: getattr(event, name) for name in type(event).__struct_fields__ if name not in HIDDEN}
    return f"{phase}{type(event).__name__}{secret} {figures(fields)}".rstrip()


def shown(value: Any) -> str:
    """A value of the state; of a new unit or its progress what is not as usual."""
    if isinstance(value, dict):
        return (
            ", ".join(
                f"{name} {shown(field_value)}"
                for name, field_value in value.items()
                if field_value or field_value == "0"
            )
            or "as usual"
        )
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def figures(fields: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {dict(value) if isinstance(value, Mapping) else value}" for name, value in fields.items()
    )


def changes(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What is different, down to the fields of each realm, province and unit: (where, what it is now)."""
    if isinstance(before, dict) and isinstance(after, dict) and path[-1:] not in (("troops",), ("settled",)):
        for key in dict.fromkeys([*before, *after]):
            yield from changes(before.get(key), after.get(key), (*path, key))
    elif before != after:
        yield path, after


def rewritten(text: str, outcomes: Mapping[str, list[str]]) -> str:
    """A file of cases with other outcomes, by sentence."""
    parts = []
    for part in re.split(r"(?m)^(?=- case: )", text):
        head, _, _ = part.partition("  outcome:")
        sentence = json.loads(head.splitlines()[0].removeprefix("- case: ")) if head else ""
        lines = [f"  - {quoted(line)}\n" for line in outcomes.get(sentence, [])]
        parts.append(
            "".join([head, "  outcome:\n" if lines else "  outcome: []\n", *lines]) if head else part
        )
    return "".join(parts)


def quoted(line: str) -> str:
    """A line as a text of YAML."""
    return json.dumps(line, ensure_ascii=False) if "'" in line or "\\" in line else f"'{line}'"
