"""``pbem play``: a game on one computer, in the browser; it is begun here if there is none."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from importlib.util import find_spec
from io import StringIO
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.new_game import MIXED
from gm.campaign.open import Campaign
from gm.cli.corrections import undo_turn
from gm.cli.machine import cores
from gm.cli.new import command as new_game
from gm.cli.new import options_of
from gm.cli.options import argument, bad_parameter, gm_command, option
from gm.cli.output import Failure, Refusal, as_failure, counted, print_definitions, shown_path
from gm.cli.positions import game_with_map, map_folder, named_game
from gm.cli.seat_entries import edited
from gm.cli.serving import serve
from gm.cli.session import carry_out, changing, game_time, is_game, open_campaign, post_of
from gm.cli.speech import worded
from gm.cli.turn import play as play_turn
from gm.core.diagnostics import said, says
from gm.core.orders.press import SIGNED
from gm.game.spec import GameSpec
from gm.game.values import NewGameRequest
from gm.games import BrokenGameError, game_spec, known_games
from gm.play.opening import PERSON, Choice, Opening, table_for
from gm.play.practice import PRACTICE
from gm.play.practice import practice as practice_world
from gm.store.deadlines import NEVER
from gm.store.disk import PRIVATE_FILE, write_file
from gm.store.folder import SETTINGS_FILE
from gm.text.languages import ENGLISH, languages_of
from gm.text.pages import listed

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
    wishes: Annotated[tuple[str, ...], option("--set", multiple=True, metavar="NAME=VALUE")],
    port: Annotated[int | None, option("--port", type=click.IntRange(1024, 65535), metavar="N")],
    language: str | None,
    no_browser: bool,
    end: bool,
) -> None:
    """Play the game in FOLDER in your browser."""
    _require_extra()
    folder = folder or _folder(practice=practice)
    there = is_game(None) if folder == Path() else (folder / SETTINGS_FILE).is_file()
    chosen = any((game_name, map_name, play, wishes))
    if there and chosen:
        raise click.UsageError(f"There is a game in {folder} already: 'pbem play {folder}' goes on with it.")
    if end and not there:
        raise click.UsageError(f"There is no game in {folder} that could end.")
    begun = {"folder": folder, "language": language, "every": NEVER}
    if practice and not there:
        begin_practice(begun)
    elif not there:
        spec = asked_game(game_name, map_name)
        if not (play or wishes) and map_name in (None, *spec.maps()):
            first = Choice(map=map_name or spec.default_map, realm="", level=bots)
            _choose(spec, begun, first, port, browser=not no_browser)
            return
        begin(spec, begun, map_name, play, bots, wishes)
    campaign = open_campaign(folder)
    if post_of(campaign):
        raise Refusal(f"The game in {folder} is played by mail: 'pbem week' or 'pbem turn' plays its turns.")
    speak(campaign, language)
    if end:
        end_reign(table_of(campaign.folder.path))
        return
    with thinking() as ahead:
        _play_on(campaign, ahead, port, browser=not no_browser)


def _choose(
    spec: GameSpec[Any], begun: dict[str, Any], first: Choice, port: int | None, *, browser: bool
) -> None:
    """Serve the choice of a game, which is ``first`` at first, and then the game."""
    with thinking() as ahead:
        opening = opening_of(spec, begun, first)
        serve(begun["folder"], choosing(opening, begun, None, ahead), port, browser=browser)


@contextmanager
def thinking() -> Iterator[Ahead]:
    """Yield a pool of processes in which programs think while people look at a page; they end with it."""
    from gm.play.thinking import Ahead

    ahead = Ahead(cores(), game_spec, time.monotonic)
    try:
        yield ahead
    finally:
        ahead.end()


def _play_on(campaign: Campaign, ahead: Ahead, port: int | None, *, browser: bool) -> None:
    """Serve the table of a game, and the choice of another."""
    table = table_of(campaign.folder.path, ahead)
    again = {"folder": campaign.folder.path, "language": table.language(""), "every": NEVER}
    opening = opening_of(campaign.spec, again, _same_again(campaign))
    serve(campaign.folder.path, choosing(opening, again, table, ahead), port, browser=browser)


def _same_again(campaign: Campaign) -> Choice:
    """Return the first choice for another game: the map of this one, if it comes with the program."""
    name = campaign.folder.settings.map
    maps = campaign.spec.maps()
    return Choice(map=name if name in maps else campaign.spec.default_map, realm="", level=MIXED)


def _require_extra() -> None:
    if not (find_spec("uvicorn") and find_spec("starlette")):
        raise Failure("'pbem play' needs the extra 'play': pip install 'pbem-gm[play]'.")


def _folder(*, practice: bool) -> Path:
    """Return where to play if no folder is named.

    It is the game around the current directory, else one that is asked for on a terminal.
    """
    if practice:
        return Path(PRACTICE)
    if is_game(None):
        return Path()
    if not sys.stdin.isatty():
        raise click.UsageError("Name the folder of a game, or of a new game: pbem play solo.")
    click.echo("New here? 'pbem play --practice' is five short turns with a guide.")
    return Path(click.prompt(worded(says("Folder of the game, or of a new one")), default="solo"))


def speak(campaign: Campaign, language: str | None) -> None:
    """Set the reading language of everybody at the table; nothing changes for those who have it."""
    if language:
        _refuse_language(campaign.spec, language)
    for code in [seat.code for seat in campaign.seats if language and seat.played and not seat.bot]:
        with changing(campaign.folder.path) as campaign:
            player = campaign.folder.players.of(code)
            if language != ((player and player.language) or ENGLISH):
                files = edited(campaign, code, {"language": language}, reports=True)
                carry_out(campaign, "player language", files, realm=code, turn=campaign.next_turn)


def _refuse_language(spec: GameSpec[Any], language: str) -> None:
    """Raise ``click.BadParameter`` for a language that the game is not translated into."""
    languages = languages_of(spec.key)
    if language not in languages:
        raise click.BadParameter(
            f"{spec.title} is to be had in {', '.join(languages)}.", param_hint="'--language'"
        )


def table_of(folder: Path, ahead: Ahead | None = None) -> Table:
    """Return the game in a folder, with the functions of the commands.

    Without ``ahead``, bots do not think in advance.
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
        undo_turn(campaign, TAKEN_BACK, TAKEN_BACK)
    else:
        undo_turn(campaign, "")


def look(folder: Path) -> Campaign:
    """Return the game in a folder, to be shown only."""
    return open_campaign(folder, drawings=False, recovering=False)


def end_reign(table: Table) -> None:
    """End a single player's reign, if it goes on, and write its chronicle into the game's folder."""
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
    games = table.games
    place, own = next((at, game) for at, game in enumerate(games, 1) if game.folder == path.parent.name)
    click.echo(f"The chronicle of your reign is in {shown_path(path)}.")
    score = f"Score {own.average}, where 100 is the average"
    click.echo(f"{score}: number {place} of {counted(len(games), 'game')} here.")


def told(error: Exception) -> str:
    """Return an error as text for the page."""
    return (error if isinstance(error, click.ClickException) else as_failure(error)).format_message()


def opening_of(spec: GameSpec[Any], given: dict[str, Any], first: Choice) -> Opening:
    """Return the choice of a realm; ``given``: the further options of the game that begins with it."""
    from gm.play.reign import solo_games

    folder = given["folder"]
    language = given["language"] or ENGLISH
    context = click.get_current_context()
    _refuse_language(spec, language)

    def begin_chosen(choice: Choice) -> None:
        """Begin the game that was chosen on the page, in a free folder."""
        chosen = game_spec(choice.game) if choice.game else spec
        given["folder"] = free_folder(folder)
        settings: dict[str, Any] = {"map_name": choice.map, "play": (choice.realm,), "bots": choice.level}
        chosen_map = chosen.maps()[choice.map]
        if choice.players:
            size = chosen.sizes(chosen_map)[choice.players]
            settings["wishes"] = tuple(f"{name}={value}" for name, value in size.items())
        if choice.level == PERSON:
            table = table_for(chosen, chosen_map, choice.players)
            seats = chosen.seats(table, chosen.start(table, chosen_map, None))
            settings |= {"play": tuple(seat.code for seat in seats if seat.played), "bots": None}
        with context.scope(cleanup=False):  # another thread's
            begin_game(chosen, given | settings)

    def played() -> list[SoloGame]:
        return solo_games(folder.resolve().parent, look, language)

    other_games = [game_spec(name) for name in _titles() if name != spec.key]
    return Opening(spec, language, first, begin_chosen, played, other_games)


def free_folder(folder: Path) -> Path:
    """Return a folder for a new game: this one, or beside it the next of its name that holds no game."""
    numbered = (folder.with_name(f"{folder.resolve().name}-{number}") for number in count(2))
    return next(path for path in chain([folder], numbered) if not (path.exists() and any(path.iterdir())))


def choosing(
    opening: Opening, given: dict[str, Any], first: Table | None, ahead: Ahead
) -> Callable[[str, str], ASGIApp]:
    """Return the application of the choice, and then of the game, which is begun in the folder ``given``."""
    from gm.play.server import playing_again

    def table() -> Table:
        return table_of(given["folder"], ahead)

    return lambda token, host: playing_again(opening, table, token, host, told, first)


def begin_practice(given: dict[str, Any]) -> None:
    """Begin the practice world: realms that stand still, and the same dice for everybody."""
    given.update(map_name=practice_world().map, play=(practice_world().realm,))
    _begun(given | {"game_id": PRACTICE, "seed": PRACTICE, "key_secret": PRACTICE})


def asked_game(game_name: str | None, map_name: str | None) -> GameSpec[Any]:
    """Return the game that was named, or that has the named map; else the default one.

    Others are chosen in the browser.
    """
    return named_game(game_name, "--game") if game_name else game_with_map(map_name, None)


def begin(
    spec: GameSpec[Any],
    given: dict[str, Any],
    map_name: str | None,
    play: tuple[str, ...],
    bots: str,
    wishes: tuple[str, ...],
) -> None:
    """Begin a game in which bots play the seats without a person; options that are missing are asked for."""
    asks = sys.stdin.isatty()
    if map_name is None and len(spec.maps()) > 1 and asks and not play:
        map_name = click.prompt(
            worded(says("On which map")), type=click.Choice(list(spec.maps())), default=spec.default_map
        )
    map_name = map_name or spec.default_map
    if not play:
        chosen = map_folder(spec, map_name)
        with bad_parameter("--set"):
            founded = spec.founded(NewGameRequest(map=chosen, options=options_of(wishes), people=1))
        seats = spec.seats(founded.table, spec.start(founded.table, chosen, None))
        code = next(seat.code for seat in seats if not seat.waiting)
        if asks:
            print_definitions({seat.code: seat.name for seat in seats}, indent="  ")
            code = click.prompt(worded(says("Which seat do you play")), default=code)
        play = (code.strip().upper(),)
    begin_game(spec, given | {"map_name": map_name, "play": play, "bots": bots, "wishes": wishes})


def begin_game(spec: GameSpec[Any], given: dict[str, Any]) -> None:
    """Begin a game; with letters between players if a bot of it reads letters."""
    _begun(given | {"game_name": spec.key, "press": (SIGNED,) if spec.recall else ()})


def _titles() -> dict[str, str]:
    """Return the titles of all games that can be played here, by name."""
    titles = {}
    for name in known_games():
        with suppress(BrokenGameError):
            titles[name] = game_spec(name).title
    return titles


def _begun(given: dict[str, Any]) -> None:
    """Begin a game as ``pbem new`` does, without its messages to players by mail."""
    with redirect_stdout(StringIO()):
        click.get_current_context().invoke(new_game, **given)
    campaign = open_campaign(given["folder"])
    own_seats = [seat.name for seat in campaign.seats if seat.played and not seat.bot]
    click.echo(f"A new game of {campaign.spec.title} in {given['folder']}: you play {listed(own_seats)}.")
