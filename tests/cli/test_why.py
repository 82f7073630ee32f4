"""``pbem why``: answers on the terminal, and a turn tried with other orders."""

import json
import shutil
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from examples.medieval import demo
from gm.cli.app import gm
from tests.cli.conftest import Run, content

ANSWERED, REFUSED, GERMAN = YAML(typ="safe").load(Path(__file__).with_name("questions.yaml")).values()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example game after its last turn, without pages. Not to be changed."""
    folder: Path = tmp_path_factory.mktemp("example") / "minsk"
    for arguments in demo.commands(folder):
        more = ["--no-html"] if arguments[0] == "turn" else []
        gm.main([*arguments, *more], prog_name="pbem", standalone_mode=False)
    return folder


@pytest.fixture
def game(example: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(example)
    return example


def said(run: Run, *arguments: object, code: int = 0) -> str:
    """What ``pbem why`` says, on one line."""
    return " ".join(run("why", *arguments, code=code).output.split())


@pytest.mark.slow
def test_without_a_question_it_says_what_can_be_asked(game: Path, run: Run) -> None:
    output = said(run)
    for question in (
        "pbem why LIT A1",
        "pbem why LIT:33",
        "pbem why LIT gold",
        "pbem why battle Polotsk",
        "pbem why --if FILE",
    ):
        assert question in output


@pytest.mark.parametrize("question", ANSWERED)
def test_questions_are_answered_with_figures_and_clauses(game: Path, run: Run, question: str) -> None:
    assert ANSWERED[question] in said(run, *question.split())


@pytest.mark.parametrize("question", GERMAN)
def test_questions_are_answered_in_the_game_masters_language(game: Path, run: Run, question: str) -> None:
    """What programs read is English."""
    words = question.split()
    output = run("--language", "de", "why", *words, code=None).output
    assert GERMAN[question] in " ".join(output.split())
    read = [run(*language, "why", *words, "--json", code=None) for language in ((), ("--language", "de"))]
    if read[0].exit_code == 0:
        assert read[0].output == read[1].output


@pytest.mark.parametrize("question", REFUSED)
def test_a_question_about_nothing_is_refused_with_a_hint(game: Path, run: Run, question: str) -> None:
    assert REFUSED[question] in said(run, *question.split(), code=2)


@pytest.mark.clause("B14")
def test_luck_of_turns_whose_records_keep_no_sums_is_summed_from_their_logs(
    game: Path, run: Run, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(game, elsewhere)
    sums = json.loads((game / "turns/turn-03/turn.json").read_bytes())["tally"]["luck"]
    for turn in (1, 2, 3):
        path = elsewhere / f"turns/turn-{turn:02}/turn.json"
        record = json.loads(path.read_bytes())
        path.write_text(json.dumps({name: entry for name, entry in record.items() if name != "tally"}))
    assert said(run, "luck", "--turn", "3", "--game", elsewhere) == said(run, "luck", "--turn", "3")
    assert sums["NOV"][0] > 0
    run("verify", "--replay", "--game", elsewhere)


def test_as_json(game: Path, run: Run) -> None:
    answer = json.loads(run("why", "LIT", "gold", "--json").output)
    assert answer["turn"] == 4
    assert answer["answer"][0] == {
        "text": "Lithuania had 100.43 gold and has 122.74 now: +22.31.",
        "clause": "W10",
        "depth": 0,
    }


# -- other orders --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_orders_change_nothing(game: Path, run: Run) -> None:
    before = content(game)
    for realm in ("LIT", "NOV", "POL", "TEU"):
        for turn in (1, 2, 3, 4):
            path = game / f"turns/turn-{turn:02}/orders/{realm}.yaml"
            if path.is_file():
                assert said(run, "--turn", turn, "--if", path) == "Nothing: the turn comes out the same."
    assert content(game) == before


@pytest.mark.clause("W12")
def test_other_orders_change_what_they_must_and_no_other_die(game: Path, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "LIT.yaml"
    shutil.copy(game / "turns/turn-03/orders/LIT.yaml", path)
    path.write_text(path.read_text(encoding="utf-8").replace("declare_war: [TEU]", "accept_gifts: [TEU]"))
    output = said(run, "--turn", "3", "--if", path)
    assert "“declare_war: TEU”: was done; is not ordered now" in output
    assert "Battle of Gulf of Riga, phase 1: is not fought now" in output
    assert "Lithuania and the Teutonic Order: was war, now neutral" in output
    assert "Battle of Kiev" not in output
    assert "Prussia" not in output
    asked = said(run, "--turn", "3", "--if", path, "battle", "Kiev")
    assert "Lithuania wins" in asked


def test_a_file_that_cannot_be_read_is_refused(game: Path, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "LIT.yaml"
    shutil.copy(game / "turns/turn-02/orders/LIT.yaml", path)
    assert "cannot be read as orders for turn 3" in said(run, "--turn", "3", "--if", path, code=2)
