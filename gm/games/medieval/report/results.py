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
from gm.core.values import GM, PUBLIC, DiceRolled, Event, Record
from gm.games.medieval.analysis.forecast import Forecast
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import Province, Realm, Unit, World
from gm.games.medieval.steps.outcomes import OrderSettled
from gm.games.medieval.steps.turn import TreasuryChanged
from gm.store.disk import merge_chunks
from gm.store.folder import own_rolls
from gm.text.layout import block, by_step, entry, finding_record, flow, flow_line, items, read_data, section

__all__ = ["FORMAT", "Results", "public_world", "read_results"]

FORMAT = 1  # the version of the results format. A reader refuses a higher one

_IN_PRIVATE = (OrderSettled, TreasuryChanged)  # events that stand in the private part already

# of the forecast: what pages and checks tell, no file of turns
_NOT_IN_FILES = ("at_worst", "at_best", "exposed")
_EVENT = "\n    - "


class Results:
    """Writes every realm's results file of one turn. ``battle_files`` names each battle's page, in order."""

    def __init__(
        self,
        result: MedievalResult,
        formatter: MedievalFormatter,
        battle_files: Iterable[str] = (),
    ) -> None:
        """Prepare the common part of all realms' results files."""
        self._result = result
        self._formatter = formatter
        self._position = _encoded(position_lines(result.after))
        files = iter(battle_files)
        lines_of_step = by_step(
            (event, (event.audience, _event_line(event, line, files)))
            for event, line in zip(result.events, result.lines, strict=True)
            if event.audience != GM and type(event) not in _IN_PRIVATE
        )
        # what comes in a row for the same readers is put together once, not for each realm's file
        self._events = {f"{heading}\n".encode(): _runs(lines) for heading, lines in lines_of_step.items()}
        self._rolled = [event for event in result.events if isinstance(event, DiceRolled) and event.private]
        self._private: dict[str, list[Event]] = {}
        for event in result.events:
            if event.audience not in (PUBLIC, GM):
                self._private.setdefault(event.audience, []).append(event)

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
        place = {
            "results": FORMAT,
            "game": result.game,
            "map": result.atlas.name,
            "realm": realm,
            "turn": result.turn,
        }
        when = {"season": season, "year": year, "key": result.keys.get(realm, "")}
        orders = {"orders_received": sheet is not None, "orders_late": sheet is not None and sheet.late}
        due = {"next_deadline": result.deadline, "next_seal": result.next_seal}
        dice = {"dice": to_plain(result.proof), "luck": result.tally.get("luck", {})}
        for name, value in (place | when | orders | due | dice).items():
            yield entry(name, value)

    def _private_part(self, realm: str, forecast: Forecast) -> Iterator[str]:
        """Yield the lines of the private part."""
        own_events = self._private.get(realm, [])
        result = self._result
        yield "private:"
        yield f"  {entry('treasury_before', str(result.before.realms[realm].treasury))}"
        yield f"  {entry('treasury', str(result.after.realms[realm].treasury))}"
        changes = [f"    - {_change(event)}" for event in own_events if isinstance(event, TreasuryChanged)]
        yield from section("treasury_changes", changes, 2, "[]")
        # what follows from the rest is left out, as it always was: turns that were played long ago come out
        # the same
        figures = to_plain(forecast)
        plain = forecast.least == forecast.most and not forecast.unpaid
        unsaid = {*_NOT_IN_FILES}
        if plain:
            unsaid |= {"unpaid", "least", "most", "later"}
        shown_figures = {name: value for name, value in figures.items() if name not in unsaid}
        yield f"  {entry('forecast', shown_figures)}"
        settled = [f"    - {self._outcome(event)}" for event in own_events if isinstance(event, OrderSettled)]
        yield from section("orders", settled, 2, "[]")
        for part, findings in (
            ("refused", result.refused(realm)),
            ("set_aside", result.set_aside.get(realm, ())),
        ):
            yield from section(part, items((finding_record(finding) for finding in findings), 4), 2, "[]")
        yield from section("rolls", items(own_rolls(self._rolled, realm), 4), 2, "[]")

    def _outcome(self, event: OrderSettled) -> str:
        """Return the line of an order's outcome."""
        # the most frequent line of all: what it looks like need not be found out by going through a record of
        # it
        order = encode_text(event.text)
        fate = encode_text(event.fate)
        begun = f'{{"line": {event.line}, "column": {event.column}, "order": {order}, "fate": {fate}'
        if not event.reason:
            return flow_line(f"{begun}}}")
        clause, says = self._formatter.reason(event.reason, event.figures)
        details = {"clause": clause, "reason": event.reason, "says": says, "figures": event.figures}
        return flow_line(f"{begun}, {json_line(details)[1:]}")


def _encoded(lines: Iterable[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def _runs(lines: Iterable[tuple[str, str]]) -> list[tuple[str, bytes]]:
    """Return (audience, text) of consecutive lines for the same audience."""
    runs = []
    for audience, run in groupby(lines, key=itemgetter(0)):
        text = _EVENT.join([line for _, line in run])
        runs.append((audience, f"    - {text}\n".encode()))
    return runs


def _change(event: TreasuryChanged) -> str:
    """Return a change of a treasury as a line of the results file."""
    what = encode_text(event.what)
    step = encode_text(event.step)
    place = encode_text(event.place)
    fields = f'"what": {what}, "amount": "{event.amount}", "balance": "{event.balance}", "step": {step}'
    return flow_line(f'{{{fields}, "place": {place}}}' if event.place else f"{{{fields}}}")


def _event_line(event: Event, logged: str, battle_files: Iterator[str]) -> str:
    """Return an event as a line of the results file; a battle without its rounds, with the next page."""
    if isinstance(event, BattleFought):
        # the rounds are in the battle's own files: thirty battles would make this one too long to mail
        report = event.report
        fields = {"event": event.kind, "place": event.place, "battle": event.battle, "realms": report.realms}
        return flow(
            fields | {"winners": event.winners, "result": report.result, "page": next(battle_files, None)}
        )
    return flow_line(result_line(event, logged))


def battle_text(report: BattleReport) -> str:
    """Return a whole battle for programs in the results layout: every field, lists with one item a line."""
    lines = [entry("battle", FORMAT)]
    for name in BattleReport.__struct_fields__:
        value = getattr(report, name)
        if isinstance(value, tuple) and value and isinstance(value[0], Record):
            lines += section(name, [f"  - {flow_line(json_line(entry))}" for entry in value], 0, "[]")
        else:
            lines.append(f"{name}: {flow_line(json_line(value))}")
    return "\n".join(lines) + "\n"


def read_results(data: bytes, file: str) -> dict[str, Any]:
    """Return the data of a results file.

    Raises ``SourceError`` when it is no YAML; a newer format raises ``ValueError``.
    """
    results = read_data(data, file)
    if "results" not in results:
        raise ValueError(f"{file} is not a results file")
    if results["results"] != FORMAT:
        raise ValueError(
            f"{file} has results format {results['results']}; this program reads format {FORMAT}"
        )
    return results


def results_state(data: bytes, file: str) -> tuple[dict[str, Any], World]:
    """Return a results file's head and the world that it shows.

    Raises ``ValueError`` for an incomplete one.
    """
    results = read_results(data, file)
    try:
        return {name: results.get(name) for name in ("game", "realm", "turn", "key", "map")}, public_world(
            results
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        plain = f"it lacks {error}" if isinstance(error, KeyError) else "a part of it has another form"
        problem = error if isinstance(error, ValueError) else plain
        raise ValueError(f"{file} is no complete results file: {problem}") from None


_TABLES = ("realms", "provinces", "units")
_UNIT = ("name", "aboard", "leader", "retreat_level", "follow", "defend_fortifications", "marines")
_PROVINCE = tuple(name for name in Province.__struct_fields__ if name not in ("name", "owner", "permissions"))


def position_data(world: World) -> dict[str, Any]:
    """Return the public part of a world, as plain data without treasuries (W8).

    Defaults are left out. Treasuries, which :func:`public_world` needs too, are in another part of the file.
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
    """Return the ``position`` part of the results file.

    It is the same for every realm, with one realm, province or unit a line.
    """
    lines = ["position:"]
    for name, value in position_data(world).items():
        if name in _TABLES:
            lines += section(name, block(value, 4), 2, "{}")
        else:
            lines.append(f"  {entry(name, value)}")
    return lines


def _realm(realm: Realm) -> dict[str, Any]:
    seat: dict[str, Any] = {"name": realm.name, "ruler": realm.ruler, "status": realm.status.value}
    seat |= {"controller": realm.controller.value, "defeated": realm.defeated}
    return seat | {"refuses": sorted(realm.refuses), "passage": sorted(realm.passage)}


def province_data(province: Province) -> dict[str, Any]:
    """Return a province as plain data without defaults."""
    record: dict[str, Any] = {"owner": province.owner}
    record |= ((name, value) for name, value in zip(_PROVINCE, _of_province(province), strict=True) if value)
    if province.permissions:
        record["permissions"] = sorted(province.permissions)
    return record


_USUAL = tuple(field.default for field in structs.fields(Unit) if field.name in _UNIT)
_of_unit = attrgetter(*_UNIT)
_of_province = attrgetter(*_PROVINCE)


def unit_data(unit: Unit) -> dict[str, Any]:
    """Return a unit as plain data without defaults."""
    record: dict[str, Any] = {"place": unit.place}
    values = _of_unit(unit)
    if values != _USUAL:
        record |= (
            (name, value) for name, value, usual in zip(_UNIT, values, _USUAL, strict=True) if value != usual
        )
    if unit.troops:
        record["troops"] = {name: list(ranks) for name, ranks in unit.troops.items()}
    if unit.commanders:
        record["commanders"] = [structs.asdict(commander) for commander in unit.commanders]
    return record


def public_world(data: Mapping[str, Any]) -> World:
    """Return the public world of a results file, for `pbem check`.

    ``data``: that of the whole file. Unknown treasuries are 0; the reader's own is in the file. Raises
    ``ValueError`` or ``KeyError`` when it is no position.
    """
    position = data["position"]
    own_realm = data.get("realm")
    names_used = position.get("commander_names", ())  # files of earlier versions lack them
    treasury = Decimal(data.get("private", {}).get("treasury", 0))
    if not treasury.is_finite():
        raise ValueError("the treasury is no number")
    world = {
        **{name: position[name] for name in ("turn", "wars", "alliances", "victory_turns", "winners")},
        "commander_names": names_used,
        "realms": {
            code: {**fields, "code": code, "treasury": treasury if code == own_realm else Decimal(0)}
            for code, fields in position["realms"].items()
        },
        "provinces": {name: {**fields, "name": name} for name, fields in position["provinces"].items()},
        "units": {key: _unit_fields(key, fields) for key, fields in position["units"].items()},
    }
    return from_plain(world, World)


def _unit_fields(key: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit's fields in a results file together with those in its key."""
    realm, _, unit_id = key.partition("/")
    return {**fields, "realm": realm, "kind": unit_id[:1], "number": int(unit_id[1:])}
