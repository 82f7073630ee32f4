"""``pbem games``, ``handbook``, ``epilogue``, ``report``: the games, the rulebook, a turn's reports again."""

from pathlib import Path
from typing import Annotated, Any

import click

from gm.bots.registry import installed_bots
from gm.campaign.play import leader_of, played_turn, report_files
from gm.cli.options import AsJson, BotReports, Game, Turn, gm_command, option
from gm.cli.output import (
    REFUSED,
    complain,
    echo,
    print_json,
    print_text,
    sentence,
    shown_path,
    write_page,
)
from gm.cli.positions import GameName, game_with_map, unknown_map
from gm.cli.session import carry_out, changing, is_game, known_turn, open_campaign
from gm.core.diagnostics import says, shown
from gm.game.bots import bots_by_name
from gm.games import BrokenGameError, game_spec, known_games, package_of, why_unknown
from gm.store.folder import LEADER_FILE
from gm.text.languages import ENGLISH, languages_of
from gm.text.words import Said


@gm_command("games")
def games(check: Annotated[str | None, option("--check", metavar="GAME")], as_json: AsJson) -> int:
    """List the available games, or try the one of ``--check``."""
    if check is not None:
        return _check(check, as_json=as_json)
    rows = [_about(name) for name in known_games()]
    if as_json:
        print_json({"games": rows})
    else:
        print_text("games", games=rows)
    return REFUSED if any(row["trouble"] for row in rows) else 0


def _check(name: str, *, as_json: bool) -> int:
    """Try a game and print the result of each step; return the exit code."""
    from gm.cli.game_trial import Tried, tried

    problem = why_unknown(name)
    if problem:
        raise click.UsageError(sentence(problem))
    trials: list[Tried] = []
    for trial in tried(name):
        trials.append(trial)
        if not as_json:
            print_text("games_check", trial=trial)
    failed = [trial for trial in trials if trial.trouble]
    package = package_of(name)
    if as_json:
        rows = [{"what": trial.what, "trouble": trial.trouble} for trial in trials]
        print_json({"game": name, "package": package, "checked": rows})
    else:
        named_game = says("{0} of the package {1}", name, package) if package else name
        if failed:
            complain(says("The game {0} does not work here.", named_game))
        else:
            echo(says("The game {0} works here.", named_game))
    return REFUSED if failed else 0


def _about(name: str) -> dict[str, Any]:
    """Return the data of a game for ``--json``; of one that cannot be loaded only its package and why."""
    about = {"name": name, "title": "", "maps": [], "bots": [], "package": package_of(name), "trouble": ""}
    try:
        spec = game_spec(name)
        bots = dict.fromkeys((*bots_by_name(spec), *installed_bots(spec)))
        return about | {"title": spec.title, "maps": [*spec.maps()], "bots": [*bots]}
    except BrokenGameError as error:
        return about | {"trouble": str(error)}


@gm_command("handbook")
def handbook(
    map_name: Annotated[str | None, option("--map")],
    out: Annotated[
        Path | None, option("--out", type=click.Path(path_type=Path, dir_okay=False, writable=True))
    ],
    language: Annotated[str, option("--language", metavar="CODE", default=ENGLISH, show_default=True)],
    game_name: GameName,
    game_folder: Game,
) -> None:
    """Write the players' handbook."""
    if map_name is not None and game_folder is not None:
        raise click.UsageError(says("--map is for a handbook without a game: leave --game out."))
    if map_name is not None:
        spec = game_with_map(map_name, game_name)
        if map_name not in spec.maps():
            raise unknown_map(map_name, spec.maps())
        table = spec.shipped_table(map_name)
        state = None
        folder = Path()
    elif game_folder is None and not is_game(None):
        choices = ", ".join(game_with_map(None, game_name).maps())
        hint = says("--game FOLDER names one; without a game, say --map and one of {0}", choices)
        raise click.UsageError(says("There is no game here: {0}.", hint))
    else:
        campaign = open_campaign(game_folder)
        spec = campaign.spec
        table = campaign.table
        state = campaign.snapshot
        folder = campaign.folder.path
    languages = languages_of(spec.key)
    if language not in languages:
        choices = ", ".join(languages)
        problem = says("there is no handbook in {0}, only in {1}.", shown(language), choices)
        raise click.BadParameter(problem, param_hint="--language")
    text = spec.handbook(table, state, language)
    path = out or folder / ("handbook.html" if language == ENGLISH else f"handbook.{language}.html")
    write_page(path, text.encode())
    echo(says("The handbook is in {0}: open it in a browser, or mail it.", shown_path(path)))


@gm_command("epilogue")
def epilogue(
    out: Annotated[
        Path | None, option("--out", type=click.Path(path_type=Path, dir_okay=False, writable=True))
    ],
    language: Annotated[str, option("--language", metavar="CODE", default=ENGLISH, show_default=True)],
    game_folder: Game,
) -> None:
    """Write the page of a finished game."""
    from gm.campaign.epilogue import epilogue as page

    campaign = open_campaign(game_folder)
    path = out or campaign.folder.path / "epilogue.html"
    text = page(campaign, language)
    write_page(path, text.encode())
    echo(says("The page of the whole game is in {0}: it shows everyone's orders.", shown_path(path)))


@gm_command("report")
def report(turn: Turn, bot_reports: BotReports, game_folder: Game) -> None:
    """Rewrite a turn's results, battle pages, summary and order templates from its state, orders and log."""
    with changing(game_folder) as campaign:
        number = known_turn(campaign, turn)
        played = played_turn(campaign, number)
        # the GM may have written or changed the leading article after the turn was played
        article = campaign.folder.leader()
        takes_article = number == campaign.newest_turn > 0 and bool(article)
        if takes_article:
            # none is shown if it is still that of the turn before
            played = played.evolve(leader=leader_of(campaign, number, anew=True))
        files = {**report_files(campaign, played, everybody=bot_reports)}
        if takes_article:
            files[LEADER_FILE] = article.encode()
        carry_out(campaign, "report", campaign.folder.reports_at(number, files), turn=number)
    folder = campaign.folder.played.folder(number)
    echo(says("{0:file} of turn {1} written again in {2}.", Said(len(files)), number, shown_path(folder)))
