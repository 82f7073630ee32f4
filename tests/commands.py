"""A hand to type commands with."""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gm.cli.app import gm

Run = Callable[..., Result]


def same_in_every_run(words: list[str]) -> list[str]:
    """Return a command's words; for a new game with what would be drawn, unless it is given.

    Dice depend on both secrets: they are thrown for the order files, which hold the keys.
    """
    if words[:1] != ["new"]:
        return words
    drawn = [option for option in ("--seed", "--key-secret") if option not in words]
    return [*words, *chain.from_iterable((option, "test") for option in drawn)]


def command(*words: object, code: int | None = 0) -> Result:
    """Run ``gm`` with these words in this process; ``code`` is the exit code that is expected, none: any.

    What it prints is plain sentences.
    """
    typed = same_in_every_run(list(map(str, words)))
    result = CliRunner().invoke(gm, typed, prog_name="pbem")
    assert "Traceback" not in result.output, result.output
    if result.exception is not None and not isinstance(result.exception, Exception | SystemExit):
        raise result.exception
    said = f"gm {' '.join(map(str, words))}: {result.exit_code}\n{result.output}"
    assert code is None or result.exit_code == code, said
    return result


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return command


def repeated(option: str, values: Iterable[object]) -> list[str]:
    """Return an option's words for each of its values: ``--play RED --play BLUE``."""
    return list(chain.from_iterable((option, str(value)) for value in values))
