"""``pbem simulate --compare``: two simulations that were played before, side by side."""

from pathlib import Path

import click

from gm.cli.output import Failure, print_json, shown_path, with_stop
from gm.games import game_spec, why_unknown
from gm.simulation.comparison import Side, compared, comparison_data, comparison_lines, comparison_page
from gm.simulation.findings import Findings
from gm.simulation.folder import SimulationFolder, SimulationFolderError

PAGE = "comparison.html"


def compare(folders: tuple[Path, Path], out: Path | None, *, as_json: bool) -> None:
    """Compare two folders of games, and write the page of it into ``out``, else into the second folder.

    Raises ``Failure`` for folders that cannot be compared.
    """
    try:
        before, after = sides = _side(folders[0]), _side(folders[1])
    except SimulationFolderError as error:
        raise Failure(str(error)) from None
    if before.identity["game"] != after.identity["game"]:
        games = (
            f"{before.folder} holds games of {before.identity['game']}, {after.folder} of "
            f"{after.identity['game']}"
        )
        raise Failure(f"{games}: only simulations of one game can be compared.")
    game = after.identity["game"]
    title = game if why_unknown(game) else game_spec(game).title
    try:
        groups = compared(before, after)
    except ValueError as error:
        raise Failure(with_stop(error)) from None
    page = SimulationFolder(out or folders[1]).write_page(comparison_page(title, sides, groups), PAGE)
    if as_json:
        print_json({**comparison_data(sides, groups), "page": str(page)})
    else:
        click.echo("\n".join([*comparison_lines(sides, groups), "", f"The page is {shown_path(page)}."]))


def _side(path: Path) -> Side:
    folder = SimulationFolder(path)
    settings = folder.asked()
    folder.count_again()
    return Side(str(path), settings, Findings(folder.records()))
