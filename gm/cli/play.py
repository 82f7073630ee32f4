"""``pbem play``: a game at one's own table, in the browser; begun here if there is none."""

from __future__ import annotations

import gc
import hashlib
import os
import secrets
import socket
import sys
import webbrowser
from contextlib import closing, redirect_stdout, suppress
from functools import partial
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.new_game import MIXED
from gm.campaign.open import Campaign
from gm.cli.corrections import take_back
from gm.cli.new import command as new_game
from gm.cli.new import options_of
from gm.cli.options import argument, bad_parameter, gm_command, option
from gm.cli.output import Failure, Refusal, as_failure, print_definitions
from gm.cli.positions import game_with_map, named_game
from gm.cli.seats import edited
from gm.cli.session import carry_out, changing, game_time, is_game, open_campaign, post_of
from gm.cli.turn import play as play_turn
from gm.core.orders.press import SIGNED
from gm.game.values import NewGameRequest
from gm.games import BrokenGameError, game_spec, known_games
from gm.play.practice import PRACTICE
from gm.play.practice import practice as practice_world
from gm.store.deadlines import NEVER
from gm.store.folder import SETTINGS_FILE
from gm.text.languages import ENGLISH, languages_of
from gm.text.pages import listed

if TYPE_CHECKING:
    from gm.play.table import Table

LOOPBACK = "127.0.0.1"
PORTS = range(21000, 32000)  # a folder's own is one of these
TRIES = 20
TAKEN_BACK = "taken back at the table"


@gm_command("play", document=True)
def command(
    folder: Annotated[Path | None, argument(required=False, type=click.Path(path_type=Path))],
    practice: bool,
    game_name: Annotated[str | None, option("--game")],
    map_name: Annotated[str | None, option("--map")],
    play: Annotated[tuple[str, ...], option("--play", multiple=True, metavar="REALM")],
    bots: Annotated[str, option("--bots", default=MIXED, metavar="NAME")],
    wishes: Annotated[tuple[str, ...], option("--set", multiple=True, metavar="NAME=VALUE")],
    port: Annotated[int | None, option("--port", type=click.IntRange(1024, 65535), metavar="N")],
    language: str | None,
    no_browser: bool,
) -> None:
    if not (find_spec("uvicorn") and find_spec("starlette")):
        raise Failure("'pbem play' needs the extra 'play': pip install 'pbem-gm[play]'.")
    folder = folder or _folder(practice)
    if not (is_game(None) if folder == Path() else (folder / SETTINGS_FILE).is_file()):
        given = {"folder": folder, "language": language, "every": NEVER}
        if practice:
            begin_practice(given)
        else:
            begin(given, game_name, map_name, play, bots, wishes)
    elif game_name or map_name or play or wishes:
        raise click.UsageError(f"There is a game in {folder} already: 'pbem play {folder}' goes on with it.")
    campaign = open_campaign(folder)
    if post_of(campaign):
        raise Refusal(f"The game in {folder} is played by post, and 'pbem week' or 'pbem turn' plays its turns.")
    speak(campaign, language)
    serve(table_of(campaign.folder.path), port, browser=not no_browser)


def _folder(practice: bool) -> Path:
    """Where to play if nobody says it: the game that we stand in, else one that is asked for on a terminal."""
    if practice:
        return Path(PRACTICE)
    if is_game(None):
        return Path()
    if not sys.stdin.isatty():
        raise click.UsageError("Name the game's folder, or one that a new game is to have: pbem play solo.")
    click.echo("New here? 'pbem play --practice' is five short turns with a guide.")
    return Path(click.prompt("In which folder is the game, or is one to begin", default="solo"))


def speak(campaign: Campaign, language: str | None) -> None:
    """Let everybody at the table read in a language from now on; nothing is changed where he does."""
    known = languages_of(campaign.spec.key)
    if language and language not in known:
        raise click.BadParameter(
            f"{campaign.spec.title} is to be had in {', '.join(known)}.", param_hint="'--language'"
        )
    for code in [seat.code for seat in campaign.seats if language and seat.played and not seat.bot]:
        with changing(campaign.folder.path) as campaign:
            player = campaign.folder.players.of(code)
            if language != ((player and player.language) or ENGLISH):
                files = edited(campaign, code, {"language": language}, reports=True)
                carry_out(campaign, "player language", files, realm=code, turn=campaign.next_turn)


def table_of(folder: Path) -> Table:
    """The game in a folder, with all that the commands lend to it."""
    from gm.play.table import Lent, Table

    lent = Lent(
        game=partial(open_campaign, folder),
        changing=partial(changing, folder),
        carry_out=carry_out,
        play=play_turn,
        take_back=lambda campaign, known: take_back(campaign, *([TAKEN_BACK, TAKEN_BACK] if known else [""])),
        moment=lambda campaign: game_time(campaign, None),
        secret=lambda: secrets.token_hex(16),
    )
    return Table(folder, lent)


def told(error: Exception) -> str:
    """An error as people read it in the page."""
    return (error if isinstance(error, click.ClickException) else as_failure(error)).format_message()


def serve(table: Table, port: int | None, *, browser: bool) -> None:
    """Serve a table until Ctrl-C."""
    import uvicorn

    from gm.play.server import application

    folder = table.campaign.folder.path
    with closing(_listening(folder, port)) as listening:
        host, token = f"{LOOPBACK}:{listening.getsockname()[1]}", secrets.token_urlsafe(24)
        config = uvicorn.Config(
            application(table, token, host, told),
            http="h11",
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            limit_concurrency=200,
            timeout_graceful_shutdown=2,
        )
        address = f"http://{host}/{token}/"
        click.echo(f"{folder.name} is on the table at\n  {address}\nCtrl-C ends; the game stays as it is.")
        if browser and not (_has_screen() and webbrowser.open(address)):
            click.echo("No browser could be opened here: open the address in one yourself.")
        gc.set_threshold(10_000, 10, 10)  # this command stays: it is to throw away what each turn leaves
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _has_screen() -> bool:
    """Whether a browser would have a window: one in the terminal would wait for a server that waits for it."""
    return not sys.platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())


def _listening(folder: Path, port: int | None) -> socket.socket:
    """A socket on the loopback address. Without a port, a folder always has the same, if that is free: what a browser
    keeps of a page belongs to its address."""
    first = int.from_bytes(hashlib.sha256(str(folder).encode()).digest()[:4]) % len(PORTS)
    wanted = [port] if port else [PORTS[(first + at) % len(PORTS)] for at in range(TRIES)]
    for each in wanted:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((LOOPBACK, each))
            found.listen(128)
            return found
        except OSError:
            found.close()
    raise Failure(f"Port {wanted[0]} is taken. Is 'pbem play' running in another window? --port chooses another.")


def begin_practice(given: dict[str, Any]) -> None:
    """Begin the practice world: realms that stand still, and dice that are the same for everybody."""
    given |= {"map_name": practice_world().map, "play": (practice_world().realm,)}
    _begun(given | {"game_id": PRACTICE, "seed": PRACTICE, "key_secret": PRACTICE})


def begin(
    given: dict[str, Any],
    game_name: str | None,
    map_name: str | None,
    play: tuple[str, ...],
    bots: str,
    wishes: tuple[str, ...],
) -> None:
    """Begin a game in which programs play what nobody at the table does; what was not said is asked on a terminal."""
    asks = sys.stdin.isatty()
    if game_name is None and map_name is None and asks:
        titles = _titles()
        print_definitions(titles, indent="  ")
        game_name = click.prompt("Which game", type=click.Choice(list(titles)), default=next(iter(titles)))
    spec = named_game(game_name, "--game") if game_name else game_with_map(map_name, None)
    if map_name is None and len(spec.maps()) > 1 and asks and not play:
        map_name = click.prompt("On which map", type=click.Choice(list(spec.maps())), default=spec.default_map)
    map_name = map_name or spec.default_map
    if not play:
        chosen = spec.maps().get(map_name, Path(map_name))
        with bad_parameter("--set"):
            founded = spec.founded(NewGameRequest(map=chosen, options=options_of(wishes), people=1))
        seats = spec.seats(founded.table, spec.start(founded.table, chosen, None))
        code = next(each.code for each in seats if not each.waiting)
        if asks:
            print_definitions({each.code: each.name for each in seats}, indent="  ")
            code = click.prompt("Whom do you play", default=code)
        play = (code.strip().upper(),)
    chosen_game = {"game_name": spec.key, "map_name": map_name, "play": play, "bots": bots, "wishes": wishes}
    # where programs read letters, there are some
    _begun(given | chosen_game | {"press": (SIGNED,) if spec.recall else ()})


def _titles() -> dict[str, str]:
    """Of all games that can be played here, by name."""
    found = {}
    for name in known_games():
        with suppress(BrokenGameError):
            found[name] = game_spec(name).title
    return found


def _begun(given: dict[str, Any]) -> None:
    """``pbem new``, without what it tells those who play by files."""
    with redirect_stdout(StringIO()):
        click.get_current_context().invoke(new_game, **given)
    campaign = open_campaign(given["folder"])
    mine = [each.name for each in campaign.seats if each.played and not each.bot]
    click.echo(f"A new game of {campaign.spec.title} in {given['folder']}: you play {listed(mine)}.")
