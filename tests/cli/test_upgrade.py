"""14.B12: a newer pbem never changes the rules of a running game silently."""

import json
import shutil
from pathlib import Path

import pytest

import gm.games.medieval.data.edition as edition
from gm.campaign import pinning
from gm.campaign.pinning import PINS_FILE
from gm.games.medieval.spec import SPEC
from gm.resources import resource
from gm.store.journal import journal_of
from tests.cli.conftest import AT, Run, forget


class Newer:
    """A gm of the future: the files that come with it are a copy that can be edited."""

    def __init__(self, top: Path) -> None:
        self.top = top
        for part in ("rules", "templates"):
            shutil.copytree(resource(part), top / part)

    def resource(self, *parts: str) -> Path:
        own = self.top.joinpath(*parts)
        return own if parts[0] in ("rules", "templates") and own.exists() else resource(*parts)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.top / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def newer(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Newer:
    made = Newer(tmp_path_factory.mktemp("newer"))
    for module in ("gm.campaign.pinning", "gm.games.medieval.data.rules_data", "gm.games.medieval.tables"):
        monkeypatch.setattr(f"{module}.resource", made.resource)
    return made


@pytest.mark.slow
def test_the_next_command_stops_shows_the_difference_and_goes_on_with_upgrade(
    ready: Path, newer: Newer, run: Run
) -> None:
    """14.B12: numbers with their clauses; then `pbem upgrade`, which is in the journal."""
    newer.edit("rules/medieval/numbers.yaml", "decay_percent: 7 ", "decay_percent: 8 ")
    newer.edit("rules/medieval/troops.yaml", "combat: 25, hit_points: 2,", "combat: 26, hit_points: 2,")
    newer.edit("rules/medieval/reasons/first.yaml", 'says: "', 'says: "alas, ')
    before = sorted(path.name for path in ready.rglob("*"))
    for words in (
        ["turn"],
        ["amend", "gold", "LIT", "+5", "--why", "a test"],
        ["seat", "LIT", "--name", "A"],
    ):
        said = run(*words, code=1).output
        assert "rules/numbers.yaml: economy.decay_percent: 7 -> 8   (L9)" in said
        assert "rules/troops.yaml: troops.Men-at-Arms.combat: 25 -> 26" in said
        assert "alas" not in said
        assert "'pbem upgrade'" in said
    assert sorted(path.name for path in ready.rglob("*")) == before
    assert "They differ from the installed rules (2 differences)" in run("status", "--at", AT).output
    assert "alas" not in run("upgrade", "--dry-run").output
    run("export", "--out", "before.zip")
    run("turn", code=1)
    run("upgrade")
    entry = journal_of(ready).entries[-1]
    assert (entry["did"], entry["keep"]) == ("upgrade", False)
    assert "rules/numbers.yaml: economy.decay_percent: 7 -> 8   (L9)" in entry["changes"]
    assert len(json.loads(run("status", "--json", "--at", AT).output)["rules"]["differences"]) == 0
    run("turn", "--no-html")
    assert "began with" in run("upgrade").output


def test_with_keep_the_game_is_played_by_the_rules_that_it_began_with(
    ready: Path, newer: Newer, run: Run
) -> None:
    """14.B12: the pinned numbers are used: the turn is that of the old gm, byte for byte, and of no other."""
    old = ready.parent / "old"
    new = ready.parent / "new"
    for copy in (old, new):
        shutil.copytree(ready, copy)
    run("turn", "--game", old, "--no-html")
    newer.edit("rules/medieval/numbers.yaml", "decay_percent: 7 ", "decay_percent: 50 ")
    run("upgrade", "--keep")
    assert [path.name for path in (ready / "rules").iterdir()] == ["numbers.yaml"]
    said = run("status", "--at", AT).output
    assert "Rules: as the game began" in said
    assert "numbers.yaml of its own" in said
    run("turn", "--no-html")
    run("upgrade", "--game", new)
    run("turn", "--game", new, "--no-html")
    states = [(game / "turns/turn-01/state.json").read_bytes() for game in (old, ready, new)]
    assert states[0] == states[1] != states[2]
    assert "Proven" in run("verify", "--replay").output
    assert journal_of(ready).entries[-2]["keep"] is True


def test_what_the_program_does_otherwise_cannot_be_kept(
    ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """14.B12: another edition is told honestly; only the upgrade goes on."""
    # what is kept of rules says their edition: a cache of one's own, so that no other test reads it
    monkeypatch.setenv("XDG_CACHE_HOME", str(ready.parent / "cache"))
    monkeypatch.setattr(edition, "EDITION", edition.EDITION + 1)
    now = edition.EDITION
    assert f"program: edition: {now - 1} -> {now}" in run("turn", code=1).output
    said = run("upgrade", "--keep", code=2).output
    assert "old numbers cannot bring it back" in said
    run("upgrade")
    run("turn", "--no-html")


def test_old_rules_that_this_gm_cannot_read_are_told(ready: Path, newer: Newer, run: Run) -> None:
    """14.B12: --keep changes nothing where the pinned numbers do not fit the program."""
    files = pinning.pins_of(ready)
    assert files is not None
    lacking = {
        **files.files,
        "rules/numbers.yaml": files.files["rules/numbers.yaml"].replace(b"decay_", b"rot_"),
    }
    forget(ready, "pins")
    (ready / PINS_FILE).write_bytes(pinning.pins_bytes(SPEC, lacking))
    assert "economy.rot_percent: 7 -> nothing   (L9)" in run("turn", code=1).output
    assert "cannot be read by this pbem" in run("upgrade", "--keep", code=2).output
    assert not (ready / "rules").exists()


def test_remarks_and_layout_are_no_difference(ready: Path, newer: Newer, run: Run) -> None:
    """14.B12: a reworded comment in a rules file stops nobody."""
    newer.edit("rules/medieval/numbers.yaml", "percent of the treasury", "of a hundred parts of a treasury")
    run("turn", "--no-html")


def test_sentences_that_an_earlier_version_pinned_stop_nobody(ready: Path, run: Run) -> None:
    """Issue 38, item 1: what it pinned of sentences is other than ours, and is pinned no longer."""
    pins = pinning.pins_of(ready)
    assert pins is not None
    forget(ready, "pins")
    old = {
        **pins.files,
        "words/reasons/first.yaml": b"x: {clause: L1, says: another}\n",
        "words/rulings.yaml": b"",
    }
    (ready / PINS_FILE).write_bytes(pinning.pins_bytes(SPEC, old))
    assert "They differ from the installed rules" not in run("status", "--at", AT).output
    assert "The game is played by the rules that it began with." in run("upgrade", "--dry-run").output
    run("turn", "--no-html")
    kept = pinning.pins_of(ready)
    assert kept is not None
    assert kept.files == pins.files


def test_what_the_gm_edits_in_his_own_folder_is_a_difference_too(ready: Path, run: Run) -> None:
    """14.B12: rules and map of the folder itself are pinned as well; --keep puts them back."""
    kept = (ready / "map.yaml").read_bytes()
    text = kept.decode()
    line = next(line for line in text.splitlines() if "revenue: " in line)
    (ready / "map.yaml").write_text(
        text.replace(line, line.replace("revenue: ", "revenue: 9"), 1), encoding="utf-8"
    )
    assert "revenue" in run("turn", code=1).output
    run("upgrade", "--keep")
    assert (ready / "map.yaml").read_bytes() == kept
    run("turn", "--no-html")


def test_a_game_that_is_older_than_its_pins_gets_them_silently(ready: Path, newer: Newer, run: Run) -> None:
    """14.B12: at first contact, with a line in the journal."""
    forget(ready, "pins")
    (ready / PINS_FILE).unlink()
    assert "not pinned yet" in run("status", "--at", AT).output
    run("seat", "LIT", "--name", "Anna")
    assert [entry["did"] for entry in journal_of(ready).entries][-2:] == ["pin", "seat"]
    newer.edit("rules/medieval/numbers.yaml", "decay_percent: 7 ", "decay_percent: 8 ")
    run("turn", code=1)


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"schema": 1, "packed": "eJwr"}', b'{"schema": 99}'])
def test_damaged_pins_are_told(ready: Path, run: Run, damage: bytes) -> None:
    (ready / PINS_FILE).write_bytes(damage)
    assert PINS_FILE in run("turn", code=2).output


@pytest.mark.parametrize("damage", [None, b"", b"{}"], ids=["gone", "empty", "other"])
def test_lost_pins_stop_the_next_command_until_the_gm_says_by_which_rules(
    ready: Path, newer: Newer, run: Run, damage: bytes | None
) -> None:
    """item 11: without its pins a game is not silently played by other rules."""
    newer.edit("rules/medieval/numbers.yaml", "decay_percent: 7 ", "decay_percent: 8 ")
    if damage is None:
        (ready / PINS_FILE).unlink()
    else:
        (ready / PINS_FILE).write_bytes(damage)
    for words in (["turn", "--no-html"], ["seat", "LIT", "--name", "Anna"], ["report"]):
        said = " ".join(run(*words, code=2).output.split())
        assert PINS_FILE in said
        assert "Restore it from a backup." in said
        assert "'pbem upgrade'" in said
    assert not (ready / "turns/turn-01").exists()
    run("upgrade", "--dry-run")
    assert "are lost" in run("upgrade", "--keep", code=2).output
    assert "with the installed rules" in run("upgrade").output
    assert journal_of(ready).entries[-1]["lost"] is True
    run("turn", "--no-html")


@pytest.mark.slow
def test_every_game_is_pinned(run: Run, tmp_path: Path) -> None:
    """14.B12: and its pins are small."""
    for key in ("conquest-structures", "conquest-fields", "conquestination", "conqueror", "medieval"):
        folder = tmp_path / key
        run("new", folder, "--game", key, "--first", "2026-01-09", "--at", AT)
        pins = pinning.pins_of(folder)
        assert pins is not None
        assert "map.yaml" in pins.files
        assert all(name.startswith("rules/") or name in pinning.OF_THE_GAME for name in pins.files)
        assert (folder / PINS_FILE).stat().st_size < 150_000
        run(
            "seat",
            sorted((folder / "turns/turn-00/next").glob("*.yaml"))[0].stem,
            "--name",
            "A",
            "--game",
            folder,
        )
        assert not json.loads(run("status", "--json", "--game", folder, "--at", AT).output)["rules"][
            "differences"
        ]
