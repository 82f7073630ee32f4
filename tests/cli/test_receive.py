"""``pbem receive``: whose a file is, whether it stands, and what its sender is told (O1, O7)."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.campaign.receive import Proof, ReceiptStatus, Submission, claim_of, receive
from gm.core.orders.keys import short_key
from gm.games.medieval.spec import MedievalGame
from gm.store.folder import GameFolder
from tests.cli.conftest import PLAYERS, Run, all_orders, content, forget, key_of, order_text, write_orders

EARLY = "2026-01-09 19:59"
LATE = "2026-01-09 20:01"
GOOD = "headquarters:\n  offer_peace: [POL]\n"


def standing(game: Path, realm: str = "LIT", turn: int = 1) -> str | None:
    """The file that stands for a realm."""
    path = game / f"inbox/turn-{turn:02}/{realm}.yaml"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def claimed(game: Path, data: bytes) -> tuple[str, Proof]:
    """Whose a file says it is, and what proves that."""
    claim = claim_of(_campaign(game), Submission("x", data))
    return claim.realm, claim.proof


def test_files_are_sorted_by_what_stands_in_them_whatever_they_are_called(game: Path, run: Run) -> None:
    mail = all_orders(game)
    (mail / "LIT-1.yaml").rename(mail / "re- re- orders (2).txt")
    result = run("receive", mail, "--at", EARLY)
    assert "4 files accepted of 4. All orders are in" in result.output
    assert sorted(path.name for path in (game / "inbox/turn-01").glob("*.yaml")) == [
        f"{realm}.yaml" for realm in PLAYERS
    ]
    assert f"key: {key_of(game, 'LIT')}" in (standing(game) or "")


def test_a_game_begun_by_an_earlier_version_takes_the_keys_that_it_announced(game: Path, run: Run) -> None:
    """14.A1: the short key of the turn that was announced still counts; the next turn has a long one."""
    record = game / "turns/turn-00/turn.json"
    record.write_text(json.dumps({"schema": 1, "turn": 0}), "utf-8")
    forget(game, "record", "pins")
    player = GameFolder(game).players.of("LIT")
    assert player is not None
    short = short_key(player.secret, "LIT", 1)
    for number, (key, fate) in enumerate([(key_of(game, "LIT"), "rejected"), (short, "accepted")]):
        path = write_orders(game, "LIT", name=f"{number}.yaml", key=key)
        assert run("receive", path, "--at", EARLY, code=int(fate != "accepted")).output.startswith(fate)
    run("turn", "--missing-ok", "--no-html")
    short_again = write_orders(game, "LIT", name="again.yaml", turn=2, key=short_key(player.secret, "LIT", 2))
    assert "rejected" in run("receive", short_again, "--at", EARLY, code=1).output
    assert "1 file accepted" in run("receive", write_orders(game, "LIT", turn=2), "--at", EARLY).output


@pytest.mark.parametrize("part", ["upper", "spaces"])
def test_a_key_may_be_typed_in_any_way_and_a_slip_is_told(game: Path, run: Run, part: str) -> None:
    """14.A1: capital letters and spaces do not count; of a mistyped key it is said that it is one."""
    key = key_of(game, "LIT")
    typed = key.upper() if part == "upper" else key.replace("-", " ")
    assert "1 file accepted" in run("receive", write_orders(game, "LIT", key=typed), "--at", EARLY).output
    word = key.split("-")[2]
    slip = write_orders(game, "LIT", GOOD, key=key.replace(word, f"{word[:-1]}zz"))
    output = run("receive", slip, "--at", EARLY, code=1).output
    assert "the key has a typing error" in output
    assert key not in output


@pytest.mark.clause("O1")
def test_of_several_files_in_one_delivery_the_newest_stands(game: Path, run: Run) -> None:
    old = write_orders(game, "LIT", "headquarters: {offer_peace: [TEU]}\n", name="z.yaml")
    new = write_orders(game, "LIT", GOOD, name="a.yaml")
    os.utime(old, (1_000_000, 1_000_000))
    os.utime(new, (2_000_000, 2_000_000))
    result = run("receive", old.parent, "--at", EARLY)
    assert "superseded  LIT  z.yaml" in result.output
    assert standing(game) == new.read_text(encoding="utf-8")
    # and once more: nothing changes, whatever the clock says
    assert "unchanged" in run("receive", old.parent, "--at", LATE).output
    assert json.loads(run("status", "--json", "--at", LATE).output)["realms"][0]["orders"] == "in"


@pytest.mark.clause("O1")
def test_a_late_file_is_taken_and_the_results_say_so(game: Path, run: Run) -> None:
    run("receive", all_orders(game), "--at", EARLY)
    result = run("receive", write_orders(game, "LIT", GOOD), "--at", LATE)
    assert "after the deadline" in result.output
    status = run("status", "--at", LATE).output
    assert "LIT  Lithuania       late" in status
    assert "passed 1 minute ago" in status
    assert "Accepted late: LIT." in run("turn", "--no-html").output
    assert "orders_late: true" in (game / "turns/turn-01/results/LIT.yaml").read_text(encoding="utf-8")
    assert "orders_late: false" in (game / "turns/turn-01/results/POL.yaml").read_text(encoding="utf-8")


@pytest.mark.clause("O1")
def test_a_game_may_refuse_late_files_and_the_gm_may_take_one_all_the_same(game: Path, run: Run) -> None:
    settings = (game / "game.yaml").read_text(encoding="utf-8").replace("late: take", "late: refuse")
    (game / "game.yaml").write_text(settings, encoding="utf-8")
    run("receive", write_orders(game, "LIT", "headquarters: {offer_peace: [TEU]}\n"), "--at", EARLY)
    first = standing(game)
    late = write_orders(game, "LIT", GOOD, name="late.yaml")
    result = run("receive", late, "--at", LATE, code=1)
    assert "after the deadline" in result.output
    assert standing(game) == first
    letter = (game / "inbox/turn-01/rejected/LIT-1.txt").read_text(encoding="utf-8")
    assert "It came after the deadline (Friday 2026-01-09 20:00 UTC)." in letter
    run("receive", late, "--late", "--at", LATE)
    assert standing(game) == late.read_text(encoding="utf-8")


@pytest.mark.clause("O7")
def test_an_unreadable_file_is_set_aside_whole_and_the_last_valid_one_stands(game: Path, run: Run) -> None:
    run("receive", write_orders(game, "LIT", GOOD), "--at", EARLY)
    first = standing(game)
    bad = write_orders(game, "LIT", "units:\n\tLondon: {}\n", name="bad.yaml")
    result = run("receive", bad, "--at", EARLY, code=1)
    assert "rejected" in result.output
    assert "bad.yaml:7:" in result.output
    assert standing(game) == first
    rejected = content(game / "inbox/turn-01/rejected")
    kept = next(name for name in rejected if name.endswith(".yaml"))
    assert rejected[kept] == bad.read_bytes()
    assert b"was not accepted" in rejected[kept.replace(".yaml", ".txt")]
    assert b"bad.yaml:7:" in rejected[kept.replace(".yaml", ".txt")]
    # the same bad file again is not kept twice
    run("receive", bad, "--at", EARLY, code=1)
    assert content(game / "inbox/turn-01/rejected") == rejected


@pytest.mark.clause("O7")
def test_sender_and_gm_are_told_of_a_file_that_was_set_aside(game: Path, run: Run) -> None:
    run("receive", all_orders(game), "--at", EARLY)
    wrong = write_orders(game, "LIT", GOOD, turn=3, key=key_of(game, "LIT"))
    run("receive", wrong, "--at", EARLY, code=1)
    assert "1 file rejected" in run("status", "--at", EARLY).output
    assert "Lithuania: a file was rejected" in run("turn", "--no-html").output
    own = (game / "turns/turn-01/results/LIT.yaml").read_text(encoding="utf-8")
    assert '"sheet/wrong-turn"' in own
    for other in ("NOV", "POL", "TEU"):
        assert "wrong-turn" not in (game / f"turns/turn-01/results/{other}.yaml").read_text(encoding="utf-8")
    assert (game / "turns/turn-01/orders/rejected/LIT-1.yaml").read_bytes() == wrong.read_bytes()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.yaml", b""),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4),
        ("mail.html", b"<html><body>orders: 1</body></html>"),
        ("bomb.yaml", b"a: &a [x, x]\nb: &b [*a, *a]\n"),
        ("large.yaml", b"orders: 1\n" + b"# " + b"x" * 1_100_000),
        ("latin.yaml", "ruler: Władysław".encode("iso-8859-2")),
    ],
)
@pytest.mark.clause("O7")
def test_nothing_that_comes_stops_the_work(game: Path, run: Run, name: str, data: bytes) -> None:
    mail = all_orders(game)
    (mail / name).write_bytes(data)
    result = run("receive", mail, "--at", EARLY, code=1)
    assert "4 files accepted of 5" in result.output
    assert f"rejected    ???  {name}" in result.output
    run("turn", "--no-html")


def test_a_file_with_a_wrong_key_is_nobodys(game: Path, run: Run) -> None:
    run("receive", write_orders(game, "LIT", GOOD), "--at", EARLY)
    first = standing(game)
    forged = write_orders(game, "LIT", name="forged.yaml", key=key_of(game, "POL"))
    result = run("receive", forged, "--at", EARLY, code=1)
    assert "rejected    ???  forged.yaml" in result.output
    assert "sheet/wrong-key" in result.output
    assert key_of(game, "LIT") not in result.output
    assert standing(game) == first
    # the realm in whose name it was sent hears nothing of it
    assert "file rejected" not in run("status", "--at", EARLY).output


@pytest.mark.parametrize("realm", ["../../evil", "XXX", "/etc/passwd", "IND", "''"])
def test_no_path_is_built_from_what_a_player_writes(game: Path, run: Run, realm: str) -> None:
    before = set(content(game.parent))
    path = game.parent / "mail.yaml"
    path.write_text(order_text(game, "LIT").replace("realm: LIT", f"realm: {realm}"), encoding="utf-8")
    run("receive", path, "--at", EARLY, code=1)
    new = set(content(game.parent)) - before - {"mail.yaml"}
    assert new == {
        "minsk/inbox/turn-01/receipts.json",
        "minsk/inbox/turn-01/rejected/unknown-1.txt",
        "minsk/inbox/turn-01/rejected/unknown-1.yaml",
    }


def test_links_and_hidden_files_in_a_folder_are_left_alone(game: Path, run: Run) -> None:
    mail = all_orders(game)
    (mail / "link.yaml").symlink_to(game / "players.yaml")
    (mail / ".hidden.yaml").write_text("x", encoding="utf-8")
    assert "4 files accepted of 4" in run("receive", mail, "--at", EARLY).output


def test_receive_speaks_json(game: Path, run: Run) -> None:
    write_orders(game, "LIT", GOOD)
    (game.parent / "mail" / "bad.yaml").write_text("nonsense", encoding="utf-8")
    data = json.loads(run("receive", game.parent / "mail", "--at", EARLY, "--json", code=1).output)
    fates = {file["file"]: (file["realm"], file["fate"]) for file in data["files"]}
    assert fates == {"LIT-1.yaml": ("LIT", "accepted"), "bad.yaml": (None, "rejected")}
    assert data["missing"] == ["NOV", "POL", "TEU"]


@pytest.mark.clause("O7")
def test_last_weeks_file_with_last_weeks_key_is_its_senders_mistake_and_no_orders(
    game: Path, run: Run
) -> None:
    run("receive", all_orders(game), "--at", EARLY)
    run("turn", "--no-html")
    assert key_of(game, "LIT", 1) != key_of(game, "LIT", 2)
    run("receive", write_orders(game, "LIT", GOOD), "--at", EARLY, code=1)
    assert "LIT  Lithuania       unreadable" in run("status", "--at", EARLY).output
    # the old key in a file for this turn proves nothing
    run("receive", write_orders(game, "POL", turn=2, key=key_of(game, "POL", 1)), "--at", EARLY, code=1)
    assert "POL  Poland          missing" in run("status", "--at", EARLY).output


def _campaign(game: Path) -> Campaign:
    return Campaign(GameFolder(game), MedievalGame())


@pytest.mark.clause("O1")
def test_a_file_that_is_vouched_for_needs_no_key(game: Path) -> None:
    campaign = _campaign(game)
    data = order_text(game, "LIT", GOOD, key="").encode()
    now = campaign.deadline(1) - timedelta(days=1)
    assert [receipt.fate for receipt in receive(campaign, [Submission("a.yaml", data)], now)] == [
        ReceiptStatus.REJECTED
    ]
    assert [receipt.fate for receipt in receive(campaign, [Submission("a.yaml", data, "POL")], now)] == [
        ReceiptStatus.REJECTED
    ]
    assert [receipt.fate for receipt in receive(campaign, [Submission("a.yaml", data, "LIT")], now)] == [
        ReceiptStatus.ACCEPTED
    ]
    plan = turn_plan(_campaign(game))
    assert plan.files == {"LIT": data}
    # the GM's word is for that file alone: put another in its place by hand, and the key is asked for again
    (game / "inbox/turn-01/LIT.yaml").write_bytes(data + b"# changed\n")
    assert turn_plan(_campaign(game)).files == {}


@pytest.mark.clause("O7")
def test_a_file_that_cannot_be_read_is_still_known_by_its_key(game: Path) -> None:
    broken = order_text(game, "LIT").encode() + b"units:\n\tMinsk: {}\n"
    assert claimed(game, broken) == ("LIT", Proof.KEY)
    wrong = order_text(game, "LIT", key="brave-otter-10").encode() + b"\t\n"
    assert claimed(game, wrong) == ("LIT", Proof.NONE)
    assert claimed(game, b"\0\xff\n") == ("", Proof.NONE)
