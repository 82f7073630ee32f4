"""A played turn as its files tell it: its plan, to be replayed, and what its results announced (W12).

A report that is written again, and a replay, announce what was true then, not what has changed since.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.plan import CHANGED_FILE, SortedFiles, TurnPlan, planned_turn
from gm.campaign.withdrawal import proof_of
from gm.core.diagnostics import says
from gm.core.yaml.source import Source
from gm.store import BrokenFolderError
from gm.store.folder import TURN_FILE
from gm.store.formats import JsonObject
from gm.store.inbox import Decisions, decisions_of
from gm.store.places import TurnPath
from gm.text.languages import Translate


def stored_turn(campaign: Campaign, turn: int, before: Any = None) -> TurnPlan:
    """Return the plan of a played turn from its folder. Raises ``StoreError``.

    ``before``: the state from which it begins; None: the one that the turn before left on the disk.
    """
    before = campaign.state_after(turn - 1) if before is None else before
    record = campaign.record(turn)
    decisions = decisions_of(record)
    opened = campaign.opened_with(before, decisions)
    opened_state, _ = opened
    folder = campaign.folder.turn_path(turn)
    codes = [seat.code for seat in campaign.spec.seats(campaign.table, before)]
    files = _sorted_files(campaign, turn, codes, opened_state, decisions)
    strays = record.get("strays", _strays_in(folder))
    try:
        plan = planned_turn(campaign, turn, before, opened, files, strays, decisions)
    except ValueError as error:
        raise BrokenFolderError(says("{0}: {1}.", folder, error)) from None
    proof = proof_of(record.get("proof"), TURN_FILE) or campaign.proof(turn, plan.hashes)
    return plan.evolve(proof=proof, record=record)


def _sorted_files(
    campaign: Campaign, turn: int, codes: Sequence[str], opened: Any, decisions: Decisions
) -> SortedFiles:
    """Return the order files in the folder of a turn, read as they were when it was played.

    ``codes``: all parties; ``opened``: the state after the GM's ``decisions``. Files that counted need no
    key: it was right then, and the realm may have another player now.
    """
    reader = campaign.reader(opened)
    files = SortedFiles()
    for realm, data in campaign.folder.orders(turn, codes).items():
        files.readings[realm] = reader.read(data, f"{realm}.yaml", realm, late=realm in decisions.late)
    set_aside: Mapping[str, Sequence[str]] = campaign.record(turn).get("set_aside", {})
    for realm in codes:
        for name in set_aside.get(realm, ()):
            path = campaign.folder.turn_path(turn) / "orders" / name
            if path.is_file():
                # only a file that was changed in the inbox is read with its key, as when the turn was played
                key = _key_then(campaign, turn, realm) if name == CHANGED_FILE.format(realm) else None
                reading = reader.read(path.read_bytes(), name, realm, key, late=realm in decisions.late)
                files.add_unreadable(realm, name, reading)
    return files


def _key_then(campaign: Campaign, turn: int, realm: str) -> str | None:
    """Return the key that a realm's orders for a turn needed, from the results of the turn before.

    None: they needed none.
    """
    if not campaign.folder.settings.keys:
        return None
    results = dict(results_of(campaign, turn - 1)).get(realm, {})
    # without those results, the key that the player of today would have had
    return str(results.get("key", "")) or campaign.keys_of(turn).get(realm)


def _strays_in(folder: TurnPath) -> list[str]:
    """Return the names of the files of no realm in a turn's folder, in the order of their numbers.

    The records of earlier versions do not list them.
    """
    numbers: list[int] = []
    for path in (folder / "orders/rejected").glob("unknown-*.yaml"):
        digits = path.name.removeprefix("unknown-").removesuffix(".yaml")
        if digits.isdigit():
            numbers.append(int(digits))
    return [f"rejected/unknown-{number}.yaml" for number in sorted(numbers)]


def results_of(campaign: Campaign, turn: int) -> Iterator[tuple[str, JsonObject]]:
    """Yield (realm, data) of each results file of a turn; files that cannot be read are left out."""
    for path in sorted((campaign.folder.turn_path(turn) / "results").glob("*.yaml")):
        try:
            yield path.stem, campaign.spec.results_data(path.read_bytes(), str(path))
        except ValueError:
            continue  # the audit and the replay report it


def announced_with(campaign: Campaign, turn: int) -> dict[str, Any]:
    """Return what a turn's results announced of the next one: ``next_seal`` and ``deadline``, if known.

    A report that is written again says the same as the first: later changes were announced by letter. Where
    the turn's record lacks the deadline, as in earlier versions, the results are read. The keys that they
    announced are left out: a new player's report must not show the former player's key.
    """
    record = campaign.record(turn)
    results = dict(results_of(campaign, turn))
    announcement: dict[str, Any] = {}
    seal = record.get("next_seal")
    if seal:
        announcement["next_seal"] = str(seal)
    deadlines = [str(data.get("next_deadline", "")) for data in results.values() if "realm" in data]
    if "next_deadline" in record:
        announcement["deadline"] = str(record["next_deadline"])
    elif deadlines:
        announcement["deadline"] = deadlines[0]
    return announcement


def steward_orders(campaign: Campaign, turn: int, realm: str, translate: Translate) -> Sequence[str] | None:
    """Return the orders, each in words, that a steward gave for a realm in a played turn.

    None if no steward acted for it.
    """
    if realm not in decisions_of(campaign.record(turn)).deputies:
        return None
    plan = stored_turn(campaign, turn)
    file = plan.readings[realm]
    source = Source(f"{realm}.yaml", file.data.decode("utf-8", "replace"))
    preview = campaign.spec.preview(campaign.table, plan.opened, realm, file.sheet, source, translate)
    return [tried_order.order for tried_order in preview.orders]
