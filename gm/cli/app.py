"""The command ``pbem`` itself: the list of commands, and the message for an error that leaves one.

Importing a command costs up to a quarter of a second (rules, maps, templates), so the list of commands with
their short helps is written here, and a command's module is imported when it is run or asked for its own
help.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm import PROGRAM, __version__
from gm.cli.helping import Helping, as_spoken

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# for each section of the list, its commands by name: (the module, with the function after a colon if that is
# not called ``command``; the short help)
SECTIONS = {
    "Start a game": {
        "new": ("gm.cli.new", "Create a game: folder, seats, first order templates"),
        "games": ("gm.cli.documents:games", "List the available games, maps and bots"),
        "play": ("gm.cli.play", "Play in the browser, alone or sharing one screen"),
        "map": ("gm.cli.map", "Draw a map, or check one for errors and balance"),
    },
    "Every week": {
        "receive": ("gm.cli.receive:receive_files", "Take in order files; the last valid one counts"),
        "status": ("gm.cli.status", "Show who has submitted orders, and the deadline"),
        "turn": ("gm.cli.turn:turn", "Play the next turn and write its reports"),
        "desk": ("gm.cli.desk", "Run the week of your games in your browser"),
        "week": ("gm.cli.postal:week", "Fetch mail, play the turn if due, send results"),
    },
    "Players and deadlines": {
        "deadline": ("gm.cli.notices:deadline", "Show or change deadlines, holidays and holds"),
        "player": ("gm.cli.seats:player", "Replace a player, or record an absence"),
        "seat": ("gm.cli.seats:seat", "Show seats; change a player, bot or key"),
        "open": ("gm.cli.openings:open_seat", "Show open seats, vacate one, set joining rules"),
        "press": ("gm.cli.openings:press", "Show or set what messages players may exchange"),
        "announce": ("gm.cli.notices:announce", "Mail a message to all or some players"),
    },
    "Mail and notifications": {
        "mail": ("gm.cli.mail", "Set up mail, fetch orders, send results"),
        "hooks": ("gm.cli.hooks", "Notify a chat channel, phone or program"),
        "service": ("gm.cli.service", "Run 'pbem week' automatically every few minutes"),
    },
    "Correct and explain": {
        "undo": ("gm.cli.corrections:undo", "Undo the newest turn; nothing is lost"),
        "amend": ("gm.cli.corrections:amend", "Correct the position; the reason is public"),
        "report": ("gm.cli.documents:report", "Rewrite the reports and templates of a turn"),
        "why": ("gm.cli.verify:why", "Explain a result, or replay it with other orders"),
        "upgrade": ("gm.cli.maintenance:upgrade", "Choose old or new rules after a change"),
    },
    "For players, too": {
        "check": ("gm.cli.check:check", "Check an order file and forecast the turn"),
        "odds": ("gm.cli.odds:odds", "Estimate the odds of a battle"),
        "handbook": ("gm.cli.documents:handbook", "Write the players' handbook"),
        "verify": ("gm.cli.verify:verify", "Check dice, order files and turns for tampering"),
    },
    "Publish": {
        "history": ("gm.cli.history:history", "Write the game's history as one page or a film"),
        "epilogue": ("gm.cli.documents:epilogue", "Write the page of a finished game"),
        "publish": ("gm.cli.publish:publish", "Write a public website of your games"),
        "league": ("gm.cli.publish:league", "Rate players and bots by finished games"),
    },
    "Back up and maintain": {
        "export": ("gm.cli.maintenance:export", "Back up a game into one file"),
        "import": ("gm.cli.maintenance:import_", "Restore a game from a backup"),
        "trust": ("gm.cli.maintenance:trust", "Review and allow an imported game's commands"),
        "repair": ("gm.cli.maintenance:repair", "Repair damaged journals"),
        "doctor": ("gm.cli.doctor", "Check the installation and a game for problems"),
    },
    "Develop": {
        "simulate": ("gm.cli.simulate", "Play many games with bots and compare results"),
        "schema": ("gm.cli.schemas:schema", "Print JSON Schemas of the file formats"),
        "completion": ("gm.cli.app:completion", "Print a shell completion script"),
    },
}
COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}
WIDEST = max(map(len, COMMANDS))

EPILOG = """\b
The week of a GM:
  pbem receive ~/mail/orders/    submit the order files
  pbem status                    see who is missing
  pbem turn                      play the turn
Exit codes: 0 done, 1 refused or in need of attention, 2 an error."""


@contextmanager
def logged() -> Iterator[None]:
    """Log into a file how the command inside the block runs; of its arguments, only the names of options."""
    import logging

    from gm.cli.speech import worded
    from gm.cli.table_cache import cache_folder
    from gm.core.diagnostics import says
    from gm.store.disk import PRIVATE_FILE, make_folder, write_file

    path = cache_folder() / f"{PROGRAM}.log"
    make_folder(path.parent)
    if not path.exists():
        write_file(path, b"", mode=PRIVATE_FILE)
    form = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(filename=path, level=logging.INFO, format=form, encoding="utf-8", force=True)
    log = logging.getLogger(PROGRAM)
    options = [word.partition("=")[0] for word in sys.argv[1:] if word.startswith("-")]
    words = [word for word in sys.argv[1:] if word in COMMANDS]
    log.info("%s %s, Python %s on %s", __version__, " ".join(words), sys.version.split()[0], sys.platform)
    log.info("options %s in %s", " ".join(options), Path.cwd())
    click.echo(worded(says("The log is in {0}.", path)), err=True)
    try:
        yield
        log.info("done")
    except click.exceptions.Exit as exit_request:
        log.info("ended with exit code %s", exit_request.exit_code)
        raise
    except Exception:
        log.exception("ended by an error")
        raise
    finally:
        logging.shutdown()


class LazyGroup(Helping, click.Group):
    """A group whose commands are imported when needed.

    It turns errors that a user can meet into one sentence.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported when it is needed; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name or "command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list in ``pbem --help`` from the short helps above: no command is imported for it."""
        for title, commands in SECTIONS.items():
            with formatter.section(as_spoken(title)):
                formatter.write_dl(
                    [(f"{name:{WIDEST}}", as_spoken(short)) for name, (_, short) in commands.items()]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Return what the shell offers for the first word; no command is imported for it."""
        from click.shell_completion import CompletionItem

        completions = [
            CompletionItem(name, help=COMMANDS[name][1]) for name in COMMANDS if name.startswith(incomplete)
        ]
        return [*completions, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return (the command's name, the command, the words behind it), as click's method does.

        Raises ``click.UsageError`` for an unknown command, with the nearest name.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            from gm.core.diagnostics import says

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = says("Did you mean '{0}'?", near[0]) if near else says("'pbem --help' lists the commands.")
            raise click.UsageError(says("There is no command {0!r}. {1}", args[0], hint), ctx) from error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options of ``pbem`` itself; return the words behind them.

        The language of the environment is set first: click would show ``--help`` before it reads that.
        """
        language_option = next(param for param in self.params if param.name == "language")
        _speak(ctx, language_option, os.environ.get("GM_LANGUAGE"))
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the program as click's method does; reset the language at its end."""
        try:
            return super().main(*args, **settings)
        finally:
            if "gm.cli.speech" in sys.modules:  # else no language was set
                sys.modules["gm.cli.speech"].reset_language()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return what it returns. Errors that leave it get the language of the commands."""
        try:
            return self._invoke(ctx)
        except click.ClickException as error:
            from gm.cli.output import translated

            raise translated(error)  # noqa: B904 - it is the same error

    def _invoke(self, ctx: click.Context) -> Any:
        """Run the command; raise any error that leaves it as one with a message for the user."""
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        try:
            with logged() if ctx.params.get("verbose") else nullcontext():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except (KeyboardInterrupt, click.Abort) as error:
            from gm.cli.output import stopped
            from gm.core.diagnostics import says

            effect = says("Nothing was changed.")
            if ctx.invoked_subcommand in BY_STEPS:
                effect = says("What was done until then counts.")
            raise stopped(says("Stopped. {0}", effect), error) from error
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # the reader of our output has gone: click ends quietly
            from gm.cli.output import as_failure

            raise as_failure(error) from error


def _speak(ctx: click.Context, param: click.Parameter, code: str | None) -> None:
    """Set the language in which commands speak, by its code; empty or None changes nothing.

    Raises ``click.BadParameter`` for an unknown one.
    """
    if not code or ctx.resilient_parsing:  # the latter: click completes a word, and runs nothing
        return
    from gm.cli.speech import speak, why_not_spoken, worded

    why = why_not_spoken(code)
    if why:
        raise click.BadParameter(worded(why), ctx, param)
    speak(code)


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message=f"{PROGRAM} %(version)s", help="Show the version.")
@click.option(
    "--as", "as_name", metavar="NAME", help="Who you are, for the journal of a game with several GMs."
)
@click.option(
    "--language",
    metavar="CODE",
    envvar="GM_LANGUAGE",
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help="The language of what commands print, en or de. Default: GM_LANGUAGE in the environment, else the "
    "game's.",
)
@click.option("--verbose", is_flag=True, help="Keep a log of what happens, for a report of a fault.")
def gm(*, as_name: str | None, verbose: bool) -> None:
    """Play-by-email game master: order files in, results and the next position out."""


BY_STEPS = {"hooks", "league", "mail", "play", "publish", "service", "simulate", "week"}
"""The commands that do many things, each of which counts when it is done.

The others do all of it, or nothing."""
SHELLS = {
    "bash": 'Add to ~/.bashrc:  eval "$(pbem completion bash)"',
    "zsh": 'Add to ~/.zshrc:  eval "$(pbem completion zsh)"',
    "fish": "Run once:  pbem completion fish > ~/.config/fish/completions/pbem.fish",
}


@click.command(cls=Helping, short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(list(SHELLS)))
def completion(shell: str) -> None:
    """Print the script that lets your shell complete its commands and options with the Tab key.

    \b
    bash   add to ~/.bashrc:  eval "$(pbem completion bash)"
    zsh    add to ~/.zshrc:   eval "$(pbem completion zsh)"
    fish   run once:          pbem completion fish > ~/.config/fish/completions/pbem.fish
    """
    from click import shell_completion

    shell_class = getattr(shell_completion, f"{shell.title()}Complete")
    click.echo(f"# {SHELLS[shell]}")
    click.echo(shell_class(gm, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source())
