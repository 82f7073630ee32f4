"""The progress line: on a terminal and elsewhere, and that the time left is estimated without bias."""

from itertools import product

import pytest

from gm.cli.progress import Progress, time_words


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_time_left_with_one_process_is_exact_for_games_of_equal_length() -> None:
    clock = Clock()
    progress = Progress(10, 0, 1, terminal=False, clock=clock)
    assert progress.seconds_left() is None
    for done in range(1, 11):
        clock.now += 7
        progress.add(5)
        assert progress.seconds_left() == pytest.approx(7 * (10 - done))


def test_time_left_with_several_processes_is_right_from_the_first_game_on() -> None:
    # four processes, games of 8 seconds, one finished every 2 seconds once they are out of step
    clock = Clock()
    progress = Progress(100, 0, 4, terminal=False, clock=clock)
    ends = sorted(start + 8 * (1 + number) for start, number in product((0, 2, 4, 6), range(25)))
    for end in ends[:-1]:
        clock.now = 100 + end
        progress.add(5)
        left = progress.seconds_left()
        assert left is not None
        if end >= 16:
            assert left == pytest.approx(ends[-1] - end, rel=0.25, abs=4)


def test_what_was_finished_before_counts_as_done_but_not_for_the_speed() -> None:
    clock = Clock()
    progress = Progress(10, 6, 1, terminal=False, clock=clock)
    clock.now += 5
    progress.add(5)
    assert progress.seconds_left() == pytest.approx(15)


def test_without_a_terminal_ten_lines_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    progress = Progress(200, 0, 2, terminal=False, clock=clock)
    for _ in range(200):
        clock.now += 1
        progress.add(10)
    progress.end()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[4] == "100 of 200 games, 10.0 turns a second, 99 s left"
    assert lines[-1] == "200 of 200 games, 10.0 turns a second"


def test_on_a_terminal_one_line_is_written_again_and_again_and_cleared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    progress = Progress(2, 0, 1, terminal=True, clock=clock)
    clock.now += 60
    progress.add(30)
    progress.end()
    written = capsys.readouterr().err
    assert "\n" not in written
    assert written.split("\r\x1b[2K")[1:] == [
        "0 of 2 games, playing ...",
        "1 of 2 games, 0.5 turns a second, 60 s left",
        "",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (99, "99 s"), (100, "2 min"), (5939, "99 min"), (7500, "2 h 05 min")]
)
def test_times_are_written_for_people(seconds: float, words: str) -> None:
    assert time_words(seconds) == words
