"""The results file of a realm: machine-readable, with the public position (W8, O2), and the world read back.

A file has a head (format version, game, realm, turn, key) and three parts: ``position``, what everybody may
know; ``private``, what only this realm may know; ``events``, what happened step by step, as far as this realm
may see it. Gold is text, exact to 1/100. The position and the public events are put into text once and shared
by all realms' files.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from json.encoder import encode_basestring as encode_text
from operator import attrgetter, itemgetter
from typing import Any

from msgspec import structs

from gm.core.codec import from_plain, json_line, result_line, to_plain
from gm.core.diagnostics import message_of, says
from gm.core.values import GM, PUBLIC, DiceRolled, Event, Record
from gm.games.medieval.analysis.forecast import Forecast
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import Province, Realm, Unit, World
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from gm.store.disk import merge_chunks
from gm.store.folder import own_rolls
from gm.text.layout import block, by_step, entry, finding_record, flow, flow_line, items, read_data, section

__all__ = ["FORMAT", "Results", "public_world", "read_results"]

FORMAT = 1  # the version of the results format. A reader refuses a higher one

_IN_PRIVATE = (OrderSettled, TreasuryChanged)  # events that are in the private part already
_NOT_IN_FILES = ("at_worst", "at_best", "exposed")  # fields of the forecast that only pages and checks tell
_EVENT = "\n    - "  # what is between the lines of two events


class Results:
    """Writes every realm's results file of one turn.

    ``battle_files``: the path of each battle's page, in the order of the battles.
    """

    def __init__(
        self,
        result: MedievalResult,
        formatter: MedievalFormatter,
        battle_files: Iterable[str] = (),
    ) -> None:
        """Prepare the common part of all realms' results files.

        ``battle_files``: the names of the battles' pages, in the order in which they were fought; without
        them the events of battles name no page.
        """
        self._result = result
        self._formatter = formatter
        self._position = _encoded(position_lines(result.after))
        battle_pages = iter(battle_files)
        lines_of_step = by_step(
            (event, (event.audience, _event_line(event, line, battle_pages)))
            for event, line in zip(result.events, result.lines, strict=True)
            if event.audience != GM and type(event) not in _IN_PRIVATE
        )
        # (audience, text) of the events of each step, by the step's heading: consecutive events for the same
        # readers are put together once, not for each realm's file
        self._events = {f"{heading}\n".encode(): _runs(lines) for heading, lines in lines_of_step.items()}
        self._private_rolls = [
            event for event in result.events if isinstance(event, DiceRolled) and event.private
        ]
        self._private_events: dict[str, list[Event]] = {}  # by realm
        for event in result.events:
            if event.audience not in (PUBLIC, GM):
                self._private_events.setdefault(event.audience, []).append(event)

    def data(self, realm: str, forecast: Forecast) -> list[bytes]:
        """Return the realm's file, in pieces.

        ``forecast`` is its H1 forecast for the next turn, before any orders.
        """
        parts: list[bytes] = []
        for heading, runs in self._events.items():
            visible_lines = [lines for audience, lines in runs if audience in (PUBLIC, realm)]
            if visible_lines:
                parts += (heading, *visible_lines)
        head = _encoded(self._head(realm))
        private = _encoded(self._private_part(realm, forecast))
        return merge_chunks(
            [head, self._position, private, b"events:\n" if parts else b"events: {}\n", *parts]
        )

    def _head(self, realm: str) -> Iterator[str]:
        """Yield the lines of a realm's file above its parts."""
        result = self._result
        season, year = season_of(result.turn, result.rules)
        sheet = result.sheets.get(realm)
        yield "# The results of one turn. One item a line, each in JSON; gold is text, exact to 1/100."
        head = {
            "results": FORMAT,
            "game": result.game,
            "map": result.atlas.name,
            "realm": realm,
            "turn": result.turn,
        }
        head |= {"season": season, "year": year, "key": result.keys.get(realm, "")}
        orders = {"orders_received": sheet is not None, "orders_late": sheet is not None and sheet.late}
        next_turn = {"next_deadline": result.deadline, "next_seal": result.next_seal}
        dice = {"dice": to_plain(result.proof), "luck": result.tally.get("luck", {})}
        for name, value in (head | orders | next_turn | dice).items():
            yield entry(name, value)

    def _private_part(self, realm: str, forecast: Forecast) -> Iterator[str]:
        """Yield the lines of the private part of a realm's file."""
        own_events = self._private_events.get(realm, [])
        result = self._result
        yield "private:"
        yield f"  {entry('treasury_before', str(result.before.realms[realm].treasury))}"
        yield f"  {entry('treasury', str(result.after.realms[realm].treasury))}"
        changes = [f"    - {_change(event)}" for event in own_events if isinstance(event, TreasuryChanged)]
        yield from section("treasury_changes", changes, 2, "[]")
        left_out = {*_NOT_IN_FILES}
        if forecast.least == forecast.most and not forecast.unpaid:
            # these follow from the rest: the first versions did not write them, and old turns stay the same
            left_out |= {"unpaid", "least", "most", "later"}
        figures = {name: value for name, value in to_plain(forecast).items() if name not in left_out}
        yield f"  {entry('forecast', figures)}"
        settled = [f"    - {self._outcome(event)}" for event in own_events if isinstance(event, OrderSettled)]
        yield from section("orders", settled, 2, "[]")
        for part, findings in (
            ("refused", result.refused(realm)),
            ("set_aside", result.set_aside.get(realm, ())),
        ):
            yield from section(part, items((finding_record(finding) for finding in findings), 4), 2, "[]")
        yield from section("rolls", items(own_rolls(self._private_rolls, realm), 4), 2, "[]")

    def _outcome(self, event: OrderSettled) -> str:
        """Return the line of an order's outcome."""
        # put together as text, which is faster than encoding a record: this is the most frequent line of all
        order = encode_text(event.text)
        fate = encode_text(event.fate)
        start = f'{{"line": {event.line}, "column": {event.column}, "order": {order}, "fate": {fate}'
        if not event.reason:
            return flow_line(f"{start}}}")
        clause, says = self._formatter.reason(event.reason, event.figures)
        details = {"clause": clause, "reason": event.reason, "says": says, "figures": event.figures}
        without_brace = json_line(details)[1:]
        return flow_line(f"{start}, {without_brace}")


def _encoded(lines: Iterable[str]) -> bytes:
    """Return lines, each with a line break, in UTF-8."""
    return "\n".join([*lines, ""]).encode()


def _runs(lines: Iterable[tuple[str, str]]) -> list[tuple[str, bytes]]:
    """Return (audience, text) for each run of consecutive lines for the same audience.

    ``lines``: (audience, an event's line).
    """
    runs = []
    for audience, run in groupby(lines, key=itemgetter(0)):
        text = _EVENT.join([line for _, line in run])
        runs.append((audience, f"    - {text}\n".encode()))
    return runs


def _change(event: TreasuryChanged) -> str:
    """Return a change of a treasury as a line of the results file."""
    what = encode_text(event.what)
    step = encode_text(event.step)
    fields = f'"what": {what}, "amount": "{event.amount}", "balance": "{event.balance}", "step": {step}'
    if event.place:
        fields = f'{fields}, "place": {encode_text(event.place)}'
    return flow_line(f"{{{fields}}}")


def _event_line(event: Event, logged: str, battle_pages: Iterator[str]) -> str:
    """Return an event as a line of the results file.

    ``logged``: its line in the log. A battle is without its rounds and with its page, the next of
    ``battle_pages``.
    """
    if isinstance(event, BattleFought):
        # the rounds are in the battle's own files: thirty battles would make this one too long to mail
        report = event.report
        fields: dict[str, Any] = {
            "event": event.kind,
            "place": event.place,
            "battle": event.battle,
            "realms": report.realms,
        }
        fields |= {"winners": event.winners, "result": report.result, "page": next(battle_pages, None)}
        return flow(fields)
    return flow_line(result_line(event, logged))


def battle_text(report: BattleReport) -> str:
    """Return a battle's file for programs: every field of its report, in lists of records one item a line."""
    lines = [entry("battle", FORMAT)]
    for name in BattleReport.__struct_fields__:
        value = getattr(report, name)
        if isinstance(value, tuple) and value and isinstance(value[0], Record):
            lines += section(name, [f"  - {flow_line(json_line(entry))}" for entry in value], 0, "[]")
        else:
            lines.append(f"{name}: {flow_line(json_line(value))}")
    return "\n".join(lines) + "\n"


def read_results(data: bytes, file: str) -> dict[str, Any]:
    """Return the data of a results file. ``file``: its name, for messages.

    Raises ``SourceError`` when it is no YAML, ``ValueError`` for another kind of file or another format.
    """
    results = read_data(data, file)
    if "results" not in results:
        raise ValueError(says("{0} is not a results file", file))
    if results["results"] != FORMAT:
        pattern = "{0} has results format {1}; this program reads format {2}"
        raise ValueError(says(pattern, file, results["results"], FORMAT))
    return results


def results_state(data: bytes, file: str) -> tuple[dict[str, Any], World]:
    """Return (some fields of a results file's head by name, the world that the file shows).

    Raises ``SourceError`` if it is no YAML, ``ValueError`` if it is another kind of file or incomplete.
    """
    results = read_results(data, file)
    head = {name: results.get(name) for name in ("game", "realm", "turn", "key", "map")}
    try:
        return head, public_world(results)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        problem: str = says("a part of it has another form")
        if isinstance(error, KeyError):
            problem = says("it lacks {0}", error)
        elif isinstance(error, ValueError):
            problem = message_of(error)
        raise ValueError(says("{0} is no complete results file: {1}", file, problem)) from None


_TABLES = ("realms", "provinces", "units")  # the parts of the position with one item a line
# the fields of units and provinces that are left out when they have their default
_UNIT_FIELDS = ("name", "aboard", "leader", "retreat_level", "follow", "defend_fortifications", "marines")
_PROVINCE_FIELDS = tuple(
    name for name in Province.__struct_fields__ if name not in ("name", "owner", "permissions")
)


def position_data(world: World) -> dict[str, Any]:
    """Return the public part of a world as plain data, without treasuries (W8).

    Fields of units and provinces with their default are left out.
    """
    return {
        "turn": world.turn,
        "realms": {code: _realm(realm) for code, realm in world.realms.items()},
        "wars": sorted(world.wars),
        "alliances": sorted(world.alliances),
        "provinces": {name: province_data(land) for name, land in world.provinces.items()},
        "units": {key: unit_data(unit) for key, unit in world.units.items()},
        "victory_turns": dict(world.victory_turns),
        "winners": list(world.winners),
        "commander_names": sorted(world.commander_names),
    }


def position_lines(world: World) -> list[str]:
    """Return the lines of a results file's ``position`` part: one realm, province or unit a line.

    It is the same in every realm's file.
    """
    lines = ["position:"]
    for name, value in position_data(world).items():
        if name in _TABLES:
            lines += section(name, block(value, 4), 2, "{}")
        else:
            lines.append(f"  {entry(name, value)}")
    return lines


def _realm(realm: Realm) -> dict[str, Any]:
    """Return the public fields of a realm as plain data."""
    fields: dict[str, Any] = {"name": realm.name, "ruler": realm.ruler, "status": realm.status.value}
    fields |= {"controller": realm.controller.value, "defeated": realm.defeated}
    return fields | {"refuses": sorted(realm.refuses), "passage": sorted(realm.passage)}


def province_data(province: Province) -> dict[str, Any]:
    """Return a province as plain data without defaults."""
    record: dict[str, Any] = {"owner": province.owner}
    values = _province_values(province)
    record |= ((name, value) for name, value in zip(_PROVINCE_FIELDS, values, strict=True) if value)
    if province.permissions:
        record["permissions"] = sorted(province.permissions)
    return record


_UNIT_DEFAULTS = tuple(field.default for field in structs.fields(Unit) if field.name in _UNIT_FIELDS)
# they return the values of the fields above
_unit_values = attrgetter(*_UNIT_FIELDS)
_province_values = attrgetter(*_PROVINCE_FIELDS)


def unit_data(unit: Unit) -> dict[str, Any]:
    """Return a unit as plain data, without defaults and without what its key says."""
    record: dict[str, Any] = {"place": unit.place}
    values = _unit_values(unit)
    if values != _UNIT_DEFAULTS:
        fields = zip(_UNIT_FIELDS, values, _UNIT_DEFAULTS, strict=True)
        record |= ((name, value) for name, value, default in fields if value != default)
    if unit.troops:
        record["troops"] = {name: list(ranks) for name, ranks in unit.troops.items()}
    if unit.commanders:
        record["commanders"] = [structs.asdict(commander) for commander in unit.commanders]
    return record


def public_world(data: Mapping[str, Any]) -> World:
    """Return the world of a results file as its realm knows it, for `pbem check`.

    ``data``: the whole file's. The treasuries of other realms, which it does not have, are 0. Data of another
    form raise ``ArithmeticError``, ``AttributeError``, ``LookupError``, ``TypeError`` or ``ValueError``.
    """
    position = data["position"]
    own_realm = data.get("realm")
    treasury = Decimal(data.get("private", {}).get("treasury", 0))
    if not treasury.is_finite():
        raise ValueError(says("the treasury is no number"))
    world = {
        **{name: position[name] for name in ("turn", "wars", "alliances", "victory_turns", "winners")},
        "commander_names": position.get("commander_names", ()),  # files of earlier versions lack them
        "realms": {
            code: {**fields, "code": code, "treasury": treasury if code == own_realm else Decimal(0)}
            for code, fields in position["realms"].items()
        },
        "provinces": {name: {**fields, "name": name} for name, fields in position["provinces"].items()},
        "units": {key: _unit_fields(key, fields) for key, fields in position["units"].items()},
    }
    return from_plain(world, World)


def _unit_fields(key: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit's fields of a results file, with realm, kind and number from its key (``ENG/A1``)."""
    realm, _, unit_id = key.partition("/")
    return {**fields, "realm": realm, "kind": unit_id[:1], "number": int(unit_id[1:])}
