"""``pbem simulate``: many whole games played by bots, and their figures."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from functools import partial
from importlib import util
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import click
from click.core import ParameterSource

from gm.bots.registry import bot_named
from gm.cli.comparing import compare
from gm.cli.machine import cores
from gm.cli.new import options_of, print_options
from gm.cli.options import AsJson, gm_command, option
from gm.cli.output import (
    REFUSED,
    Failure,
    bug,
    echo,
    print_definitions,
    print_json,
    shown_path,
    with_stop,
)
from gm.cli.positions import map_folder, named_game
from gm.cli.progress import Progress
from gm.core.diagnostics import message_of, says
from gm.game.bots import bots_by_name
from gm.game.spec import GameSpec
from gm.games import game_spec
from gm.simulation.findings import Findings
from gm.simulation.folder import SimulationFolder, SimulationFolderError, data_tables
from gm.simulation.league import League, league_of
from gm.simulation.plan import Job, Plan, make_plan
from gm.simulation.playing import (
    BotBrokeError,
    GameBrokeError,
    UnusableWorkersError,
    run_here,
)
from gm.simulation.processes import run_in_processes
from gm.simulation.report import simulation_page, summary_data, summary_lines
from gm.simulation.seating import SeatingError
from gm.store.disk import locked
from gm.store.formats import JsonObject
from gm.text.pages import aligned
from gm.text.words import Said

_FORMATS = ("csv", "parquet")
_OUT = click.Path(path_type=Path, file_okay=False)
_OLD = click.Path(path_type=Path, file_okay=False, exists=True)


@gm_command("simulate")
def command(
    *,
    game_name: Annotated[str, option("--game", default="medieval", show_default=True, metavar="NAME")],
    map_name: Annotated[str | None, option("--map", metavar="MAP")],
    games: Annotated[
        int, option("--games", "-n", type=click.IntRange(1), default=20, show_default=True, metavar="N")
    ],
    turns: Annotated[
        int, option("--turns", type=click.IntRange(1), default=40, show_default=True, metavar="N")
    ],
    bots: Annotated[str | None, option("--bots", metavar="BOTS")],
    option_words: Annotated[tuple[str, ...], option("--set", multiple=True, metavar="NAME=VALUE")],
    seed: Annotated[str, option("--seed", default="simulation", show_default=True, metavar="TEXT")],
    jobs: Annotated[int | None, option("--jobs", "-j", type=click.IntRange(1), metavar="N")],
    scheduler: Annotated[str | None, option("--scheduler", metavar="ADDRESS")],
    out: Annotated[
        Path, option("--out", "-o", type=_OUT, default="simulation", show_default=True, metavar="FOLDER")
    ],
    table_format: Annotated[
        str, option("--format", type=click.Choice(_FORMATS), default="csv", show_default=True)
    ],
    compared: Annotated[
        tuple[Path, Path] | None, option("--compare", nargs=2, type=_OLD, metavar="BEFORE AFTER")
    ],
    league: Annotated[bool, option("--league", is_flag=True)],
    as_json: AsJson,
) -> int:
    """Play whole games with a bot for each realm in several processes; show who wins, grows and lasts."""
    if compared:
        _refuse_with_compare()
        has_out = click.get_current_context().get_parameter_source("out") is not ParameterSource.DEFAULT
        compare(compared, out if has_out else None, as_json=as_json)
        return 0
    if league:
        require_library()
    bots = bots or ("all" if league else "rotate")
    _refuse_without_extras(table_format, jobs, scheduler)
    if "help" in option_words:
        print_options(_spec(game_name))
        return 0
    if bots == "help":
        print_definitions({name: bot.about for name, bot in bots_by_name(_spec(game_name)).items()})
        return 0
    plan, title = _plan(game_name, map_name, bots, turns, seed, options_of(option_words))
    folder = SimulationFolder(out)
    try:
        folder.prepare()
        with locked(out):
            folder.open(plan)
            if max(folder.done, default=0) > games:
                problem = says(
                    "{0} holds games up to number {1}, more than --games {2}",
                    shown_path(out),
                    max(folder.done),
                    games,
                )
                raise Failure(
                    says("{0}. Name another folder with --out, or ask for at least as many.", problem)
                )
            _play(plan, folder, games, jobs or cores(), scheduler)
            ratings = league_of(plan, title, folder.records()) if league else None
            findings = _write(plan, folder, title, table_format, ratings)
    except SimulationFolderError as error:
        raise Failure(message_of(error)) from None
    if as_json:
        league_data = {"league": ratings.rows} if ratings else {}
        print_json({**summary_data(plan, findings), **league_data, "folder": str(out)})
    else:
        lines_of_league = league_lines(ratings) if ratings else []
        click.echo("\n".join([*summary_lines(findings), *lines_of_league]))
        echo(says("\nThe plots are in {0}, with the tables next to them.", shown_path(out / "report.html")))
    return REFUSED if findings.refused else 0


def _refuse_without_extras(table_format: str, jobs: int | None, scheduler: str | None) -> None:
    """Raise ``click.ClickException`` for options that this machine or this installation cannot carry out."""
    if jobs is not None and scheduler is not None:
        raise click.UsageError(says("--jobs is for this machine: a cluster sets its own number of workers."))
    if table_format == "parquet" and util.find_spec("pyarrow") is None:
        raise Failure(says("Parquet files need an extra: install pbem-gm[parquet]."))
    if scheduler is not None and util.find_spec("distributed") is None:
        raise Failure(says("A cluster needs an extra: install pbem-gm[cluster]."))


def _refuse_with_compare() -> None:
    """Raise ``click.UsageError`` for an option on the command line that does not go with ``--compare``."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if not parameter.name or parameter.name in ("compared", "out", "as_json"):
            continue
        if context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            pattern = "--compare shows games that were played before: {0} does not go with it."
            raise click.UsageError(says(pattern, parameter.opts[0]))


def _spec(game_name: str) -> GameSpec[Any]:
    """Return the game with this key. Raises ``click.ClickException`` if it is unknown or has no bots."""
    spec = named_game(game_name, "--game")
    if not spec.bots:
        raise Failure(says("{0} has no bots to play it.", spec.title))
    return spec


def _plan(
    game_name: str, map_name: str | None, bots: str, turns: int, seed: str, options: Mapping[str, str]
) -> tuple[Plan, str]:
    """Return (the plan of a simulation, the game's title).

    ``options``: those of the game, by name; without a map it is the game's default one. Raises
    ``click.ClickException`` for options that make no sense.
    """
    spec = _spec(game_name)
    folder = map_folder(spec, map_name or spec.default_map or next(iter(spec.maps())))
    try:
        plan, _ = make_plan(spec, folder, bots=bots, turns=turns, seed=seed, options=options)
    except ValueError as error:
        option = "'--bots'" if isinstance(error, SeatingError) else "'--set'"
        raise click.BadParameter(with_stop(error), param_hint=option) from None
    return plan, spec.title


def _play(plan: Plan, folder: SimulationFolder, games: int, jobs: int, scheduler: str | None) -> None:
    """Play the games of a simulation that are not finished yet, and store their records in its folder.

    ``games``: how many the simulation has; ``jobs``: how many processes play on this machine; ``scheduler``:
    the address of a cluster that plays instead. Raises ``click.ClickException`` if it is stopped by an error;
    after Ctrl-C it says that the finished games are kept, and ends the command.
    """
    jobs_left = [job for job in plan.jobs(games) if job.number not in folder.done]
    if not jobs_left:
        return
    if folder.done:
        echo(says("{0:game} of {1} are finished already.", Said(len(folder.done)), games), err=True)
    at_once = min(jobs, len(jobs_left)) if scheduler is None else _slots(scheduler)
    progress = Progress(games, games - len(jobs_left), at_once)
    run = _runner(at_once) if scheduler is None else _cluster_runner(scheduler, progress)
    try:
        with closing(run(plan, jobs_left)) as records:
            for record in records:
                folder.add(record)
                progress.add(record["turns"])
    except KeyboardInterrupt:
        progress.end()
        folder.count_again()  # Ctrl-C may have come after a game was written, but before it was counted
        pattern = "Stopped: {0:game} of {1} are kept in {2}. The same command goes on from there."
        echo(says(pattern, Said(len(folder.done)), games, shown_path(folder.path)), err=True)
        click.get_current_context().exit(REFUSED)
    except GameBrokeError as error:
        raise bug(error, doing=f"simulate: {error}") from error
    except BotBrokeError as error:
        raise Failure(with_stop(error)) from None
    except UnusableWorkersError as error:
        raise Failure(message_of(error)) from None
    finally:
        progress.end()


def _slots(scheduler: str) -> int:
    """Return how many games a cluster plays at a time. Raises ``Failure`` if it cannot be used."""
    from gm.simulation.cluster import slots

    try:
        return slots(scheduler)
    except UnusableWorkersError as error:
        raise Failure(message_of(error)) from None


def _runner(processes: int) -> Callable[[Plan, list[Job]], Generator[JsonObject]]:
    """Return a function that plays the jobs of a plan in so many processes, and yields each game's record."""
    return partial(run_in_processes, processes=processes) if processes > 1 else run_here


def _cluster_runner(scheduler: str, progress: Progress) -> Callable[[Plan, list[Job]], Generator[JsonObject]]:
    """Return a function that plays the jobs of a plan on a cluster, and yields each game's record."""
    from gm.simulation.cluster import run_on_cluster

    return partial(run_on_cluster, scheduler=scheduler, tell=progress.tell)


def shares(
    spec: GameSpec[Any],
    folder: Path,
    games: int,
    bots: str,
    turns: int,
    seed: str,
    option_words: tuple[str, ...],
    jobs: int | None,
) -> list[dict[str, Any]]:
    """Return in which share of games each seat of a map is first when bots play it: a row for each seat.

    In a row, ``first`` is that share, ``low`` to ``high`` its 95% interval, and ``fair`` the fair share;
    ``unfair``: the interval does not hold it. ``folder``: the map's; ``option_words``: the words of
    ``--set``; ``jobs``: how many processes play, None: one for each processor. Raises ``click.BadParameter``
    for bots or options that make no sense.
    """
    try:
        plan, _ = make_plan(spec, folder, bots=bots, turns=turns, seed=seed, options=options_of(option_words))
    except ValueError as error:
        option = "'--bots'" if isinstance(error, SeatingError) else "'--set'"
        raise click.BadParameter(with_stop(error), param_hint=option) from None
    at_once = min(jobs or os.cpu_count() or 1, games)
    progress = Progress(games, 0, at_once)
    records = []
    with closing(_runner(at_once)(plan, list(plan.jobs(games)))) as finished_games:
        for record in finished_games:
            records.append(record)
            progress.add(record["turns"])
    progress.end()
    findings = Findings(sorted(records, key=itemgetter("game")))
    rows = []
    for code, tally in findings.realms.items():
        first_share = tally.first
        fair = tally.fair_first_share
        row = {"seat": findings.names[code], "games": tally.games, "first": first_share.middle, "fair": fair}
        rows.append(
            {
                **row,
                "low": first_share.low,
                "high": first_share.high,
                "unfair": not first_share.low <= fair <= first_share.high,
            }
        )
    return rows


def _write(
    plan: Plan,
    folder: SimulationFolder,
    title: str,
    table_format: str,
    ratings: League | None,
) -> Findings:
    """Write tables and page of the finished games into the simulation's folder; return the findings.

    ``title``: the game's; ``table_format``: ``csv`` or ``parquet``; ``ratings``: shown on the page, too.
    """
    folder.put_in_order()
    findings = Findings(folder.records())
    write = folder.write_parquet if table_format == "parquet" else folder.write_csv
    for table in data_tables(folder.records, findings):
        write(table)
    spec = game_spec(plan.game)
    abouts = {name: bot.about for name, bot in bots_by_name(spec).items()}  # descriptions by bot's name
    further_bots = {*plan.seating.rotating, *plan.seating.fixed.values()} - abouts.keys()
    abouts |= {name: getattr(bot_named(spec, name), "about", "") for name in sorted(further_bots)}
    folder.write_page(simulation_page(plan, title, abouts, findings, ratings))
    return findings


def require_library() -> None:
    """Raise ``Failure`` when the rating library is missing, before any game is played."""
    if util.find_spec("openskill") is None:
        raise Failure(says("Ratings need a library: pip install 'pbem-gm[league]'."))


def league_lines(league: League) -> list[str]:
    """Return the lines of two tables for a terminal: the ratings, and how often one was ahead of another."""
    rows = league.rows
    head = ["rated", "strength", "95% interval", "games", "won"]
    cells = (
        [
            row["name"],
            f"{row['mu']:.1f}",
            f"{row['low']:.1f}-{row['high']:.1f}",
            str(row["games"]),
            str(row["won"]),
        ]
        for row in rows
    )
    names = [row["name"] for row in rows]
    # by the names of two: in how many games the first was ahead of the second
    ahead_words = {pair: f"{100 * share.middle:.0f}%" for pair, share in league.ahead.items()}
    ahead_rows = [["ahead of", *names]]
    for name in names:
        ahead_rows.append([name, *(ahead_words.get((name, other), "") for other in names)])
    return ["", *aligned([head, *cells], left=1), "", *aligned(ahead_rows, left=1)]
