"""What one realm keeps to itself is changed, and not a byte of what others get changes (W8)."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.campaign.play import play_turn, turn_files
from gm.core.diagnostics import Diagnostic
from gm.core.sealing import next_seal, turn_proof
from gm.game.values import GameData, OrderFile, TurnResult
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.store.folder import GameFolder
from gm.store.inbox import fingerprint
from tests.commands import command
from tests.examples import sweep
from tests.fuzz.samples import GAME

HEAD = "orders: 1\ngame: minsk\nrealm: {realm}\nturn: 1\nkey: x\n"
ORDERS = {
    "LIT": (
        "headquarters: {declare_war: [TEU], proclamation: Hear ye}\nunits: {Minsk: {recruit: {Archers: 2}}}\n"
    ),
    "POL": "headquarters: {send_gold: {LIT: 3}, send_ambassador: [LIT]}\n",
    "TEU": "headquarters: {refuse_gifts: [POL]}\nunits:\n  A99:\n    plan: [hold]\n",
}


@cache
def table() -> GameData:
    return SPEC.shipped_table(GAME)


@cache
def start() -> World:
    world: World = SPEC.start(table(), SPEC.maps()[GAME], None)
    # enough that no sum below makes a difference to what can be paid
    return world.with_realms(*(realm.evolve(treasury=Decimal(5000)) for realm in world.realms.values()))


def read(realm: str, body: str, contact: str = "") -> OrderFile:
    data = (HEAD.format(realm=realm) + body).encode()
    reading = SPEC.read_orders(table(), start(), data, f"{realm}.yaml", game=GAME, realm=realm, key=None)
    assert reading.sheet is not None
    return replace(reading, sheet=SPEC.with_contact(reading.sheet, contact or f"{realm.lower()}@example.org"))


def files(
    teutonic: str = ORDERS["TEU"],
    *,
    state: World | None = None,
    contact: str = "",
    keys: Mapping[str, str] | None = None,
    set_aside: Mapping[str, tuple[Diagnostic, ...]] | None = None,
    late: bool = False,
    **more: Any,
) -> dict[str, bytes]:
    """Every file of turn 1, played with the same dice whatever the Order's file says: their seed is
    public.
    """
    world = start() if state is None else state
    readings = {realm: read(realm, body) for realm, body in ORDERS.items() if realm != "TEU"}
    order = read("TEU", teutonic, contact)
    readings["TEU"] = replace(order, sheet=replace(order.sheet, late=late))
    proof = turn_proof("secret", GAME, 1, {realm: fingerprint(realm.encode()) for realm in ORDERS})
    outcome = SPEC.play(
        table(), world, {realm: reading.sheet for realm, reading in readings.items()}, proof.seed
    )
    played = TurnResult(
        game=GAME,
        before=world,
        after=outcome.state,
        events=outcome.events,
        readings=readings,
        keys={
            "LIT": "key-of-lit",
            "NOV": "key-of-nov",
            "POL": "key-of-pol",
            "TEU": "key-of-teu",
            **(keys or {}),
        },
        set_aside=set_aside or {},
        deadline="Friday",
        proof=proof,
        next_seal=next_seal("secret", GAME, 2),
        tally=SPEC.tally({}, outcome.events),
        **more,
    )
    return dict(SPEC.reports(table(), played))


def of_others(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What everybody but the Order gets: his own files, and those for all. The summary is the GM's."""
    return {
        name: data for name, data in files.items() if "TEU" not in name and not name.startswith("summary")
    }


@cache
def usual() -> Mapping[str, bytes]:
    return files()


def richer(field: str, value: Any) -> World:
    return start().with_realms(start().realms["TEU"].evolve(**{field: value}))


FOUND = Diagnostic("error", "source/tab", "a tab stands here, behind a secret", "x.yaml", 3, 1)
CHANGES: dict[str, Callable[[], dict[str, bytes]]] = {
    "a note in the order file": lambda: files("# we march on Minsk\n" + ORDERS["TEU"] + "# in two turns\n"),
    "an order that is not understood": lambda: files(ORDERS["TEU"] + "  A98: {plan: [march: Atlantis]}\n"),
    "an order that fails": lambda: files(ORDERS["TEU"].replace("A99", "A97")),
    "a gift that nobody can pay": lambda: files(
        "headquarters: {refuse_gifts: [POL], send_gold: {LIT: 90000}}\n"
    ),
    "an offer that nobody returns": lambda: files(
        "headquarters: {refuse_gifts: [POL], offer_alliance: [POL]}\n"
    ),
    "orders that stand": lambda: files("standing: 5\nready: no\nvote: draw\n" + ORDERS["TEU"]),
    "its address": lambda: files(contact="other@example.com"),
    "its next key": lambda: files(keys={"TEU": "another-key"}),
    "a file that was set aside": lambda: files(set_aside={"TEU": (FOUND,)}),
    "a file that came late": lambda: files(late=True),
    "its treasury": lambda: files(state=richer("treasury", Decimal("6543.21"))),
    "its language": lambda: files(languages={"TEU": "de"}),
}


@pytest.mark.clause("W8")
@pytest.mark.parametrize("what", CHANGES)
def test_what_a_realm_keeps_to_itself_changes_no_byte_for_others(what: str) -> None:
    files_made = CHANGES[what]()
    assert of_others(files_made) == of_others(usual())


# notes and addresses are told to nobody, and this game speaks one language
UNSEEN = ("a note in the order file", "its address", "its language")


@pytest.mark.clause("W8")
@pytest.mark.parametrize("what", [name for name in CHANGES if name not in UNSEEN])
def test_the_change_is_seen_by_the_realm_itself(what: str) -> None:
    """Else it would be no change: what a realm is told of itself is not the same."""
    files_made = CHANGES[what]()
    assert any(files_made[name] != data for name, data in usual().items() if "TEU" in name)


@pytest.mark.clause("F7")
def test_only_the_realm_to_which_an_ambassador_goes_reads_the_address() -> None:
    names = sorted(name for name, data in usual().items() if b"pol@example.org" in data)
    assert names == ["results/LIT.html", "results/LIT.yaml"]


def test_something_public_does_change_others_files() -> None:
    """The comparison can fail."""
    assert of_others(files("headquarters: {declare_war: [POL]}\n")) != of_others(usual())


# -- whatever the GM's folder knows besides ------------------------------------------------------------------

FOLDER_CHANGES: dict[str, tuple[str, str]] = {
    "name": ('name: "Theo"', 'name: "Theodora"'),
    "email": ("theo@example.org", "dora@example.com"),
    "zone": ('name: "Theo"', 'name: "Theo", zone: "America/New_York"'),
    "absent": ('name: "Theo"', 'name: "Theo", absent_until: 7'),
    "seated": ('name: "Theo"', 'name: "Theo", seated: 1'),
    "steward": ('name: "Theo"', 'name: "Theo", absent_until: 7, absent_since: 1, deputy: steward'),
    "deputy": ('name: "Theo"', 'name: "Theo", deputy: steward'),
}


@pytest.mark.clause("W8")
@pytest.mark.parametrize("what", sweep(FOLDER_CHANGES, "email"))
@pytest.mark.slow
def test_who_plays_a_realm_changes_no_byte_for_others(what: str, tmp_path: Path) -> None:
    made = []
    for name in ("one", "other"):
        folder = tmp_path / name / "minsk"
        seats = ["--player=LIT=Anna <anna@example.org>", "--player=TEU=Theo <theo@example.org>"]
        dates = ("--first", "2026-01-09", "--at", "2026-01-05 12:00")
        command("new", folder, *seats, "--seed", "x", "--key-secret", "x", *dates)
        if name == "other":
            path = folder / "players.yaml"
            old, new = FOLDER_CHANGES[what]
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1
            path.write_text(text.replace(old, new), encoding="utf-8")
        campaign = Campaign(GameFolder(folder), SPEC)
        plan = turn_plan(campaign)
        files_written = turn_files(campaign, plan, play_turn(campaign, plan))
        made.append(
            {n: d for n, d in files_written.items() if n.startswith(("results/", "next/")) and "TEU" not in n}
        )
    assert made[0] == made[1]
