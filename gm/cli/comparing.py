"""``pbem simulate --compare``: two simulations that were played before, side by side."""

from pathlib import Path

import click

from gm.cli.output import Failure, print_json, shown_path, with_stop
from gm.core.diagnostics import message_of, says
from gm.games import game_spec, why_unknown
from gm.simulation.comparison import Side, compared, comparison_data, comparison_lines, comparison_page
from gm.simulation.findings import Findings
from gm.simulation.folder import SimulationFolder, SimulationFolderError

PAGE = "comparison.html"


def compare(folders: tuple[Path, Path], out: Path | None, *, as_json: bool) -> None:
    """Print how the simulations in two folders differ, and write the page of their comparison.

    The page goes into ``out``, or into the second folder if that is None. ``as_json``: print JSON. Raises
    ``Failure`` for a folder without a simulation, for simulations of different games, and for one with too
    few games.
    """
    try:
        before = _side(folders[0])
        after = _side(folders[1])
    except SimulationFolderError as error:
        raise Failure(message_of(error)) from None
    if before.identity["game"] != after.identity["game"]:
        problem = says(
            "{0} holds games of {1}, {2} of {3}: only simulations of one game can be compared.",
            before.folder,
            before.identity["game"],
            after.folder,
            after.identity["game"],
        )
        raise Failure(problem)
    game = after.identity["game"]
    title = game if why_unknown(game) else game_spec(game).title  # the game may not be installed here
    try:
        groups = compared(before, after)
    except ValueError as error:
        raise Failure(with_stop(error)) from None
    sides = (before, after)
    page = SimulationFolder(out or folders[1]).write_page(comparison_page(title, sides, groups), PAGE)
    if as_json:
        print_json({**comparison_data(sides, groups), "page": str(page)})
    else:
        click.echo("\n".join([*comparison_lines(sides, groups), "", f"The page is {shown_path(page)}."]))


def _side(path: Path) -> Side:
    """Return the simulation in a folder. Raises ``SimulationFolderError`` if there is none."""
    folder = SimulationFolder(path)
    settings = folder.asked()
    folder.count_again()
    return Side(str(path), settings, Findings(folder.records()))
