"""``pbem player``: who leaves, who takes over, who is away."""

from pathlib import Path

import pytest

from gm.store.folder import GameFolder
from tests.cli.conftest import AT, Run, content, key_of, write_orders
from tests.cli.posting import ADDRESSES, AFTER, BEFORE, LATER, START, Office
from tests.mail.correspondents import attachments

CARLA = "carla@example.org"
OLD = ADDRESSES["POL"]


def replace(run: Run, realm: str = "POL", email: str = CARLA, code: int = 0) -> str:
    return run(
        "player", "replace", realm, "--name", "Carla", "--email", email, "--at", LATER, code=code
    ).output


def test_a_new_player_has_keys_of_his_own_and_the_old_ones_open_nothing(game: Path, run: Run) -> None:
    old = key_of(game, "POL")
    run("receive", write_orders(game, "POL"), "--at", AT)
    said = replace(run)
    assert "Carla plays Poland from turn 1 on" in said
    assert "handbook.html" in said
    player = GameFolder(game).players.of("POL")
    assert player is not None
    assert (player.name, player.email, player.seated, player.absent_until) == ("Carla", CARLA, 1, None)
    assert key_of(game, "POL") != old
    # what the old one had ordered does not count, and cannot be sent again
    assert not (game / "inbox/turn-01/POL.yaml").exists()
    run("receive", write_orders(game, "POL", key=old), "--at", AT, code=1)
    assert not (game / "inbox/turn-01/POL.yaml").exists()
    template = (game / "turns/turn-00/next/POL.yaml").read_text()
    assert f"key: {key_of(game, 'POL')}\n" in template
    run("receive", write_orders(game, "POL"), "--at", AT)
    assert (game / "inbox/turn-01/POL.yaml").exists()


@pytest.mark.slow
def test_nobody_elses_files_change(game: Path, run: Run) -> None:
    before = content(game)
    replace(run)
    after = content(game)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed <= {
        "players.yaml",
        "turns/turn-00/results/POL.html",
        "turns/turn-00/results/POL.yaml",
        "turns/turn-00/next/POL.yaml",
        *(name for name in changed if name not in before),
    }
    assert "Anna" in (game / "players.yaml").read_text()
    assert "Who plays what" in (game / "players.yaml").read_text()


@pytest.mark.slow
def test_the_dossier_holds_what_a_newcomer_needs_and_nothing_of_the_old_player(office: Office) -> None:
    """A replacement gets pages, results, key and template once, without the old address, key or token."""
    office.week(START)
    old_key = key_of(office.game, "POL")
    _, start = office.smtp.letters(OLD)
    token = start["Subject"].partition("[")[2]
    # Poland has shown its address to everybody, and said something
    office.orders(
        "POL", BEFORE, "headquarters: {send_ambassador: [LIT, NOV, TEU], proclamation: Poland greets.}\n"
    )
    for realm in ("LIT", "NOV", "TEU"):
        office.orders(realm, BEFORE)
    office.week(BEFORE)
    office.week(AFTER)
    orders = office.smtp.letters(OLD)[-1]
    replace(office.run)
    office.week(LATER)
    (dossier,) = office.smtp.letters(CARLA)
    files = {name: data.decode() for name, data in attachments(dossier).items()}
    expected = {"handbook.html", "POL-turn-00.html", "POL-turn-01.html", "POL-turn-01.results.yaml"}
    assert set(files) == {*expected, "POL-turn-02.orders.yaml", "POL.schema.json"}
    assert f"key: {key_of(office.game, 'POL', 2)}" in files["POL-turn-02.orders.yaml"]
    assert "Poland greets." in files["POL-turn-01.html"]
    everything = "\n".join((str(dossier), *files.values()))
    for secret in (OLD, "Piotr", old_key, token, orders["Subject"].partition("[")[2]):
        assert secret not in everything
    # the dossier holds the results: they do not come a second time
    office.run("mail", "send", "--at", LATER)
    office.week("2026-01-09 21:00")
    assert office.subjects(CARLA) == {"You play Poland": 1}
    office.orders("POL", "2026-01-10 10:00", turn=2, sender=CARLA)
    office.week("2026-01-10 10:05")
    assert office.subjects(CARLA)["Orders received: turn 2"] == 1
    assert office.subjects(OLD).total() == 3


@pytest.mark.slow
def test_what_waited_for_the_old_player_is_not_sent_any_more(office: Office) -> None:
    office.smtp.refused = {OLD: "450 4.2.1 mailbox full"}
    office.week(START)
    replace(office.run)
    office.smtp.refused = {}
    office.week(LATER, code=1)
    assert office.smtp.letters(OLD) == []
    assert office.subjects(CARLA)["You play Poland"] == 1
    states = office.run("mail", "outbox", "--all").output
    assert "dropped" in states
    assert "the realm has a new player" in states


@pytest.mark.slow
def test_a_realm_gets_another_player_in_every_turn(office: Office) -> None:
    office.week(START)
    for number in (1, 2):
        replace(office.run, email=f"carla{number}@example.org")
        office.week("2026-01-06 10:00")
        assert office.subjects(f"carla{number}@example.org") == {"You play Poland": 1}


def test_who_is_away_comes_back_by_himself_or_at_the_gms_word(game: Path, run: Run) -> None:
    def away() -> int | None:
        player = GameFolder(game).players.of("LIT")
        assert player is not None
        return player.absent_until

    assert "2 turns, up to and including turn 2" in run("player", "absent", "lit", "--until", 2).output
    assert away() == 2
    run("player", "back", "LIT")
    assert away() is None
    run("player", "absent", "LIT", "--until", 0, code=2)
    run("player", "absent", "XXX", "--until", 2, code=2)


@pytest.mark.slow
def test_a_player_reads_deadlines_in_his_own_time(office: Office) -> None:
    office.run("player", "zone", "LIT", "America/New_York")
    office.run("player", "zone", "LIT", "Middle/Earth", code=2)
    office.week(START)
    assert "due Friday 2026-01-09 15:00 America/New_York" in office.text("LIT", "the game begins")
    assert "due Friday 2026-01-09 20:00 UTC" in office.text("POL", "the game begins")


LONG = "x" * 201
LONGEST = "x" * 200
TOO_LONG = "a player's name has at most 200 characters, this one 201"


def test_a_name_of_more_than_200_characters_is_refused_wherever_it_may_enter(
    game: Path, tmp_path: Path, run: Run
) -> None:
    """14.C26: nothing is written, and the folder can still be read."""
    before = content(game)
    listed = tmp_path / "friends.yaml"
    listed.write_text(f"players:\n  - {{realm: LIT, name: {LONG}, email: anna@example.org}}\n")
    new = ("new", str(tmp_path / "other"), "--map", "minsk")
    for words in (
        ("player", "replace", "POL", "--name", LONG, "--email", CARLA),
        ("seat", "POL", "--name", LONG),
        (*new, "--player", f"LIT={LONG} <anna@example.org>"),
        (*new, "--players", listed),
    ):
        assert TOO_LONG in run(*words, code=2).output
    assert content(game) == before
    assert not (tmp_path / "other").exists()
    run("seat", "POL", "--name", LONGEST)
    file = game / "players.yaml"
    file.write_text(file.read_text().replace(LONGEST, LONG))
    refused = run("status", code=2).output
    assert TOO_LONG in refused
    assert "players.yaml" in refused
