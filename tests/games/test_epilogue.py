"""The page of a game that is over: it tells all orders as they were read, nothing else of the files, and
not before.
"""

import re
from pathlib import Path

import pytest

from gm.campaign.epilogue import epilogue, orders_in
from gm.cli.session import open_campaign
from gm.text.languages import languages_of
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import ALL
from tests.games.test_votes import receive

HOSTILE = """\
# a remark for myself: ask Bob at bob@example.org
orders: 1
game: g
realm: POL
turn: 1
key: brave-otter-71   # secret
ready: no
standing: 3
press:
  - {to: [LIT], text: I will stab NOV}
vote: concede NOV
headquarters:
  proclamation: "<script>alert(1)</script> & more"   # not so nice
  offer_peace: [LIT]
  key: what is further in is no key
units:
  A1:
    plan: [{march: Minsk}, hold]
  A2: {}
"""
TOLD = """\
vote: concede NOV
headquarters:
  proclamation: <script>alert(1)</script> & more
  offer_peace: [LIT]
  key: what is further in is no key
units: {A1: {plan: [{march: Minsk}, hold]}, A2: {}}"""


def test_an_order_file_is_told_without_its_head_and_remarks() -> None:
    assert orders_in(HOSTILE.encode()) == TOLD
    without = orders_in(HOSTILE.encode(), frozenset({"proclamation"}))
    assert without == re.sub("  proclamation.*\n", "", TOLD)
    assert (
        orders_in(b"units: [")
        == orders_in(b"\xff")
        == orders_in(b"just words\n").replace("just words", "")
        == ""
    )


@pytest.mark.parametrize("name", sweep(ALL, "medieval", "conquest-fields"))
def test_nothing_is_told_while_the_game_goes_on_and_all_of_it_afterwards(
    name: str, game: Path, run: Run
) -> None:
    assert "The game is not over" in run("epilogue", code=2).output
    assert not (game / "epilogue.html").exists()
    while "it is a draw" not in run("status").output:
        receive(game, run, "vote: draw\n# write to bob@example.org")
        run("turn")
    run("epilogue")
    page = (game / "epilogue.html").read_text(encoding="utf-8")
    campaign = open_campaign(game)
    assert page == epilogue(campaign)
    assert "The game is a draw." in page
    assert "vote: draw" in page
    assert "bob@example.org" not in page
    for player in campaign.folder.players.players:
        assert not player.email or player.email not in page
        for turn in range(1, campaign.next_turn + 1):
            assert campaign.keys_of(turn)[player.realm] not in page
    for turn in range(1, campaign.next_turn):
        proof = campaign.folder.turn_record(turn)["proof"]
        assert all(proof[name] in page for name in ("seal", "secret", "seed"))
    assert campaign.proof(campaign.next_turn, {}).secret not in page
    german = epilogue(campaign, "de")
    assert ("Das Spiel ist unentschieden." in german) == ("de" in languages_of(name))


@pytest.mark.slow
def test_a_rejected_proclamation_stays_out_and_what_players_wrote_is_escaped(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = ("--player=LIT=a@example.org", "--player=POL=b@example.org", "--bots")
    run("new", str(tmp_path / "minsk"), *seats, "--first", "2026-01-09", "--at", "2026-01-05 12:00")
    monkeypatch.chdir(tmp_path / "minsk")
    for realm, text in (("LIT", "Fie on <b>you</b>"), ("POL", "Hail <i>all</i>")):
        template = (tmp_path / f"minsk/turns/turn-00/next/{realm}.yaml").read_text().split("headquarters:")[0]
        path = tmp_path / f"{realm}.yaml"
        path.write_text(template.replace("#vote", "vote") + f"headquarters:\n  proclamation: {text}\n")
        run("receive", str(path), "--at", "2026-01-06 12:00")
    run("turn", "--reject", "LIT:proclamation")
    page = epilogue(open_campaign(tmp_path / "minsk"))
    assert "Fie on" not in page
    assert "Hail &lt;i&gt;all&lt;/i&gt;" in page
    assert "Luck in battle" in page
