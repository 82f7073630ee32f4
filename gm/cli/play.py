"""``pbem play``: a game on one computer, in the browser; it is begun here if there is none."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.new_game import MIXED
from gm.campaign.open import Campaign
from gm.cli.corrections import undo_turn
from gm.cli.machine import cores
from gm.cli.new_table import begin, begin_game, begin_practice, free_folder
from gm.cli.options import argument, gm_command, option
from gm.cli.output import Failure, Refusal, as_failure, echo, shown_path
from gm.cli.positions import game_with_map, named_game
from gm.cli.seat_entries import edited
from gm.cli.serving import serve
from gm.cli.session import carry_out, changing, game_time, is_game, open_campaign, post_of
from gm.cli.speech import worded
from gm.cli.turn import play as play_turn
from gm.core.diagnostics import said, says
from gm.game.spec import GameSpec
from gm.games import BrokenGameError, game_spec, known_games
from gm.play.opening import PERSON, Choice, Opening, table_for
from gm.play.practice import PRACTICE
from gm.store.deadlines import NEVER
from gm.store.disk import PRIVATE_FILE, write_file
from gm.store.folder import SETTINGS_FILE
from gm.text.languages import ENGLISH, languages_of
from gm.text.words import Said

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gm.play.reign import SoloGame
    from gm.play.table import Table
    from gm.play.thinking import Ahead

TAKEN_BACK = "undone at the table"  # the reason that an undone turn has in the journal


@gm_command("play", document=True)
def command(
    folder: Annotated[Path | None, argument(required=False, type=click.Path(path_type=Path))],
    *,
    practice: bool,
    game_name: Annotated[str | None, option("--game")],
    map_name: Annotated[str | None, option("--map")],
    play: Annotated[tuple[str, ...], option("--play", multiple=True, metavar="REALM")],
    bots: Annotated[str, option("--bots", "--level", default=MIXED, metavar="NAME")],
    option_words: Annotated[tuple[str, ...], option("--set", multiple=True, metavar="NAME=VALUE")],
    port: Annotated[int | None, option("--port", type=click.IntRange(1024, 65535), metavar="N")],
    language: str | None,
    no_browser: bool,
    end: bool,
) -> None:
    """Play the game in FOLDER in your browser."""
    _require_extra()
    folder = folder or _folder(practice=practice)
    # without a folder, the game may be around the current directory
    has_game = is_game(None) if folder == Path() else (folder / SETTINGS_FILE).is_file()
    is_described = any((game_name, map_name, play, option_words))
    if has_game and is_described:
        raise click.UsageError(
            says("There is a game in {0} already: 'pbem play {0}' goes on with it.", folder)
        )
    if end and not has_game:
        raise click.UsageError(says("There is no game in {0} that could end.", folder))
    new_options = {"folder": folder, "language": language, "every": NEVER}  # parameters of ``pbem new``
    if practice and not has_game:
        begin_practice(new_options)
    elif not has_game:
        spec = asked_game(game_name, map_name)
        # the page offers the maps that come with the game, and none of the options of --set
        if not (play or option_words) and map_name in (None, *spec.maps()):
            preselected = Choice(map=map_name or spec.default_map, realm="", level=bots)
            _choose(spec, new_options, preselected, port, browser=not no_browser)
            return
        begin(spec, new_options, map_name, play, bots, option_words)
    campaign = open_campaign(folder)
    if post_of(campaign):
        raise Refusal(
            says("The game in {0} is played by mail: 'pbem week' or 'pbem turn' plays its turns.", folder)
        )
    set_language(campaign, language)
    if end:
        end_reign(table_of(campaign.folder.path))
        return
    with thinking() as ahead:
        _play_on(campaign, ahead, port, browser=not no_browser)


def _choose(
    spec: GameSpec[Any], new_options: dict[str, Any], preselected: Choice, port: int | None, *, browser: bool
) -> None:
    """Serve the page on which a new game is chosen, and then that game.

    ``new_options``: the options of ``pbem new`` for the game, by parameter; ``preselected``: the choice that
    the page shows first; ``port``: None for one of the folder's own; ``browser``: open one.
    """
    with thinking() as ahead:
        opening = opening_of(spec, new_options, preselected)
        serve(new_options["folder"], choosing(opening, new_options, None, ahead), port, browser=browser)


@contextmanager
def thinking() -> Iterator[Ahead]:
    """Yield a pool of processes in which bots think while people look at a page; they end with the block."""
    from gm.play.thinking import Ahead

    ahead = Ahead(cores(), game_spec, time.monotonic)
    try:
        yield ahead
    finally:
        ahead.end()


def _play_on(campaign: Campaign, ahead: Ahead, port: int | None, *, browser: bool) -> None:
    """Serve the table of a game, and the page on which another is chosen; ``port``: None for its own."""
    table = table_of(campaign.folder.path, ahead)
    new_options = {"folder": campaign.folder.path, "language": table.language(""), "every": NEVER}
    opening = opening_of(campaign.spec, new_options, _same_again(campaign))
    serve(campaign.folder.path, choosing(opening, new_options, table, ahead), port, browser=browser)


def _same_again(campaign: Campaign) -> Choice:
    """Return the preselected choice for another game: this one's map, if it comes with the program."""
    name = campaign.folder.settings.map
    maps = campaign.spec.maps()
    return Choice(map=name if name in maps else campaign.spec.default_map, realm="", level=MIXED)


def _require_extra() -> None:
    """Raise ``Failure`` without the libraries of the web server."""
    if not (find_spec("uvicorn") and find_spec("starlette")):
        raise Failure(says("'pbem play' needs the extra 'play': pip install 'pbem-gm[play]'."))


def _folder(*, practice: bool) -> Path:
    """Return where to play if no folder is named.

    ``practice``: the folder of the practice world. Else it is the current directory, if a game is around it;
    else the folder is asked for. Raises ``click.UsageError`` if that is not possible, without a terminal.
    """
    if practice:
        return Path(PRACTICE)
    if is_game(None):
        return Path()
    if not sys.stdin.isatty():
        raise click.UsageError(says("Name the folder of a game, or of a new game: pbem play solo."))
    echo(says("New here? 'pbem play --practice' is five short turns with a guide."))
    return Path(click.prompt(worded(says("Folder of the game, or of a new one")), default="solo"))


def set_language(campaign: Campaign, language: str | None) -> None:
    """Set the language in which everybody at the table reads; None or empty: all keep theirs.

    The newest reports of those whose language changes are written again. Raises ``click.BadParameter`` for a
    language that the game is not translated into.
    """
    if not language:
        return
    _refuse_language(campaign.spec, language)
    for code in [seat.code for seat in campaign.seats if seat.played and not seat.bot]:
        with changing(campaign.folder.path) as locked_campaign:
            player = locked_campaign.folder.players.of(code)
            present_language = (player and player.language) or ENGLISH
            if language != present_language:
                files = edited(locked_campaign, code, {"language": language}, reports=True)
                turn = locked_campaign.next_turn
                carry_out(locked_campaign, "player language", files, realm=code, turn=turn)


def _refuse_language(spec: GameSpec[Any], language: str) -> None:
    """Raise ``click.BadParameter`` for a language that the game is not translated into."""
    languages = languages_of(spec.key)
    if language not in languages:
        raise click.BadParameter(
            says("{0} is available in {1}.", spec.title, ", ".join(languages)), param_hint="'--language'"
        )


def table_of(folder: Path, ahead: Ahead | None = None) -> Table:
    """Return the table of the game in a folder, which uses the functions of the commands.

    ``ahead``: the processes in which bots think in advance; None: they do not.
    """
    from gm.play.lent import Lent
    from gm.play.table import Table
    from gm.play.thinking import Ahead

    lent = Lent(
        game=partial(open_campaign, folder),
        changing=partial(changing, folder),
        carry_out=carry_out,
        play=partial(play_turn, parties_only=True),  # nobody at a table opens another page
        take_back=_undo,
        moment=lambda campaign: game_time(campaign, None),
        look=look,
        secret=lambda: secrets.token_hex(16),
        ahead=ahead or Ahead(0, game_spec, time.monotonic),
    )
    return Table(folder, lent)


def _undo(campaign: Campaign, is_public: bool) -> None:  # noqa: FBT001 - the table says it without its name
    """Undo the newest turn; if its results are known (``is_public``), new orders for it are accepted."""
    if is_public:
        undo_turn(campaign, public_reason=TAKEN_BACK, reopen=TAKEN_BACK)
    else:
        undo_turn(campaign, public_reason="")


def look(folder: Path) -> Campaign:
    """Return the game in a folder, to be read only: nothing is recovered, and drawings may lack parts."""
    return open_campaign(folder, drawings=False, recovering=False)


def end_reign(table: Table) -> None:
    """End a single player's reign, unless it is over, and write its chronicle into the game's folder.

    Raises ``Refusal`` if the game has no such reign.
    """
    from gm.play.lent import RefusedError
    from gm.play.page import chronicle_page

    try:
        if not table.reign_over:
            table.close(table.chair, table.campaign.next_turn)
        data = chronicle_page(table, here=False)
    except RefusedError as error:
        raise Refusal(str(said(error.says, str))) from None
    path = table.campaign.folder.path / "chronicle.html"
    write_file(path, data, mode=PRIVATE_FILE)
    games = table.games  # the best one first
    folders = [game.folder for game in games]
    index = folders.index(path.parent.name)
    echo(says("The chronicle of your reign is in {0}.", shown_path(path)))
    pattern = "Score {0}, where 100 is the average: number {1} of {2:game} here."
    echo(says(pattern, games[index].average, index + 1, Said(len(games))))


def told(error: Exception) -> str:
    """Return the message of an error, for the page."""
    return (error if isinstance(error, click.ClickException) else as_failure(error)).format_message()


def opening_of(spec: GameSpec[Any], new_options: dict[str, Any], preselected: Choice) -> Opening:
    """Return the choice of a new game on a page.

    ``new_options``: the options of ``pbem new`` for it, by parameter; its folder is put there when the game
    begins. ``preselected``: the choice that the page shows first. Raises ``click.BadParameter`` for a
    language that the game is not translated into.
    """
    from gm.play.reign import solo_games

    folder = new_options["folder"]
    language = new_options["language"] or ENGLISH
    context = click.get_current_context()
    _refuse_language(spec, language)

    def begin_chosen(choice: Choice) -> None:
        """Begin the game that was chosen on the page, in a free folder."""
        chosen = game_spec(choice.game) if choice.game else spec
        new_options["folder"] = free_folder(folder)  # :func:`choosing` looks for the game there
        settings: dict[str, Any] = {"map_name": choice.map, "play": (choice.realm,), "bots": choice.level}
        chosen_map = chosen.maps()[choice.map]
        if choice.players:
            size_options = chosen.sizes(chosen_map)[choice.players]
            settings["option_words"] = tuple(f"{name}={value}" for name, value in size_options.items())
        if choice.level == PERSON:  # people play all seats
            table = table_for(chosen, chosen_map, choice.players)
            seats = chosen.seats(table, chosen.start(table, chosen_map, None))
            settings |= {"play": tuple(seat.code for seat in seats if seat.played), "bots": None}
        # the page is served in another thread than the command's, whose context is needed here
        with context.scope(cleanup=False):
            begin_game(chosen, new_options | settings)

    def earlier_games() -> list[SoloGame]:
        """Return the solo games in the folder around."""
        return solo_games(folder.resolve().parent, look, language)

    other_games = [game_spec(name) for name in _titles() if name != spec.key]
    return Opening(spec, language, preselected, begin_chosen, earlier_games, other_games)


def choosing(
    opening: Opening, new_options: dict[str, Any], first: Table | None, ahead: Ahead
) -> Callable[[str, str], ASGIApp]:
    """Return a function that makes the application of a game and of the choice of a new one.

    Its parameters are a token, and the server's host and port. ``first``: the game that is shown first; None:
    the choice is. A game that was chosen is in the folder of ``new_options``.
    """
    from gm.play.server import playing_again

    def new_table() -> Table:
        """Return the table of the game that was chosen."""
        return table_of(new_options["folder"], ahead)

    return lambda token, host: playing_again(opening, new_table, token, host, told, first)


def asked_game(game_name: str | None, map_name: str | None) -> GameSpec[Any]:
    """Return the game with this key, or that has this map; without both, pbem's first game.

    Raises ``click.BadParameter`` for an unknown key.
    """
    return named_game(game_name, "--game") if game_name else game_with_map(map_name, None)


def _titles() -> dict[str, str]:
    """Return the titles of all games that can be loaded, by key."""
    titles = {}
    for name in known_games():
        with suppress(BrokenGameError):
            titles[name] = game_spec(name).title
    return titles
