"""``pbem export`` and ``pbem import``: nothing is lost, any damage shows, and without keys nobody gets
power by it.
"""

import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from gm.store.archive import without_secrets
from gm.store.folder import GameFolder
from gm.store.journal import journal_of
from tests.cli.conftest import PLAYERS, Run, content, key_of, write_orders
from tests.examples import sweep
from tests.mail.shapes.pieces import zipped

JOURNAL = "journal.jsonl"


def without_journal(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in content(folder).items() if name not in (JOURNAL, "imported.json")}


def test_what_was_exported_is_imported_byte_for_byte(played: Path, run: Run, tmp_path: Path) -> None:
    before = without_journal(played)
    run("export", "--out", tmp_path / "a.zip", "--at", "2026-01-10")
    assert "1 turn played" in run("import", tmp_path / "a.zip", tmp_path / "copy").output
    assert without_journal(tmp_path / "copy") == before == without_journal(played)
    assert [entry["did"] for entry in journal_of(tmp_path / "copy").entries][-1] == "import"
    run("turn", "--missing-ok", "--game", tmp_path / "copy")


@pytest.mark.slow
def test_the_same_game_gives_the_same_archive(played: Path, run: Run, tmp_path: Path) -> None:
    (played / ".turn-09.building").write_bytes(b"left by a killed run")
    run("export", "--out", tmp_path / "a.zip")
    (played / JOURNAL).unlink()
    run("export", "--out", tmp_path / "b.zip")
    (played / JOURNAL).unlink()
    run("export", "--out", tmp_path / "c.zip")
    assert (tmp_path / "b.zip").read_bytes() == (tmp_path / "c.zip").read_bytes()
    assert not any(
        "building" in name or "lock" in name for name in zipfile.ZipFile(tmp_path / "b.zip").namelist()
    )


def test_without_keys_nothing_in_it_gives_power_over_the_game(played: Path, run: Run, tmp_path: Path) -> None:
    run("export", "--without-keys", "--out", tmp_path / "a.zip")
    archive = zipfile.ZipFile(tmp_path / "a.zip")
    everything = b"".join(archive.read(name) for name in archive.namelist())
    game = GameFolder(played)
    for realm in PLAYERS:
        assert key_of(played, realm, 2).encode() not in everything
        player = game.players.of(realm)
        assert player is not None
        assert player.secret.encode() not in everything
    assert b'\nseed: ""\n' in archive.read("game.yaml")
    run("import", tmp_path / "a.zip", tmp_path / "copy")
    copy = GameFolder(tmp_path / "copy")
    for realm in PLAYERS:
        assert key_of(tmp_path / "copy", realm, 2) != key_of(played, realm, 2)
    assert copy.settings.seed != game.settings.seed
    run("report", "--game", tmp_path / "copy")
    run("turn", "--missing-ok", "--game", tmp_path / "copy")


@pytest.mark.parametrize(
    "harm", sweep(["cut", "flip", "drop", "add", "climb", "nonsense", "newer", "empty"], "flip")
)
def test_a_damaged_archive_is_refused_whole(played: Path, run: Run, tmp_path: Path, harm: str) -> None:
    run("export", "--out", tmp_path / "a.zip")
    (tmp_path / "a.zip").write_bytes(_harmed((tmp_path / "a.zip").read_bytes(), harm))
    result = run("import", tmp_path / "a.zip", tmp_path / "copy", code=2)
    assert "archive" in result.output
    assert not (tmp_path / "copy").exists()
    assert not (tmp_path / "evil").exists()


def _harmed(data: bytes, harm: str) -> bytes:
    """Return an archive's bytes after the named harm."""
    if harm in ("nonsense", "empty"):
        return b"nothing of the kind" if harm == "nonsense" else b""
    if harm == "cut":
        return data[: len(data) // 2]
    files = {
        entry: zipfile.ZipFile(io.BytesIO(data)).read(entry)
        for entry in zipfile.ZipFile(io.BytesIO(data)).namelist()
    }
    if harm == "flip":
        files["turns/turn-01/state.json"] = files["turns/turn-01/state.json"].replace(b"1", b"2", 1)
    elif harm == "drop":
        del files["map.yaml"]
    elif harm == "add":
        files["more.txt"] = b"more"
    elif harm == "newer":
        files["archive.json"] = files["archive.json"].replace(b'"schema": 1', b'"schema": 99')
    elif harm == "climb":
        listed = json.loads(files["archive.json"])
        files["../evil"] = b"evil"
        listed["files"]["../evil"] = "4e0d2a4b1d9bd2a4b2f8ad2ba5ae6f8c3f3aab6d6e5a4d0cba6a2ab4a6a1a0a9"
        files["archive.json"] = json.dumps(listed).encode()
    return zipped(files)


def test_a_game_that_breaks_the_rules_is_not_imported(played: Path, run: Run, tmp_path: Path) -> None:
    state = played / "turns/turn-01/state.json"
    data = json.loads(state.read_bytes())
    data["realms"]["LIT"]["treasury"] = "-5.00"
    state.write_text(json.dumps(data), encoding="utf-8")
    run("export", "--out", tmp_path / "a.zip")
    run("import", tmp_path / "a.zip", tmp_path / "copy", code=2)
    assert not (tmp_path / "copy").exists()


def test_a_key_that_counts_for_every_turn_leaves_the_house_in_no_archive(
    played: Path, run: Run, tmp_path: Path
) -> None:
    """It stands in the order files of past turns, and their hashes are published: it cannot be blotted
    out.
    """
    players = played / "players.yaml"
    players.write_text(
        players.read_text(encoding="utf-8").replace("realm: POL,", "realm: POL, key: for-ever-and-a-day,")
    )
    said = run("export", "--without-keys", "--out", tmp_path / "a.zip", code=2).output
    assert "The key of POL counts for every turn" in said
    assert not (tmp_path / "a.zip").exists()
    run("seat", "POL", "--new-key")
    run("export", "--without-keys", "--out", tmp_path / "a.zip")


def texts_of(archive: zipfile.ZipFile) -> str:
    return "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist()).lower()


@pytest.mark.slow
def test_without_keys_no_address_is_in_it_and_its_turns_can_be_played_again(
    played: Path, run: Run, tmp_path: Path
) -> None:
    """14.A5: addresses are left out everywhere: seats, what an ambassador left, reports, remarks, the GM's
    journal.
    """
    (played / "notes.txt").write_text("NOV is nikita@example.org", encoding="utf-8")
    (played / ".git").mkdir()
    (played / ".git" / "old").write_bytes(b"seed: secret")
    players = played / "players.yaml"
    text = players.read_text(encoding="utf-8") + "# Theo's other address: theo.two@example.org\n"
    players.write_text(text, encoding="utf-8")
    run("seat", "TEU", "--bot", "program:bots/run --token qz41")
    run(
        "amend", "gold", "LIT", "+5", "--why", "Anna (ANNA@example.org) lost gold", "--at", "2026-01-10 12:00"
    )
    run("receive", orders_two(played), "--at", "2026-01-10 12:00")
    run("turn", "--missing-ok")
    run("turn", "--missing-ok")
    said = run("export", "--without-keys", "--out", tmp_path / "a.zip").output
    archive = zipfile.ZipFile(tmp_path / "a.zip")
    everything = texts_of(archive)
    for name in ("anna", "nikita", "piotr", "theo.two"):
        assert f"{name}@example.org" not in everything
    there = {name for name in archive.namelist() if b"theo@example.org" in archive.read(name)}
    assert "turns/turn-02/orders/NOV.yaml" in there
    assert {name[:14] for name in there} == {"turns/turn-02/"}  # where a player wrote it for all to read
    assert "turns/turn-02/orders/NOV.yaml" in said
    assert "qz41" not in everything
    assert not {"notes.txt", ".git/old"} & set(archive.namelist())
    assert "@withheld.invalid" in archive.read("turns/turn-01/log.jsonl").decode()
    run("import", tmp_path / "a.zip", tmp_path / "copy")
    assert "Proven: 3 turns" in run("verify", "--replay", "--game", tmp_path / "copy").output
    run("report", "--game", tmp_path / "copy")


def orders_two(game: Path) -> Path:
    """An order file of turn 2 in which its player names an address."""
    return write_orders(game, "NOV", "headquarters: {proclamation: Write to theo@example.org}\n", turn=2)


@pytest.mark.parametrize(
    "written", ['renewed: {2: "qz1",\n  3: "qz2"}\n', 'renewed:\n  2: "qz1"\n  3: qz2\n', "renewed: {}\n"]
)
def test_however_they_are_written_no_master_secret_is_in_it(written: str) -> None:
    """14.A5: in one line or in several, the seed and those that came after it are left out."""
    settings = f'id: a\nseed: "qz0"   # yours\n{written}late: take\n'
    files = {"game.yaml": settings.encode(), "players.yaml": b"schema: 1\nplayers: []\n", "seed.txt": b"qz0"}
    kept, _ = without_secrets(files, 0)
    assert kept["game.yaml"] == b'id: a\nseed: ""\nlate: take\n'
    assert set(kept) == {"game.yaml", "players.yaml"}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_what_commands_write_into_a_game_troubles_no_other_command(played: Path, run: Run) -> None:
    """item 16: exports hold no exports, and no file that is written by default is complained of."""
    commands = (
        *(
            "history",
            "history --realm LIT",
            "history --out history.json",
            "epilogue",
            "handbook --language de",
        ),
        *(
            "map show --out map.svg",
            "map show --out map.graphml",
            "odds 3 Archers vs 2 Archers --out odds.svg",
        ),
        *("simulate --games 1 --turns 2", "export", "export --out backup", "schema orders"),
    )
    plain = set(run("export", "--out", "../plain.zip").output and zipfile.ZipFile("../plain.zip").namelist())
    umask = os.umask(0o022)
    try:
        for line in commands:
            run(*line.split(), code=None)
        again = run("export", "--out", "twice.zip").output
    finally:
        os.umask(umask)
    assert {"history.html", "minsk-turn-01.zip", "backup", "map.svg", "simulation"} <= {
        path.name for path in Path().iterdir()
    }
    assert "twice.zip: the game after turn 1" in again
    assert set(zipfile.ZipFile("twice.zip").namelist()) - plain == {"handbook.de.html"}
    assert json.loads(run("status", "--json").output)["open_to_others"] == []
    checks = json.loads(run("doctor", "--json", code=None).output)["checks"]
    assert [check["state"] for check in checks if check["what"] == "permissions"] == ["good"]
    assert "Others on this machine" not in run("status").output
    run("import", "twice.zip", "../copy")
    assert not (Path("../copy") / "minsk-turn-01.zip").exists()
