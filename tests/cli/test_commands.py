"""What all commands have in common: help, colours, exit codes, no traceback; and the small ones."""

import contextlib
import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

import click
import pytest

import gm as package
from gm import __version__
from gm.cli import working
from gm.cli.app import COMMANDS, SECTIONS, WIDEST
from gm.cli.app import gm as command_line
from gm.cli.options import ExplainedCommand
from gm.cli.output import FAILED, REFUSED
from gm.cli.session import uncollected
from gm.cli.working import in_turn
from gm.core.yaml.models import load_data
from gm.games.medieval.data.edition import EDITION
from gm.resources import resource
from gm.store.folder import GameFolder
from tests.cli.conftest import PLAYERS, Run, key_of, write_orders
from tests.test_structure import ROOT

EARLY = "2026-01-09 19:59"


# -- gm itself -----------------------------------------------------------------------------------------------


def _process(
    *arguments: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gm", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
    )


def test_the_program_runs_as_a_process() -> None:
    assert _process("--version").stdout == f"pbem {package.__version__}\n"
    process = _process("--help")
    assert process.returncode == 0
    assert all(name in process.stdout for name in COMMANDS)
    lost = _process("status", cwd=Path("/"))
    assert (lost.returncode, lost.stdout) == (2, "")
    assert "There is no game in" in lost.stderr


@pytest.mark.parametrize(("terminal", "patience"), [(True, -1.0), (True, 60.0), (False, -1.0)])
def test_a_bar_is_shown_on_a_terminal_when_work_takes_long(
    terminal: bool, patience: float, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setattr(working, "PATIENCE", patience)
    assert list(in_turn(iter("abcd"), "letters", 4)) == list("abcd")
    printed = capsys.readouterr()
    assert printed.out == ""
    if terminal and patience < 0:
        assert "letters  [" in printed.err
        assert "2/4" in printed.err
        assert printed.err.endswith("\r\x1b[2K\x1b[?25h"), "the line is empty again"
    else:
        assert printed.err == ""


@pytest.mark.slow
def test_commands_that_take_long_tell_how_far_they_are(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(working, "PATIENCE", -1.0)
    out = str(played.parent / "out")
    for words, progress in (
        (["history"], "2/2"),
        (["history", "--out", f"{out}.json"], "2/2"),
        (["verify"], "]  17"),
        (["publish", out], "1/1"),
    ):
        command_line.main(words, standalone_mode=False)
        assert progress in capsys.readouterr().err, words


def test_garbage_is_left_alone_during_a_turn_and_looked_for_again_after_it_whatever_happens() -> None:
    with contextlib.suppress(ZeroDivisionError), uncollected():
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_every_command_has_a_help_with_an_example(run: Run) -> None:
    below = {"map": ["map show", "map check"]}
    below["schema"] = SCHEMAS
    for name in chain.from_iterable(below.get(command, [command]) for command in COMMANDS):
        text = run(*name.split(), "--help").output
        assert f"Usage: pbem {name}" in text
        assert text == run(*name.split(), "-h").output
        assert f"pbem {name} " in text.partition("\n")[2]


def test_the_list_of_commands_is_short_and_cuts_nothing_off(run: Run) -> None:
    """Issue 38, item 5: in groups, a line of at most 60 characters for each command, below a command too."""
    lines = run("--help").output.splitlines()
    assert [line[:-1] for line in lines if line and line[0] != " " and line.endswith(":")] == [
        "Options",
        *SECTIONS,
    ]
    assert all(len(text) <= 60 for _, text in COMMANDS.values())
    assert all(f"  {name:{WIDEST}}  {text}" in lines for name, (_, text) in COMMANDS.items())
    parents = [
        name
        for name in COMMANDS
        if isinstance(command_line.get_command(click.Context(command_line), name), click.Group)
    ]
    assert len(parents) > 5
    assert [name for name in parents if "..." in run(name, "--help").output.partition("Commands:")[2]] == []


def test_every_help_text_belongs_to_a_command_or_an_option_and_every_option_has_one() -> None:
    def explained(group: click.Group, context: click.Context) -> Iterator[ExplainedCommand]:
        for command in filter(
            None, (group.get_command(context, name) for name in group.list_commands(context))
        ):
            if isinstance(command, ExplainedCommand):
                command.explain()
                yield command
            if isinstance(command, click.Group):
                yield from explained(command, context)

    texts = {path.name: dict(load_data(path)[0]) for path in resource("templates", "help").iterdir()}
    for command in explained(command_line, click.Context(command_line)):
        assert command.help
        own = texts[command.help_file].pop(command.name).get("options", {})
        options = {param.opts[0]: param.help for param in command.params if isinstance(param, click.Option)}
        assert own.items() <= options.items()
        assert [name for name, about in options.items() if not about] == ["--security"] * (
            command.name == "setup"
        )
    assert not any(texts.values())


def test_the_game_is_found_from_a_folder_inside_it_or_by_name(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(game / "turns" / "turn-00")
    inside = run("status", "--at", EARLY).output
    monkeypatch.chdir(game.parent)
    assert run("status", "--at", EARLY, "--game", "minsk").output == inside
    assert run("status", "--at", EARLY, "-g", game).output == inside


@pytest.mark.slow
def test_colours_only_on_a_terminal(game: Path) -> None:
    assert "\x1b[" not in _process("status", "--at", EARLY, cwd=game).stdout
    pty = pytest.importorskip("pty")

    def on_a_terminal(**environment: str) -> bytes:
        """Return what `status` writes to a terminal, in bytes."""
        leader, follower = pty.openpty()
        command = [sys.executable, "-m", "gm", "status", "--at", EARLY]
        with subprocess.Popen(
            command, cwd=game, stdout=follower, env={**os.environ, **environment}
        ) as process:
            process.wait()
        os.close(follower)
        chunks = b""
        try:
            while chunk := os.read(leader, 65536):
                chunks += chunk
        except OSError:
            pass  # the terminal is gone once everything is read
        os.close(leader)
        return chunks

    assert b"\x1b[" in on_a_terminal(NO_COLOR="")
    assert b"\x1b[" not in on_a_terminal(NO_COLOR="1")


@pytest.mark.slow
def test_the_shell_completes_commands_and_options() -> None:
    def offered(words: str, index: int) -> list[str]:
        process = _process(_PBEM_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(index))
        return process.stdout.split()

    assert offered("gm st", 1) == ["plain,status"]
    assert "plain,--missing-ok" in offered("pbem turn --", 2)


# -- status --------------------------------------------------------------------------------------------------


def test_status_tells_who_is_in_and_when_orders_are_due(game: Path, run: Run) -> None:
    write_orders(game, "LIT", "headquarters: {offer_peace: [POL, ENG]}\n")
    write_orders(game, "POL", name="POL.yaml")
    run("receive", game.parent / "mail", "--at", EARLY)
    lines = run("status", "--at", "2026-01-08 18:30").output.splitlines()
    assert lines == [
        "minsk (Medieval Diplomacy): orders for turn 1",
        "Deadline: Friday 2026-01-09 20:00 UTC, in 1 day 1 hour",
        "",
        "  LIT  Lithuania       in         1 order invalid",
        "  NOV  Novgorod        missing",
        "  POL  Poland          in",
        "  TEU  Teutonic Order  missing",
        "",
        "Orders in: 2 of 4. Missing: NOV, TEU.",
        "",
        f"Rules: as the game began, with pbem {__version__} (edition {EDITION}).",
    ]


def test_status_speaks_json(game: Path, run: Run) -> None:
    write_orders(game, "LIT")
    run("receive", game.parent / "mail", "--at", EARLY)
    data = json.loads(run("status", "--json", "--at", EARLY).output)
    assert (data["turn"], data["complete"], data["missing"]) == (1, False, ["NOV", "POL", "TEU"])
    assert (data["deadline"], data["deadline_passed"]) == ("2026-01-09T20:00:00+00:00", False)
    assert [realm["orders"] for realm in data["realms"]] == ["in", "missing", "missing", "missing"]


# -- seat ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("V3")
def test_a_new_player_takes_a_seat_and_the_old_key_is_void(game: Path, run: Run) -> None:
    old = key_of(game, "POL")
    path = write_orders(game, "POL")
    before = (game / "players.yaml").read_text(encoding="utf-8")
    result = run("seat", "pol", "--name", "Carla", "--email", "carla@example.org", "--new-key")
    assert "POL: name Carla, email carla@example.org, a new secret." in result.output
    new = key_of(game, "POL")
    assert new != old
    assert "sheet/wrong-key" in run("receive", path, "--at", EARLY, code=1).output
    run("receive", write_orders(game, "POL", key=new), "--at", EARLY)
    after = (game / "players.yaml").read_text(encoding="utf-8")
    # comments and all other entries stay as they were
    changed = [a for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert len(changed) == 1
    run("report")
    assert new in (game / "turns/turn-00/next/POL.yaml").read_text(encoding="utf-8")


@pytest.mark.clause("V2")
def test_the_gm_can_change_a_players_status_at_any_time(game: Path, run: Run) -> None:
    run("seat", "LIT", "--status", "commoner")
    assert json.loads(run("seat", "LIT", "--json").output)["seats"][0]["status"] == "commoner"
    run("turn", "--missing-ok")
    state = json.loads((game / "turns/turn-01/state.json").read_text(encoding="utf-8"))
    assert state["realms"]["LIT"]["status"] == "commoner"
    assert "Lithuania is now commoner" in " ".join(
        (game / "turns/turn-01/results/POL.html").read_text(encoding="utf-8").split()
    )


@pytest.mark.clause("F0", "V3")
@pytest.mark.slow
def test_after_a_palace_coup_a_realm_waits_for_the_gm_to_seat_another_player(game: Path, run: Run) -> None:
    run("seat", "LIT", "--controller", "player", "--name", "Somebody new")
    state = json.loads((game / "turns/turn-00/state.json").read_text(encoding="utf-8"))
    lands = [name for name, land in state["provinces"].items() if land["owner"] == "LIT"]
    coup = f"headquarters:\n  cede_province: [{', '.join(lands)}]\nunits:\n"
    for unit in state["units"].values():
        if unit["realm"] == "LIT":
            troops = ", ".join(f"{name}: {sum(ranks)}" for name, ranks in unit["troops"].items())
            coup += f"  {unit['kind']}{unit['number']}:\n    disband: {{{troops}}}\n"
    run("receive", write_orders(game, "LIT", coup), "--at", EARLY)
    run("turn", "--missing-ok")
    assert "LIT  Lithuania       no player" in run("status", "--at", EARLY).output
    run("seat", "LIT", "--name", "Somebody loyal", "--controller", "player", "--new-key")
    assert "LIT  Lithuania       missing" in run("status", "--at", EARLY).output


@pytest.mark.parametrize("name", ['Anna "the Great": {x}', "# no comment", "Łucja, Żółć", "- *a", "on", "12"])
def test_any_visible_name_is_kept_as_it_is(game: Path, run: Run, name: str) -> None:
    run("seat", "LIT", "--name", name)
    player = GameFolder(game).players.of("LIT")
    assert player is not None
    assert player.name == name


# -- maps and schemas ----------------------------------------------------------------------------------------


def test_the_map_is_drawn_into_a_file_or_the_output(game: Path, run: Run) -> None:
    result = run("map", "show", "--out", "map.svg")
    assert "The map is drawn in map.svg" in result.output
    whole = (game / "map.svg").read_text(encoding="utf-8")
    assert whole.startswith("<svg")
    assert whole == run("map", "show").output
    bare = run("map", "show", "--no-troops", "--realm", "lit").output
    assert len(bare) < len(whole)
    assert "this game has no realm ENG" in run("map", "show", "--realm", "ENG", code=2).output
    assert "Turn 3 has not been played" in run("map", "show", "--turn", 3, code=2).output


def test_the_schema_of_order_files_knows_the_games_names(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = json.loads(run("schema", "orders").output)
    assert set(PLAYERS) == set(schema["$defs"]["realm"]["enum"])
    monkeypatch.chdir(game.parent)
    assert json.loads(run("schema", "orders", "--map", "minsk").output)["$defs"] == schema["$defs"]
    assert "Name the map or the results to take names from" in run("schema", "orders", code=2).output


def test_the_schema_of_a_realms_next_orders_is_the_one_beside_its_template(game: Path, run: Run) -> None:
    beside = json.loads((game / "turns/turn-00/next/LIT.schema.json").read_bytes())
    results = game / "turns/turn-00/results/LIT.yaml"
    assert json.loads(run("schema", "orders", "--results", results).output) == beside
    assert json.loads(run("schema", "orders", "--realm", "lit").output) == beside
    assert "there are LIT, NOV, POL, TEU" in run("schema", "orders", "--realm", "XYZ", code=2).output
    assert (
        "already names the realm"
        in run("schema", "orders", "--results", results, "--realm", "LIT", code=2).output
    )
    assert (
        "name a map's folder"
        in run("schema", "orders", "--results", results, "--map", "minsk", code=2).output
    )
    assert "needs a game" in run("schema", "orders", "--map", "minsk", "--realm", "LIT", code=2).output


def test_the_environment_names_the_game_where_no_folder_is_given(
    game: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("GM_GAME", str(game))
    assert "minsk (Medieval Diplomacy)" in run("status").output
    assert f"There is no game in {tmp_path}" in run("why", "--game", tmp_path, code=2).output


# -- for programs --------------------------------------------------------------------------------------------

SCHEMAS = [f"schema {format_name}" for format_name in ("orders", "results", "bot", "log", "history")]
NO_JSON = {*SCHEMAS, "map show", "play", "desk", "completion"}
"""They print documents of other kinds, or serve a person."""


def leaves(group: click.Group, context: click.Context, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by the words that are typed."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, context, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def test_every_command_has_json_and_ends_with_a_code_of_the_table(run: Run) -> None:
    commands = dict(leaves(command_line, click.Context(command_line)))
    assert len(commands) > 50
    without = {
        name
        for name, command in commands.items()
        if not any("--json" in param.opts for param in command.params)
    }
    assert without == NO_JSON
    text = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")
    codes = {int(code) for code in re.findall(r"(?m)^\| (\d) \|", text)}
    assert codes == {0, REFUSED, FAILED}
    # nothing to work on: each says so, none falls over
    quick = sorted(commands.keys() - {"simulate", "play", "desk", "completion", "new"})
    assert {name: run(*name.split(), code=None).exit_code for name in quick}.items() <= set(
        product(quick, codes)
    )
    table = set(re.findall(r"(?m)^\| `([a-z ]+)` \|", text))
    helps = {name for name in commands if re.search("[Ee]xit codes?", run(*name.split(), "--help").output)}
    assert helps - {"completion"} == table


def test_a_command_without_data_gives_its_sentences(game: Path, run: Run) -> None:
    said = run("deadline", "hold", "the GM is ill").output.splitlines()
    data = json.loads(run("deadline", "hold", "the GM is ill", "--json").output)
    assert data == {"format": 1, "said": said}
    refused = run("deadline", "extend", "--json", code=2)
    assert json.loads(refused.stdout) == {"format": 1, "said": []}
    assert "with --hours, --until or --grace" in refused.stderr


@pytest.mark.slow
def test_a_log_is_kept_when_asked_for(game: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(game.parent / "cache"))
    done = _process("--verbose", "status", "--at", EARLY, cwd=game)
    log = game.parent / "cache" / "gm" / "pbem.log"
    assert (done.returncode, done.stderr) == (0, f"The log is in {log}.\n")
    assert f"{__version__} status, Python" in log.read_text("utf-8")
    assert EARLY not in log.read_text("utf-8")
    _process("--verbose", "report", "--turn", "7", cwd=game)
    assert "has not been played" in log.read_text("utf-8")
    assert log.stat().st_mode & 0o077 == 0
