"""The GM's journal: it records whatever they did, and nothing secret; what they correct is public.

Standing orders are tested here, too.
"""

from pathlib import Path

import pytest

from gm.campaign.open import Campaign
from gm.games.medieval.spec import MedievalGame
from gm.games.medieval.state import Status
from gm.store.folder import GameFolder
from gm.store.journal import journal_of
from tests.cli.conftest import PLAYERS, Run, all_orders, content, key_of, order_text, write_orders

EARLY = "2026-01-09 12:00"


@pytest.mark.slow
def test_everything_that_changes_a_game_leaves_a_line(game: Path, run: Run) -> None:
    before = len(journal_of(game).entries)
    run("receive", all_orders(game), "--at", EARLY)
    run("amend", "gold", "LIT", "3", "--why", "a typing error")
    run("turn", "--no-html")
    run("undo", "--unpublished")
    run("turn", "--no-html")
    run("report")
    run("seat", "LIT", "--new-key")
    run("deadline", "extend", "--hours", "2")
    run("player", "absent", "POL", "--until", "4")
    run("export", "--out", game.parent / "a.zip")
    did = [entry["did"] for entry in journal_of(game).entries[before:]]
    assert did == [
        "receive",
        "amend",
        "turn",
        "undo",
        "turn",
        "report",
        "seat",
        "deadline",
        "player absent",
        "export",
    ]


def test_looking_changes_nothing(game: Path, run: Run) -> None:
    before = journal_of(game).entries
    run("status")
    run("turn", "--dry-run", "--missing-ok")
    run("deadline")
    run("seat")
    run("amend")
    assert journal_of(game).entries == before


def test_nothing_secret_stands_in_it(game: Path, run: Run) -> None:
    run("receive", all_orders(game), "--at", EARLY)
    run("seat", "LIT", "--email", "secret@example.org", "--new-key")
    run("turn", "--missing-ok", "--no-html")
    text = (game / "journal.jsonl").read_text(encoding="utf-8")
    for realm in PLAYERS:
        player = GameFolder(game).players.of(realm)
        assert player is not None
        for secret in (player.secret, player.email, key_of(game, realm, 1), key_of(game, realm, 2)):
            assert secret not in text


def test_the_journal_says_who_did_it(game: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """14.B14: ``--as`` before ``GM_NAME`` before the login name."""
    monkeypatch.delenv("GM_NAME", raising=False)
    monkeypatch.setenv("LOGNAME", "berta")
    run("receive", all_orders(game), "--at", EARLY)
    monkeypatch.setenv("GM_NAME", "Carla")
    run("amend", "gold", "LIT", "3", "--why", "a typing error")
    run("--as", "Dora\x07", "turn")
    entries = journal_of(game).entries
    assert [entry["by"] for entry in entries[-3:]] == ["berta", "Carla", "Dora\N{REPLACEMENT CHARACTER}"]
    assert all("by" in entry for entry in entries)


# -- corrections ---------------------------------------------------------------------------------------------

CORRECTIONS = (
    (("gold", "LIT", "+12.34"), "The treasury of Lithuania changed by +12.34 gold."),
    (("gold", "POL", "+12.5"), "The treasury of Poland changed by +12.50 gold."),
    (("gold", "nov", "-3"), "The treasury of Novgorod changed by −3 gold."),
    (("troops", "LIT/G1", "Archers", "+4"), "LIT/G1 has +4 Archers."),
    (("relation", "LIT", "POL", "war"), "Lithuania and Poland are at war."),
    (("relation", "LIT", "TEU", "allied"), "Lithuania and the Teutonic Order are allied."),
    (("permission", "Pskov", "LIT", "yes"), "Lithuania has special permission for Pskov."),
    (("owner", "minsk", "POL"), "Minsk belongs to Poland."),
    (("owner", "Minsk", "IND"), "Minsk belongs to the independents."),
)


@pytest.mark.slow
def test_corrections_count_at_once_and_everybody_reads_them_once_and_again_byte_for_byte(
    game: Path, run: Run
) -> None:
    for number, (words, says) in enumerate(CORRECTIONS):
        before = Campaign(GameFolder(game), MedievalGame()).state
        assert says in run("amend", *words, "--why", f"typing error {number} in the start position").output
        assert Campaign(GameFolder(game), MedievalGame()).state != before
    run("turn", "--missing-ok")
    for realm in PLAYERS:
        page = (game / f"turns/turn-01/results/{realm}.html").read_text(encoding="utf-8")
        assert page.count("The game master corrected the position") >= len(CORRECTIONS)
        results = (game / f"turns/turn-01/results/{realm}.yaml").read_text(encoding="utf-8")
        for number in range(len(CORRECTIONS)):
            assert f"typing error {number} in the start position" in page
            assert f"typing error {number} in the start position" in results
        booked = '"what": "correction by the game master", "amount": "12.34"' in results
        assert booked == (realm == "LIT"), "a correction of gold is in the books of its realm, to the cent"
    before_again = content(game / "turns/turn-01")
    run("report", "--turn", "1")
    assert content(game / "turns/turn-01") == before_again


def test_a_status_that_was_corrected_and_then_given_once_more_stops_no_turn(game: Path, run: Run) -> None:
    """Random game 923: the correction no longer changed anything, and the folder was called broken."""
    run("seat", "LIT", "--status", "commoner")
    run("amend", "status", "LIT", "royalty", "--why", "a typing error")
    run("seat", "LIT", "--status", "royalty")
    assert Campaign(GameFolder(game), MedievalGame()).state.realms["LIT"].status is Status.ROYALTY
    run("turn", "--missing-ok", "--no-html")
    run("verify")


def test_a_status_against_a_correction_of_the_same_turn_is_refused(game: Path, run: Run) -> None:
    run("seat", "LIT", "--status", "commoner")
    run("amend", "status", "LIT", "royalty", "--why", "a typing error")
    refused = run("seat", "LIT", "--status", "commoner", code=1)
    assert "A correction for turn 1 makes LIT royalty." in refused.output
    run("amend", "--take-back")
    run("seat", "LIT", "--status", "commoner")


# -- orders that stand while their player is away (O1) -------------------------------------------------------

BODY = "standing: 3\nheadquarters:\n  send_ambassador: [POL]\n"


@pytest.mark.slow
def test_a_turn_with_standing_orders_can_be_reported_again_byte_for_byte(game: Path, run: Run) -> None:
    run("receive", write_orders(game, "LIT", BODY), "--at", EARLY)
    run("turn", "--missing-ok")
    run("turn", "--missing-ok")
    before = content(game / "turns/turn-02")
    run("report", "--turn", "2")
    assert content(game / "turns/turn-02") == before


def test_the_line_stands_anywhere_in_the_head_and_the_schema_knows_it(game: Path, run: Run) -> None:
    text = order_text(game, "LIT").replace("turn: 1\n", "standing: 2\nturn: 1   # the first\n")
    path = game.parent / "x.yaml"
    path.write_text(text, encoding="utf-8")
    run("receive", path, "--at", EARLY)
    run("turn", "--missing-ok", "--no-html")
    run("turn", "--missing-ok", "--no-html")
    assert b"\nturn: 2\n" in (game / "turns/turn-02/orders/LIT.yaml").read_bytes()
    assert '"standing"' in run("schema", "orders", "--game", game).output
