"""``pbem publish``, ``league``: the public site of some games, and the hall of fame of finished ones."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import click

from gm.campaign.open import Campaign
from gm.cli.options import argument, folder_or_default, gm_command, option
from gm.cli.output import (
    REFUSED,
    Failure,
    Refusal,
    as_failure,
    complain,
    echo,
    shown_path,
    write_page,
)
from gm.cli.session import is_game, open_campaign
from gm.cli.working import in_turn
from gm.core.codec import from_plain
from gm.core.diagnostics import says
from gm.resources import resource
from gm.site.league import league_files
from gm.site.pages import RECORD_FILE, VERIFIER, GameSite, front_files, game_site
from gm.site.record import GAME, PublicGame, folder_name, waits_for_the_gm
from gm.site.result import GameResult, result_of
from gm.store import StoreError
from gm.store.disk import build_folder, write_file
from gm.store.folder import PLAYERS_FILE, SETTINGS_FILE, GameFolder
from gm.store.formats import edited_yaml
from gm.store.site import SiteManifest, read_manifest, write_site
from gm.store.unpacking import unpacked
from gm.text.languages import ENGLISH, SHARED, languages_of
from gm.text.words import Said

ANY = click.Path(path_type=Path, exists=True)
NEW = click.Path(path_type=Path, file_okay=False)
_UNREAD = ("mail", "inbox", "undone")  # folders of an archive that are not needed here

Several = Annotated[tuple[Path, ...], option("--game", "-g", metavar="PATH", multiple=True, type=ANY)]
Language = Annotated[str, option("--language", default=ENGLISH, type=click.Choice(languages_of(SHARED)))]


@gm_command("publish")
def publish(
    folder: Annotated[Path, argument(type=NEW, metavar="DIR")],
    games: Several,
    title: Annotated[str, option("--title", default="Games by mail", show_default=True)],
    language: Language,
    again: Annotated[bool, option("--again", is_flag=True)],
    drop: Annotated[tuple[str, ...], option("--drop", multiple=True, metavar="ID")],
) -> int:
    """Write a public website of your games."""
    _refuse_inside_a_game(folder)
    manifest = read_manifest(folder)
    published = _known_games(folder, manifest)
    dropped = {_dropped(game_id, published) for game_id in drop}
    published = {name: game for name, game in published.items() if name not in dropped}
    # with --again, nothing that was made before is kept
    earlier = {} if again else published
    made = {} if again else manifest.made
    update = _Update(published, earlier=earlier, made=made, language=language)
    # with --drop alone, outside a game's folder, there is no game to be published
    if games or not drop or is_game(None):
        for path in found_games(games):
            update.add(path)
    sites = update.sites
    public = published | {site.game.folder: site.game for site in sites}
    # the starts of the paths of files that stay as they are
    unchanged = tuple(chain.from_iterable(site.unchanged for site in sites)) + _untouched(published, sites)
    fingerprints = {path: mark for path, mark in manifest.made.items() if path.startswith(unchanged)}
    for site in sites:
        fingerprints |= site.made
    files = _files_of(sites, list(public.values()), title, language)
    written = write_site(folder, files, fingerprints, lambda name: name.startswith(unchanged))
    pattern = "{0:game} in {1}: {2:file} written, {3} removed."
    counts = Said(len(public)), shown_path(folder), Said(len(written.written)), len(written.removed)
    echo(says(pattern, *counts))
    echo(says("Open {0}, or put the folder on a web server.", shown_path(folder / "index.html")))
    for game_id in update.waiting:
        echo(
            says(
                "{0}: the newest turn waits for 'pbem week --publish', so the site does not show it yet.",
                game_id,
            )
        )
    return update.exit_code


class _Update:
    """Reads the games that are to be published."""

    def __init__(
        self,
        published: Mapping[str, PublicGame],
        earlier: Mapping[str, PublicGame],
        made: Mapping[str, str],
        language: str,
    ) -> None:
        """Begin with no game read.

        ``published``: the games on the site, by folder; ``earlier``: those of them whose files may stay;
        ``made``: fingerprints of what these files were made from, by the start of their paths; ``language``:
        the code of the pages' language.
        """
        self.sites: list[GameSite] = []  # of the games read
        self.waiting: list[str] = []  # ids of games whose newest turn waits for the GM
        self.exit_code = 0
        self._published = published
        self._earlier = earlier
        self._made = made
        self._language = language

    def add(self, path: Path) -> None:
        """Read the game at a path; print an error of it and set ``exit_code``: the others are still read."""
        try:
            with campaign_in(path) as campaign:
                self._add(campaign, path)
        except Exception as error:
            self.exit_code = _print_trouble(path, error)

    def _add(self, campaign: Campaign, path: Path) -> None:
        """Add the pages of a game that was read from a path.

        A game whose newest turn the GM has yet to release is only noted as ``waiting``. Raises ``Refusal`` if
        another game has the same folder on the site.
        """
        game_id = campaign.folder.settings.id
        if waits_for_the_gm(campaign):
            self.waiting.append(game_id)
            return
        name = folder_name(game_id)
        _refuse_double(name, campaign, self._published, self.sites, path)
        earlier = self._earlier.get(name)
        watch = partial(in_turn, what=name)
        self.sites.append(game_site(campaign, name, earlier, self._made, self._language, watch))


def _files_of(
    sites: Sequence[GameSite], games: list[PublicGame], title: str, language: str
) -> dict[str, bytes]:
    """Return the files of these games' pages and of the site's front page, by path on the site.

    ``games``: all games that the front page lists. Raises ``Failure`` without the library for ratings.
    """
    files: dict[str, bytes] = {}
    for site in sites:
        files |= site.files
    try:
        return files | front_files(games, title, language, resource("examples", VERIFIER).read_bytes())
    except ModuleNotFoundError as error:
        raise _no_library(error) from None


def _untouched(published: Mapping[str, PublicGame], sites: Sequence[GameSite]) -> tuple[str, ...]:
    """Return the folders on the site, as ``NAME/``, of games that were not named this time."""
    return tuple(f"{name}/" for name in published.keys() - {site.game.folder for site in sites})


def _refuse_inside_a_game(folder: Path) -> None:
    """Raise ``Refusal`` for a site's folder in a game's folder, which is secret."""
    with suppress(StoreError):
        game = GameFolder.find(folder if folder.exists() else folder.absolute().parent)
        raise Refusal(
            says("{0} lies in the folder of a game, {1}: the site is public.", shown_path(folder), game.path)
        )


def _known_games(folder: Path, manifest: SiteManifest) -> dict[str, PublicGame]:
    """Return the games that are on the site in ``folder``, by the names of their folders in it.

    Raises ``Failure`` for a damaged record.
    """
    games = {}
    for name in manifest.files:
        path = folder / name
        if path.name == RECORD_FILE and path.is_file():
            try:
                games[path.parent.name] = from_plain(GAME.decode(path.read_bytes(), path), PublicGame)
            except ValueError as error:
                raise Failure(
                    says("{0} is damaged: {1}. Remove it and publish the game again.", path, error)
                ) from None
    return games


def _dropped(game: str, published: Mapping[str, PublicGame]) -> str:
    """Return the folder on the site of a game, by its id. Raises ``click.BadParameter`` if there is none."""
    if folder_name(game) not in published:
        published_ids = ", ".join(sorted(other.id for other in published.values())) or says("none")
        raise click.BadParameter(
            says("no game on the site is called {0!r}; there is {1}", game, published_ids),
            param_hint="'--drop'",
        )
    return folder_name(game)


def _refuse_double(
    name: str, campaign: Campaign, published: Mapping[str, PublicGame], sites: Sequence[GameSite], path: Path
) -> None:
    """Raise ``Refusal`` if another game has the folder ``name`` on the site.

    ``published``: the games on the site, by folder; ``sites``: the games read in this run; ``path``: the
    game's, for the message.
    """
    is_taken = name in {site.game.folder for site in sites}
    published_game = published.get(name)
    if not is_taken and published_game is not None:
        # the seal of the first turn differs from game to game
        is_taken = published_game.mark != campaign.folder.turn_record(0).get("next_seal", "")
    if is_taken:
        game_id = campaign.folder.settings.id
        problem = says("{0}: another game on the site is called {1}, too", shown_path(path), game_id)
        raise Refusal(
            says("{0}. Publish it in a separate folder, or remove the other one with --drop.", problem)
        )


@gm_command("league")
def league(
    games: Annotated[tuple[Path, ...], argument(nargs=-1, type=ANY, metavar="[GAME]...")],
    out: Annotated[Path, option("--out", type=NEW, default=Path(), metavar="DIR")],
    language: Language,
) -> int:
    """Rate players and bots by finished games, by game and map."""
    results = list[GameResult]()
    code = 0
    unfinished = list[str]()  # ids
    for path in in_turn(found_games(games), "league"):
        try:
            with campaign_in(path) as campaign:
                if campaign.winners is None:
                    unfinished.append(campaign.folder.settings.id)
                else:
                    results.append(result_of(campaign))
        except Exception as error:  # the other games are still rated
            code = _print_trouble(path, error)
    for game_id in unfinished:
        echo(says("{0}: the game is not over, so it is left out.", game_id))
    if not results:
        raise Failure(says("No finished game was found: nobody can be rated."))
    try:
        files = league_files(results, language)
    except ModuleNotFoundError as error:
        raise _no_library(error) from None
    for name, data in files.items():
        write_page(out / name, data)
    echo(
        says("{0:game} rated: {1}.", Said(len(results)), ", ".join(shown_path(out / name) for name in files))
    )
    return code


def _no_library(error: ModuleNotFoundError) -> Exception:
    """Return the ``Failure`` for the library of ratings, if that is missing; else the error itself."""
    if error.name == "openskill":
        return Failure(says("Ratings need a library: pip install 'pbem-gm[league]'."))
    return error


def _print_trouble(path: Path, error: Exception) -> int:
    """Print why the game at a path cannot be read; return the exit code for that."""
    failure = error if isinstance(error, click.ClickException) else as_failure(error)
    complain(f"{shown_path(path)}: {failure.format_message()}")
    return max(failure.exit_code, REFUSED)


# -- games in folders and archives ---------------------------------------------------------------------------


def found_games(paths: Sequence[Path]) -> list[Path]:
    """Return the paths of games (folders or archives), each once: of ``paths``, or in folders among them.

    Without any path, it is the game around the current directory. Raises ``StoreError`` for a folder without
    a game.
    """
    games: list[Path] = []
    for path in paths or (folder_or_default(),):
        if path.is_file() or (path / SETTINGS_FILE).exists():
            games.append(path)
            continue
        # a folder whose name begins with a dot is one that was not finished
        below = [*(file.parent for file in path.glob(f"[!.]*/{SETTINGS_FILE}")), *path.glob("*.zip")]
        games += sorted(below) or [GameFolder.find(path).path]
    return list({game.resolve(): game for game in games}.values())


@contextmanager
def campaign_in(path: Path) -> Iterator[Campaign]:
    """Yield the game in a folder, or in an archive, which is unpacked for the time of the block.

    No command of an archive's game is run.
    """
    if path.is_dir():
        yield open_campaign(path)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "game"
        with path.open("rb") as opened, unpacked(opened) as (files, keys):
            unread = [name for name in files if name.partition("/")[0] in _UNREAD]
            for name in unread:
                del files[name]
            build_folder(folder, files)
        if not keys:  # players.yaml has no secrets then, and cannot be read without them
            write_file(folder / PLAYERS_FILE, edited_yaml(folder / PLAYERS_FILE, _with_secrets))
        yield open_campaign(folder, recovering=False)  # it was just made: nothing in it was interrupted


def _with_secrets(data: Any) -> None:
    """Give each player in the data of players.yaml a secret, which archives without keys leave out.

    It only makes the file readable: no key is made from it.
    """
    for number, entry in enumerate(data["players"] or ()):
        entry["secret"] = f"withheld {number}"
