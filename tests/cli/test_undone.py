"""14.A3, 14.A4: a turn that is taken back when its results are known: other dice, the same orders, all of
it told.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import chdir
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.store.folder import GameFolder
from gm.store.journal import journal_of
from tests.cli.conftest import RECRUIT, TALK, Run, all_orders, copied, order_text, write_orders
from tests.cli.posting import ADDRESSES, LATER, START, Office, office_of, reopened
from tests.commands import command

RESULTS = {"LIT": "Lithuania: turn 1 has been played", "POL": "Poland: turn 1 has been played"}
WHY = "the file of Poland was read wrongly"
MUCH_LATER = "2026-01-10 20:15"


@pytest.fixture(scope="module")
def played_by_post(fresh_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Office:
    """A game whose first turn was played with a file of everybody, and mailed. Not to be changed."""
    game = tmp_path_factory.mktemp("posted") / "minsk"
    shutil.copytree(fresh_game, game)
    with chdir(game), office_of(game, command) as office:
        office.first_turn("LIT", RECRUIT)
        assert office.subjects("POL")[RESULTS["POL"]] == 1
    return office


@pytest.fixture
def office(played_by_post: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    """A copy of that game and of its post."""
    game = copied(played_by_post.game.parent, tmp_path, monkeypatch)
    with reopened(played_by_post, game) as office:
        yield office


def record(game: Path, turn: int = 1) -> dict[str, Any]:
    return dict(json.loads((game / f"turns/turn-{turn:02}/turn.json").read_text()))


def undo(office: Office, *more: str) -> str:
    return office.run("undo", "--why", WHY, "--at", LATER, *more).output


# -- what is known of the results ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_outbox_tells_that_the_results_went_out(office: Office) -> None:
    """14.A3: then a reason is asked for, and "unpublished" is not believed."""
    assert "give the reason for undoing it with --why" in office.run("undo", code=2).output
    assert "went out" in office.run("undo", "--unpublished", code=1).output
    assert "The seal of its new dice" in undo(office)


def test_without_a_post_a_script_must_say_whether_they_are_known(game: Path, run: Run) -> None:
    """14.A3: "may anybody have seen the results?" is asked; a script answers it with an option."""
    run("receive", all_orders(game), "--at", START)
    run("turn", "--no-html")
    assert "a copy of this folder? Say --published or --unpublished." in " ".join(
        run("undo", code=2).output.split()
    )
    run("undo", "--unpublished")
    assert GameFolder(game).settings.deadline.hold == ""
    assert GameFolder(game).settings.renewed == {}


def test_who_is_there_is_asked(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """14.A3: "may anybody have seen the results?", and why it is taken back."""
    monkeypatch.setattr("gm.cli.corrections.sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    for words in (["receive", str(all_orders(game)), "--at", START], ["turn"]):
        assert CliRunner().invoke(gm, words).exit_code == 0
    result = CliRunner().invoke(gm, ["undo"], input="y\nthe file was misread\n")
    assert "a copy of this folder? [Y/n]" in result.output
    assert "turn 1 was undone: the file was misread" in (game / "game.yaml").read_text()
    assert CliRunner().invoke(gm, ["turn"]).exit_code == 0
    result = CliRunner().invoke(gm, ["undo"], input="n\n")
    assert "Why" not in result.output
    assert "its orders are kept" in CliRunner().invoke(gm, ["verify"]).output


@pytest.mark.slow
def test_results_that_wait_in_the_outbox_do_not_go_out_when_their_turn_is_taken_back(office: Office) -> None:
    """14.A3: nothing was known, so the turn is as it was; its letters go out when it is played again."""
    office.run("undo", "--why", WHY, "--at", LATER)
    office.run("deadline", "resume")
    office.smtp.refused = dict.fromkeys(["anna@example.org"], "451 later")
    office.smtp.sender = "451 not now"
    office.week(MUCH_LATER, code=1)
    assert office.subjects("LIT")[f"[corrected] {RESULTS['LIT']}"] == 0
    office.run("undo")
    assert GameFolder(office.game).settings.deadline.hold == ""
    office.smtp.sender = "250 ok"
    office.smtp.refused = {}
    office.run("mail", "send", "--only-waiting", "--at", "2026-01-11 12:00")
    assert office.subjects("LIT")[f"[corrected] {RESULTS['LIT']}"] == 0
    office.week("2026-01-11 13:00")
    assert office.subjects("LIT")[f"[corrected] {RESULTS['LIT']}"] == 1


# -- other dice, the same orders -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_published_turn_is_held_and_sealed_anew_and_keeps_its_orders(office: Office) -> None:
    """14.A3: the hold, the new secret and seal, the orders as received, in the journal and in the results."""
    first = record(office.game)["proof"]
    state = (office.game / "turns/turn-01/state.json").read_bytes()
    undo(office)
    assert "on hold: turn 1 was undone" in office.week(LATER, code=1).output
    assert office.subjects("POL")["Turn 1 has been undone"] == 1
    # a player who has tried which comment would suit him comes too late, by mail and otherwise
    office.orders("LIT", LATER, RECRUIT + "# the 1000. comment\n")
    office.week(LATER, code=1)
    assert office.subjects("LIT")["New orders are not accepted: turn 1"] == 1
    path = write_orders(office.game, "LIT", TALK)
    assert "the turn was undone" in office.run("receive", path, "--late", "--at", LATER, code=1).output
    (office.game / "inbox/turn-01/LIT.yaml").write_text(order_text(office.game, "LIT", TALK))
    assert "on hold" in office.run("status", "--at", LATER).output

    office.run("deadline", "resume", "--at", LATER)
    office.week(MUCH_LATER)
    again = record(office.game)["proof"]
    assert again["order_files"] == first["order_files"]
    assert again["seal"] != first["seal"]
    assert again["secret"] != first["secret"]
    (renewal,) = again["renewed"]
    assert (renewal["seal"], renewal["secret"], renewal["sealed"]) == (
        first["seal"],
        first["secret"],
        again["seal"],
    )
    assert (renewal["why"], renewal["reopened"]) == (WHY, "")
    (line,) = [entry for entry in journal_of(office.game).entries if entry["did"] == "undo"]
    assert (line["published"], line["why"], line["seal"], line["was"]) == (
        True,
        WHY,
        again["seal"],
        first["seal"],
    )
    assert line["orders"] == first["order_files"]
    assert again["secret"] not in (office.game / "journal.jsonl").read_text()
    assert state == (office.game / "undone/turn-01-1/state.json").read_bytes()
    assert "Proven" in office.run("verify").output
    assert "Proven" in office.run("verify", "--replay").output


def test_orders_are_opened_only_with_a_reason_that_everybody_reads(office: Office) -> None:
    """14.A3: ``--reopen``, with the undo or after it."""
    undo(office)
    office.run("undo", "--reopen", "all of us asked for it", "--at", LATER)
    office.orders("POL", LATER, "headquarters: {proclamation: I changed my mind., send_gold: {LIT: 1}}\n")
    office.week(LATER, code=1)
    assert office.subjects("POL")["Turn 1 has been undone: send your orders again"] == 1
    assert office.subjects("POL")["Orders received: turn 1"] == 2
    office.run("turn", "--no-html")
    again = record(office.game)["proof"]
    assert again["renewed"][0]["reopened"] == "all of us asked for it"
    assert again["order_files"]["POL"] != again["renewed"][0]["order_files"]["POL"]
    assert "all of us asked for it" in office.run("verify").output


@pytest.mark.slow
def test_a_turn_may_be_taken_back_again_and_again(office: Office) -> None:
    """14.A3: each time other dice; the orders stay those of the first time."""
    seals = [record(office.game)["proof"]["seal"]]
    for day in ("10", "11"):
        undo(office)
        office.run("deadline", "resume", "--at", LATER)
        office.week(f"2026-01-{day} 20:15")
        seals.append(record(office.game)["proof"]["seal"])
    assert len(set(seals)) == 3
    assert [renewal["seal"] for renewal in record(office.game)["proof"]["renewed"]] == seals[:2]
    assert office.subjects("LIT")[f"[corrected] {RESULTS['LIT']}"] == 2
    assert "Proven" in office.run("verify").output
    assert "Proven" in office.run("verify", "--replay").output


def test_the_turn_before_may_be_taken_back_too(office: Office) -> None:
    """14.A3: then the later one begins anew, and takes orders as they come."""
    office.run("turn", "--missing-ok", "--no-html")
    undo(office, "--published")
    undo(office)
    office.run("turn", "--no-html")
    path = write_orders(office.game, "POL", turn=2)
    assert "1 file accepted of 1" in office.run("receive", path, "--at", LATER).output
    office.run("turn", "--missing-ok", "--no-html")
    assert [len(record(office.game, turn)["proof"].get("renewed", ())) for turn in (1, 2)] == [1, 0]
    assert "Proven" in office.run("verify", "--replay").output


def test_the_position_may_be_corrected_before_the_turn_is_played_again(office: Office) -> None:
    """14.A3: ``pbem amend`` is public by itself; the orders stay."""
    undo(office)
    office.run("amend", "gold", "LIT", "+3", "--why", "it was missing")
    office.run("turn", "--no-html")
    assert (
        record(office.game)["proof"]["order_files"]
        == record(office.game)["proof"]["renewed"][0]["order_files"]
    )
    assert "Proven" in office.run("verify", "--replay").output


def test_the_orders_that_are_kept_may_not_be_changed_by_hand(office: Office) -> None:
    """14.A3: not where they are kept, either."""
    undo(office)
    path = office.game / "undone/turn-01-1/orders/LIT.yaml"
    data = path.read_bytes()
    path.write_bytes(data + b"# another\n")
    assert "orders/LIT.yaml is missing or was changed" in " ".join(office.run("turn", code=2).output.split())
    path.write_bytes(data)
    office.run("turn", "--no-html")


def test_a_new_key_does_not_silence_orders_that_are_kept(office: Office) -> None:
    """14.A3: whoever has a copy of the folder has the keys, so they may be changed meanwhile."""
    undo(office)
    office.run("seat", "LIT", "--new-key")
    office.run("turn", "--no-html")
    assert "LIT" in record(office.game)["orders"]


def test_bots_order_what_they_did(game: Path, run: Run) -> None:
    """14.A3: their files are kept like everybody's."""
    run("seat", "POL", "--bot", "raider")
    run("seat", "TEU", "--bot", "raider")
    run("turn", "--missing-ok", "--no-html")
    first = record(game)["proof"]["order_files"]
    assert {"POL", "TEU"} <= first.keys()
    run("undo", "--published", "--why", WHY)
    run("turn", "--missing-ok", "--no-html")
    assert record(game)["proof"]["order_files"] == first
    assert "Proven" in run("verify", "--replay").output


def test_an_archive_without_keys_holds_no_secret_of_dice_to_come(office: Office, tmp_path: Path) -> None:
    """14.A3: the new secret is as well kept as the first one."""
    undo(office)
    (secret,) = GameFolder(office.game).settings.renewed.values()
    office.run("export", "--without-keys", "--out", tmp_path / "game.zip")
    office.run("import", tmp_path / "game.zip", tmp_path / "elsewhere")
    assert secret not in "".join(
        path.read_text() for path in (tmp_path / "elsewhere").rglob("*.*") if path.is_file()
    )
    office.run("turn", "--missing-ok", "--game", tmp_path / "elsewhere", "--no-html")


# -- the letters ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_replayed_turn_is_mailed_as_a_correction_once(office: Office) -> None:
    """14.A4: the subject, what changed and why; although the state may be the same, the dice are not."""
    state = (office.game / "turns/turn-01/state.json").read_bytes()
    undo(office)
    office.run("deadline", "resume", "--at", LATER)
    for at in (MUCH_LATER, MUCH_LATER, "2026-01-10 21:00"):
        office.week(at)
    assert (office.game / "turns/turn-01/state.json").read_bytes() == state
    for realm, subject in RESULTS.items():
        assert office.subjects(realm)[subject] == 1
        assert office.subjects(realm)[f"[corrected] {subject}"] == 1
    text = office.text("POL", "[corrected]")
    assert text.startswith(
        f"This letter replaces the earlier one about the same turn: {WHY}. What has changed"
    )
    assert "What has changed for you: the dice with their seals. Unchanged:" in text
    assert "the position" in text.partition("Unchanged:")[2].partition(".")[0]


@pytest.mark.slow
def test_the_key_of_the_next_turn_counts_on_after_a_correction(office: Office) -> None:
    """14.A4: the letter with it is not sent again as long as its template is the same.

    An answer to it is taken.
    """
    undo(office)
    office.run("deadline", "resume", "--at", LATER)
    office.week(MUCH_LATER)
    (letter,) = [
        letter
        for letter in office.smtp.letters(ADDRESSES["LIT"])
        if "Your key for turn 2" in letter["Subject"]
    ]
    answer = EmailMessage()
    answer["From"] = ADDRESSES["LIT"]
    answer["Subject"] = f"Re: {letter['Subject']}"
    answer["Message-ID"] = "<1@x.org>"
    answer.set_content("Here they are.\n")
    text = order_text(office.game, "LIT", turn=2).replace("key:", "# key:")
    answer.add_attachment(text, subtype="yaml", filename="orders.yaml")
    office.drop(answer.as_bytes(), MUCH_LATER)
    office.week(MUCH_LATER)
    assert office.subjects("LIT")["Orders received: turn 2"] == 1


@pytest.mark.slow
def test_another_template_comes_as_a_correction_too(office: Office) -> None:
    """14.A4: with another position the first template is no use."""
    undo(office)
    office.run("amend", "troops", "LIT/G1", "Archers", "+4", "--why", "it was missing")
    office.run("deadline", "resume", "--at", LATER)
    office.week(MUCH_LATER)
    sent = {
        realm: [letter["Subject"] for letter in office.smtp.letters(ADDRESSES[realm])] for realm in RESULTS
    }
    new = {
        realm: sum(letter.startswith("[corrected] Your key for turn 2") for letter in sent[realm])
        for realm in sent
    }
    assert new == {"LIT": 1, "POL": 0}
    assert "the position" in office.text("LIT", "[corrected] Lithuania").partition("The same")[0]


def test_corrected_sends_only_what_differs_to_whom_it_differs(office: Office) -> None:
    """14.A4: realm by realm, once, with the reason."""
    assert "0 letters sent" in office.run("mail", "send", "--corrected", "--at", LATER).output
    page = office.game / "turns/turn-01/results/LIT.html"
    page.write_text(page.read_text() + "<!-- a map that was mended -->\n")
    send = ("mail", "send", "--corrected", "--why", "the map was drawn wrongly", "--at", LATER)
    assert "1 letter sent" in office.run(*send).output
    assert "0 letters sent" in office.run(*send).output
    text = office.text("LIT", "[corrected]")
    assert "the map was drawn wrongly. What has changed for you: how the report shows it." in text
    assert office.subjects("POL")[f"[corrected] {RESULTS['POL']}"] == 0
