"""The command ``pbem`` itself: which commands there are, and what becomes of an error on its way out.

Importing a command costs up to a quarter of a second (rules, maps, templates), so the list of commands with their short
helps is written here, and a command's module is imported when it is run or asked for its own help.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm import PROGRAM, __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {  # by name: the module, which has the click command ``command`` or the one after the colon, and the help
    "new": ("gm.cli.new", "Start a game: a folder with map, players and first templates."),
    "games": ("gm.cli.documents:games", "List the games that can be played here, their maps and bots."),
    "play": ("gm.cli.play", "Play at once in the browser, alone or several at one table."),
    "receive": ("gm.cli.turn:receive_files", "Take order files in: sort, check, keep the last valid one."),
    "status": ("gm.cli.status", "Show whose orders are in, late or missing, and the deadline."),
    "check": ("gm.cli.check:check", "Check one order file as the turn would read it."),
    "turn": ("gm.cli.turn:turn", "Play the next turn and write its reports."),
    "undo": ("gm.cli.corrections:undo", "Take the newest turn back; it is kept aside."),
    "verify": ("gm.cli.verify:verify", "Check seals, order files and every roll, or play turns again."),
    "repair": ("gm.cli.maintenance:repair", "Mend damaged journals, and say what is lost."),
    "why": ("gm.cli.verify:why", "Explain an order, a battle, a province or a treasury; try other orders."),
    "amend": ("gm.cli.corrections:amend", "Correct the position, with a reason that everybody reads."),
    "report": ("gm.cli.documents:report", "Write a turn's reports again."),
    "week": ("gm.cli.postal:week", "Fetch, answer, remind, play and mail, as far as the clock says."),
    "mail": ("gm.cli.mail", "Fetch orders and send results by e-mail."),
    "hooks": ("gm.cli.hooks", "Tell a channel, a telephone or a program what everybody may know."),
    "player": ("gm.cli.seats:player", "Replace a player, or note that one is away."),
    "announce": ("gm.cli.notices:announce", "Write to all players, or to some."),
    "deadline": ("gm.cli.notices:deadline", "Show or move deadlines: extensions, holidays, holds."),
    "upgrade": (
        "gm.cli.maintenance:upgrade",
        "Go on by the rules of a newer pbem, or by those that a game began with.",
    ),
    "export": ("gm.cli.maintenance:export", "Put a whole game into one file: a backup."),
    "import": ("gm.cli.maintenance:import_", "Take a game out of such a file, after checking it."),
    "trust": ("gm.cli.maintenance:trust", "Show and confirm the commands of an imported game."),
    "seat": ("gm.cli.seats:seat", "Show the seats; change a player, a key or a realm's standing."),
    "open": ("gm.cli.openings:open_seat", "Show the free seats, give one up, or say when seats come free."),
    "press": ("gm.cli.openings:press", "Show or change what letters players may write to each other."),
    "map": ("gm.cli.map", "Draw the map of a game, or check a map file."),
    "handbook": ("gm.cli.documents:handbook", "Write the players' rulebook, with the figures of a game's own rules."),
    "epilogue": ("gm.cli.documents:epilogue", "Write the page of a game that is over: all orders, luck, proof."),
    "history": ("gm.cli.history:history", "Write the map of every turn as one page to step through."),
    "publish": ("gm.cli.publish:publish", "Write a public site of your games: plain files for any web space."),
    "league": ("gm.cli.publish:league", "Rate players and bots by games that are over: the hall of fame."),
    "odds": ("gm.cli.check:odds", "Reckon how a battle is likely to go, by fighting it often."),
    "simulate": ("gm.cli.simulate", "Play whole games with bots and see who wins, grows and lasts."),
    "schema": ("gm.cli.schemas:schema", "Print the JSON Schemas of orders, results and what else programs read."),
    "service": ("gm.cli.service", "Have the system call 'pbem week' every few minutes."),
    "doctor": ("gm.cli.doctor", "Look whether all is as it should be, and say what to do where it is not."),
    "completion": ("gm.cli.app:completion", "Print the script that makes your shell complete its commands."),
}

EPILOG = """\b
The week of a GM:
  pbem receive ~/mail/orders/    take what came in
  pbem status                    see who is missing
  pbem turn                      play the turn
Exit codes: 0 done, 1 refused or in need of attention, 2 an error."""


@contextmanager
def logged() -> Iterator[None]:
    """Write down how a command goes, for whoever is to find a fault; of its words only the names of its options."""
    import logging
    import sys

    from gm.cli.table_cache import cache_folder
    from gm.store.disk import PRIVATE_FILE, make_folder, write_file

    path = cache_folder() / f"{PROGRAM}.log"
    make_folder(path.parent)
    if not path.exists():
        write_file(path, b"", mode=PRIVATE_FILE)
    form = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(filename=path, level=logging.INFO, format=form, encoding="utf-8", force=True)
    log = logging.getLogger(PROGRAM)
    options = [each.partition("=")[0] for each in sys.argv[1:] if each.startswith("-")]
    words = [each for each in sys.argv[1:] if each in COMMANDS]
    log.info("%s %s, Python %s on %s", __version__, " ".join(words), sys.version.split()[0], sys.platform)
    log.info("options %s in %s", " ".join(options), Path.cwd())
    click.echo(f"The log is in {path}.", err=True)
    try:
        yield
        log.info("done")
    except click.exceptions.Exit as ended:
        log.info("ended with exit code %s", ended.exit_code)
        raise
    except Exception:
        log.exception("ended by an error")
        raise
    finally:
        logging.shutdown()


class LazyGroup(click.Group):
    """A group whose commands are imported one at a time; it turns errors that a user can meet into one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name or "command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in ``pbem --help``, from the short helps above: no command is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Return what the shell offers for the first word; again no command is imported for it."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=COMMANDS[name][1]) for name in COMMANDS if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else " 'pbem --help' lists the commands."
            raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        try:
            with logged() if ctx.params.get("verbose") else nullcontext():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except (KeyboardInterrupt, click.Abort) as error:
            from gm.cli.output import stopped

            done = "What was done until then stands." if ctx.invoked_subcommand in BY_STEPS else "Nothing was changed."
            raise stopped(f"Stopped. {done}", error) from error
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # the reader of our output has gone: click ends quietly
            from gm.cli.output import as_failure

            raise as_failure(error) from error


@click.group(
    cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, message=f"{PROGRAM} %(version)s", help="Show the version.")
@click.option("--as", "as_name", metavar="NAME", help="Who you are, for the journal of a game with several GMs.")
@click.option("--verbose", is_flag=True, help="Keep a log of what happens, for a report of a fault.")
def gm(as_name: str | None, verbose: bool) -> None:
    """Play-by-email game master: order files in, results and the next position out."""


BY_STEPS = {"hooks", "league", "mail", "play", "publish", "service", "simulate", "week"}
"""The commands that do many things, each of which counts when it is done; the others do all of it, or nothing."""
SHELLS = {
    "bash": 'Add to ~/.bashrc:  eval "$(pbem completion bash)"',
    "zsh": 'Add to ~/.zshrc:  eval "$(pbem completion zsh)"',
    "fish": "Run once:  pbem completion fish > ~/.config/fish/completions/pbem.fish",
}


@click.command(short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(list(SHELLS)))
def completion(shell: str) -> None:
    """Print the script that lets your shell complete its commands and options with the Tab key.

    \b
    bash   add to ~/.bashrc:  eval "$(pbem completion bash)"
    zsh    add to ~/.zshrc:   eval "$(pbem completion zsh)"
    fish   run once:          pbem completion fish > ~/.config/fish/completions/pbem.fish
    """
    from click import shell_completion

    found = getattr(shell_completion, f"{shell.title()}Complete")
    click.echo(f"# {SHELLS[shell]}")
    click.echo(found(gm, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source())
