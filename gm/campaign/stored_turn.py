"""A played turn from its folder: the position it started from, orders, decisions, and its reports made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan, changed_name, decided, plan_events
from gm.campaign.play import PARTY_FILES, report_files, turn_result
from gm.campaign.verify import proof_of
from gm.core.diagnostics import Diagnostic
from gm.core.events import Event
from gm.core.sealing import Proof
from gm.core.values import Record
from gm.game.values import ReadOrders, TurnResult
from gm.store import BrokenFolderError
from gm.store.folder import TURN_FILE
from gm.store.formats import JsonObject
from gm.store.inbox import Decisions, decisions_of

_REJECTED = "rejected/"


class StoredTurn(Record):
    """Everything that the outcome of a played turn follows from.

    ``before`` is the state that the turn before left, ``opened`` the same with the GM's decisions in it, ``changes``
    what these changed. ``proof`` has the seed of its dice.
    """

    turn: int
    record: JsonObject
    before: Any
    opened: Any
    changes: tuple[Event, ...]
    plan: TurnPlan
    proof: Proof


def stored_turn(campaign: Campaign, turn: int, before: Any = None) -> StoredTurn:
    """A turn from its folder; ``before``: the state to start from, if not that which the turn before left on the disk.

    Raises ``StoreError`` when the folder lacks something or does not fit together.
    """
    folder, spec = campaign.folder, campaign.spec
    before = campaign.state_after(turn - 1) if before is None else before
    record = folder.turn_record(turn)
    decisions = decisions_of(record)
    opened, changes = campaign.opened_with(before, decisions)

    def read(realm: str, data: bytes, name: str, key: str | None = None) -> ReadOrders:
        return campaign.read_orders(data, name, realm, key, state=opened, late=realm in decisions.late)

    codes = [seat.code for seat in spec.seats(campaign.table, before)]
    orders = folder.orders(turn, codes)
    # the key is not asked for: it was right when the turn was played, and the realm may have another player now
    readings = {realm: read(realm, data, f"{realm}.yaml") for realm, data in orders.items()}
    set_aside: dict[str, tuple[Diagnostic, ...]] = {}
    for realm, names in record.get("set_aside", {}).items():
        for name in names:
            path = folder.turn_path(turn) / "orders" / name
            if realm in codes and path.is_file():
                by_hand = folder.settings.keys and name == changed_name(realm)
                key = _key_then(campaign, turn, realm) if by_hand else None
                set_aside[realm] = (*set_aside.get(realm, ()), *read(realm, path.read_bytes(), name, key).diagnostics)
    try:
        readings, noted = decided(campaign, readings, decisions)
    except ValueError as error:
        raise BrokenFolderError(f"{folder.turn_path(turn)}: {error}.") from None
    strays = tuple(record["strays"]) if "strays" in record else tuple(_strays(campaign, turn))
    plan = TurnPlan(
        readings=readings,
        files=orders,
        set_aside=set_aside,
        strays=strays,
        decisions=decisions,
        events=plan_events(strays, noted, decisions),
    )
    proof = proof_of(record.get("proof"), TURN_FILE) or campaign.proof(turn, orders)
    return StoredTurn(turn, record, before, opened, changes, plan, proof)


def results_of(campaign: Campaign, turn: int) -> Iterator[tuple[str, JsonObject]]:
    """(realm, data) of the results files of a turn that are there and can be read."""
    for path in sorted((campaign.folder.turn_path(turn) / "results").glob("*.yaml")):
        try:
            yield path.stem, campaign.spec.results_data(path.read_bytes(), str(path))
        except ValueError:
            continue  # whoever compares the file says so


def _key_then(campaign: Campaign, turn: int, realm: str) -> str | None:
    """The key that a realm's orders needed when the turn was played: its results of the turn before name it."""
    path = campaign.folder.turn_path(turn - 1) / "results" / f"{realm}.yaml"
    known = campaign.keys_of(turn).get(realm)
    if not path.is_file():
        return known
    try:
        return str(campaign.spec.results_data(path.read_bytes(), str(path)).get("key", "")) or known
    except ValueError:
        return known


def _strays(campaign: Campaign, turn: int) -> list[str]:
    """The files of nobody, in a turn of an earlier version that did not list them: their names tell."""
    folder = campaign.folder.turn_path(turn) / "orders"
    found = [path.name for path in (folder / _REJECTED).glob("unknown-*.yaml")]
    numbered = sorted((int(digits), name) for name in found if (digits := name[8:-5]).isdigit())
    return [f"{_REJECTED}{name}" for _, name in numbered]


def played_turn(campaign: Campaign, turn: int) -> TurnResult:
    """A turn as it was played, from its folder. Turn 0 is the start. Raises ``StoreError``."""
    folder, after = campaign.folder, campaign.state_after(turn)
    seal = folder.turn_record(turn).get("next_seal") or campaign.seal(turn + 1)
    if turn == 0:
        start = TurnPlan(decisions=Decisions(languages=campaign.languages, programs=campaign.programs))
        return turn_result(campaign, 0, start, after, after, (), next_seal=seal)
    stored = stored_turn(campaign, turn)
    known = {"proof": stored.proof, "tally": campaign.tally(turn), "next_seal": seal}
    return turn_result(campaign, turn, stored.plan, stored.before, after, campaign.logged(turn), **known)


def turn_reports(campaign: Campaign, turn: int, *, everybody: bool = False) -> Mapping[str, bytes]:
    """The report files of a played turn, made again; for ``everybody``, also those of seats that bots play."""
    return report_files(campaign, played_turn(campaign, turn), everybody=everybody)


def party_reports(campaign: Campaign, turn: int, party: str) -> dict[str, bytes]:
    """The report files of a played turn that are for one party, whoever plays it, made again."""
    made = turn_reports(campaign, turn, everybody=True)
    return {name: made[name] for form in PARTY_FILES if (name := form.format(party)) in made}
