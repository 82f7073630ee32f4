"""``pbem turn``, ``pbem undo``, ``pbem report``: a turn is written whole, can be taken back, and keeps its
secrets.
"""

import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.campaign.play import play_turn
from gm.game.values import GameData
from gm.games.medieval.report.results import read_results
from gm.games.medieval.spec import MedievalGame
from gm.games.medieval.state import World
from gm.store.folder import GameFolder
from tests.cli.conftest import PLAYERS, Run, content, key_of, write_orders

EARLY = "2026-01-09 19:59"


# -- playing -------------------------------------------------------------------------------------------------


def test_a_turn_leaves_state_log_orders_results_templates_and_summary(ready: Path, run: Run) -> None:
    result = run("turn")
    assert "Turn 1 has been played. 4 reports for the players:" in result.output
    names = set(content(ready / "turns/turn-01"))
    assert {"state.json", "log.jsonl", "turn.json", "summary.txt", "summary.html"} <= names
    for realm in PLAYERS:
        assert {
            f"orders/{realm}.yaml",
            f"results/{realm}.yaml",
            f"results/{realm}.html",
            f"next/{realm}.yaml",
        } <= names
        sent = (ready.parent / "mail" / f"{realm}-1.yaml").read_bytes()
        assert (ready / f"turns/turn-01/orders/{realm}.yaml").read_bytes() == sent
    assert (ready / "turns/turn-01/summary.txt").read_text(encoding="utf-8").strip() in result.output


def test_orders_come_from_the_templates_of_the_turn_before(played: Path, run: Run) -> None:
    result = run("receive", played / "turns/turn-01/next", "--at", EARLY)
    assert "4 files accepted of 4" in result.output
    assert "Turn 2 has been played" in run("turn").output


@pytest.mark.clause("O7")
def test_files_of_nobody_are_kept_and_told_to_the_gm_alone(ready: Path, run: Run, tmp_path: Path) -> None:
    stray = tmp_path / "mail from a phone.html"
    stray.write_bytes(b"<html><body>march to <b>Minsk</b>: now</body></html>")
    run("receive", stray, "--at", EARLY, code=1)
    run("turn")
    turn = ready / "turns/turn-01"
    assert (turn / "orders/rejected/unknown-1.yaml").read_bytes() == stray.read_bytes()
    sentence = (
        "Some files could not be matched to a realm and are kept with the turn's orders: "
        "rejected/unknown-1.yaml."
    )
    assert sentence in (turn / "summary.txt").read_text(encoding="utf-8")
    assert not any(
        b"unknown-1" in data for name, data in content(turn).items() if name.startswith("results/")
    )


@pytest.mark.clause("O1")
def test_a_turn_is_refused_while_orders_are_missing_unless_the_gm_says_so(game: Path, run: Run) -> None:
    write_orders(game, "LIT")
    run("receive", game.parent / "mail", "--at", EARLY)
    before = content(game)
    refused = run("turn", code=1)
    assert "orders are missing from NOV (Novgorod), POL (Poland), TEU (Teutonic Order)" in refused.output
    assert "--missing-ok" in refused.output
    assert content(game) == before
    result = run("turn", "--missing-ok")
    assert "Played without orders from NOV, POL, TEU." in result.output
    state = json.loads((game / "turns/turn-01/state.json").read_text(encoding="utf-8"))
    start = json.loads((game / "turns/turn-00/state.json").read_text(encoding="utf-8"))
    # without orders a realm pays and earns all the same
    assert state["realms"]["TEU"]["treasury"] != start["realms"]["TEU"]["treasury"]


@pytest.mark.clause("V3")
@pytest.mark.slow
def test_missed_turns_are_flagged_to_the_gm(game: Path, run: Run) -> None:
    for turn in (1, 2, 3):
        for realm in (
            ("LIT", "NOV", "POL") if turn == 1 else ("LIT", "NOV", "POL", "TEU") if turn == 2 else ("LIT",)
        ):
            write_orders(game, realm, turn=turn)
        run("receive", *(game.parent / "mail").glob(f"*-{turn}.yaml"), "--at", EARLY)
        result = run("turn", "--missing-ok", code=0)
        if turn == 1:
            # the first turn's silence is enough
            assert "No orders from the Teutonic Order" in result.output
            assert "needs a replacement" not in run("status", "--at", EARLY).output
        else:
            assert "No orders from" not in result.output
    run("turn", "--missing-ok")
    realms = {
        realm["realm"]: realm for realm in json.loads(run("status", "--json", "--at", EARLY).output)["realms"]
    }
    assert [code for code, realm in realms.items() if realm["replacement_needed"]] == ["NOV", "POL", "TEU"]
    assert realms["NOV"]["missed_turns"] == 2
    # the players themselves do not read it
    assert "replacement" not in (game / "turns/turn-04/results/LIT.yaml").read_text(encoding="utf-8")


@pytest.mark.clause("L13")
def test_the_gm_can_reject_a_proclamation_before_the_turn_or_after(played: Path, run: Run) -> None:
    heard = (played / "turns/turn-01/results/POL.yaml").read_text(encoding="utf-8")
    assert "Good ale to all." in heard
    run("undo", "--unpublished")
    result = run("turn", "--reject", "lit:proclamation")
    assert "Rejected: LIT:proclamation." in result.output
    for realm in ("NOV", "POL", "TEU"):
        assert "Good ale" not in (played / f"turns/turn-01/results/{realm}.yaml").read_text(encoding="utf-8")
    own = (played / "turns/turn-01/results/LIT.yaml").read_text(encoding="utf-8")
    (line,) = [line for line in own.splitlines() if "proclamation:" in line and '"fate"' in line]
    assert '"fate": "failed"' in line
    assert '"clause": "L13"' in line
    assert '"what": "proclamation"' not in own


def test_a_dry_run_says_what_would_happen_and_writes_nothing(ready: Path, run: Run) -> None:
    before = content(ready)
    dry = run("turn", "--dry-run").output
    assert content(ready) == before
    assert "nothing was written" in dry
    wet = run("turn").output
    assert dry.splitlines()[:8] == wet.splitlines()[:8]


@pytest.mark.clause("W12")
def test_a_dry_run_rolls_other_dice_than_the_turn(ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[str] = []
    play = MedievalGame.play

    def noted(
        self: MedievalGame, table: GameData, state: World, sheets: Any, seed: str, progress: Any = None
    ) -> Any:
        seeds.append(seed)
        return play(self, table, state, sheets, seed, progress)

    monkeypatch.setattr(MedievalGame, "play", noted)
    campaign = Campaign(GameFolder(ready), MedievalGame())
    plan = turn_plan(campaign)
    for rehearsal in (False, True, True):
        played = play_turn(campaign, plan, rehearsal=rehearsal)
        assert (played.proof is None) is rehearsal
    real, first, second = seeds
    assert first == second != real
    assert campaign.proof(1, plan.hashes).seed == real


@pytest.mark.clause("W12")
def test_a_turn_with_other_dice_than_were_sealed_is_not_played(ready: Path, run: Run) -> None:
    settings = ready / "game.yaml"
    before = content(ready)
    settings.write_text(
        re.sub(r"(?m)^seed: .*$", "seed: a kinder one", settings.read_text(encoding="utf-8")),
        encoding="utf-8",
    )
    assert "the seal of turn 1 was published" in " ".join(run("turn", code=2).output.split())
    settings.write_bytes(before["game.yaml"])
    assert content(ready) == before
    run("turn")
    proof = json.loads((ready / "turns/turn-01/turn.json").read_bytes())["proof"]
    published = json.loads((ready / "turns/turn-00/turn.json").read_bytes())["next_seal"]
    assert proof["seal"] == published
    for realm in PLAYERS:
        results = read_results((ready / f"turns/turn-01/results/{realm}.yaml").read_bytes(), realm)
        assert results["dice"] == proof
        assert f'"{published}"' in (ready / f"turns/turn-00/results/{realm}.yaml").read_text(encoding="utf-8")


# -- the same again ------------------------------------------------------------------------------------------


def test_undo_keeps_the_turn_and_the_same_orders_give_the_same_bytes_again(played: Path, run: Run) -> None:
    first = content(played / "turns/turn-01")
    result = run("undo", "--unpublished")
    assert "undone/turn-01-1" in result.output
    assert not (played / "turns/turn-01").exists()
    assert content(played / "undone/turn-01-1") == first
    run("turn")
    assert content(played / "turns/turn-01") == first
    run("undo", "--unpublished")
    assert content(played / "undone/turn-01-2") == first
    assert "nothing to undo" in run("undo", "--unpublished", code=1).output


@pytest.mark.clause("W12")
@pytest.mark.slow
def test_the_order_in_which_files_arrive_changes_nothing(played: Path, run: Run, tmp_path: Path) -> None:
    first = content(played / "turns/turn-01")
    for seed in range(3):
        run("undo", "--unpublished")
        shutil.rmtree(played / "inbox")
        files = sorted((played.parent / "mail").iterdir())
        random.Random(seed).shuffle(files)  # noqa: S311
        for path in files:
            run("receive", path, "--at", EARLY)
        run("turn")
        assert content(played / "turns/turn-01") == first


@pytest.mark.slow
def test_reports_can_be_written_again_and_are_the_same(played: Path, run: Run) -> None:
    run("receive", played / "turns/turn-01/next", "--at", EARLY)
    run("turn")
    for turn in (0, 1, 2):
        folder = played / f"turns/turn-{turn:02}"
        before = content(folder)
        for name in ("summary.txt", "summary.html", "results/LIT.yaml", "results/LIT.html", "next/LIT.yaml"):
            (folder / name).unlink(missing_ok=turn == 0)
        run("report", "--turn", turn)
        assert content(folder) == before
    assert "Turn 9 has not been played; the newest is turn 2." in run("report", "--turn", 9, code=2).output


def test_every_event_comes_back_from_the_log_as_it_was(played: Path) -> None:
    from gm.core.codec import to_plain

    records = GameFolder(played).log(1)
    assert len(records) > 10
    for record in records:
        assert json.loads(json.dumps(to_plain(MedievalGame().event(record)))) == record


# -- secrets -------------------------------------------------------------------------------------------------


@pytest.mark.clause("W8")
def test_keys_and_addresses_are_nobody_elses(played: Path) -> None:
    for number, turn in enumerate(("turn-00", "turn-01")):
        folder = played / "turns" / turn
        keys = {realm: key_of(played, realm, number + 1) for realm in PLAYERS}
        for realm in PLAYERS:
            own = [
                folder / f"results/{realm}.yaml",
                folder / f"results/{realm}.html",
                folder / f"next/{realm}.yaml",
            ]
            texts = [path.read_text(encoding="utf-8") for path in own]
            assert keys[realm] in texts[0]
            assert keys[realm] in texts[2]
            for other in PLAYERS:
                if other != realm:
                    assert not any(keys[other] in text for text in texts), (turn, realm, other)
                    visible = (
                        "@example.org" in PLAYERS[other]
                        and other == "LIT"
                        and realm == "POL"
                        and turn == "turn-01"
                    )
                    address = re.search(r"<(.*)>", PLAYERS[other])[1]  # type: ignore[index]
                    # Lithuania's ambassador told Poland, and nobody else, where to write (F7)
                    assert any(address in text for text in texts) is visible, (turn, realm, other)
        state = (folder / "state.json").read_text(encoding="utf-8")
        assert not any(key in state for key in keys.values())


@pytest.mark.clause("W8")
def test_what_is_private_to_a_realm_is_in_no_other_file(played: Path) -> None:
    folder = played / "turns/turn-01/results"
    for realm in PLAYERS:
        text = (folder / f"{realm}.yaml").read_text(encoding="utf-8")
        assert ("Good ale to all.'" in text) is (realm == "LIT"), "the outcome of an order"
        assert ("GoldReceived" in text) is (realm == "LIT")
        assert ("GoldSent" in text) is (realm == "POL")
        assert ("DiceRolled" in text) is False


# -- a long game ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_pages_of_a_late_turn_read_no_more_states_than_those_of_an_early_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turn 14 reads as many states as turn 9, and its pages come out the same without recorded figures."""
    run(
        "new",
        "field",
        "--game",
        "conquest-fields",
        "--bots",
        "random",
        "--seed",
        "long",
        "--at",
        "2026-01-05 12:00",
    )
    read_states: list[int] = []
    state = GameFolder.state
    monkeypatch.setattr(
        GameFolder, "state", lambda self, turn, form: read_states.append(turn) or state(self, turn, form)
    )
    counts = []
    for _ in range(14):
        read_states.clear()
        run("turn", "--game", "field")
        counts.append(len(set(read_states)))
    assert counts[8] == counts[13]
    before = content(Path("field/turns/turn-14"))
    record = json.loads(before["turn.json"])
    assert set(record["standing"]) == {"RED", "GREEN"}
    # a game of an earlier version has no figures in its records: the pages come of its states
    recorded = Campaign.record
    without = {"standing": None}
    monkeypatch.setattr(Campaign, "record", lambda self, turn: recorded(self, turn) | without)
    run("report", "--turn", "14", "--game", "field")
    assert content(Path("field/turns/turn-14")) == before
