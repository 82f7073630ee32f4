"""What of the documentation is no file in ``docs/``: files of the project at their own paths, so that their
links hold, and pages that its code writes. MkDocs calls ``on_files`` in each build; ``python docs/pages.py
FOLDER`` writes man pages.
"""

import json
import posixpath
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

import click

from gm.cli.app import COMMANDS, SHELLS
from gm.cli.app import gm as program
from gm.cli.options import ExplainedCommand
from gm.core.yaml.models import load_data
from gm.games import GAMES, game_spec
from gm.resources import resource
from gm.text.pages import capitalised

ROOT = Path(__file__).resolve().parents[1]
EVIDENCE = ROOT / "build" / "evidence.md"
RELATIVE_LINK = re.compile(r"\]\((?![a-z]+:|#|/)([^)#\s]+)(#[^)\s]*)?\)")
STRENGTH = {  # the section of a game's maps/GAME/README.md that tells of it
    "medieval": "Strength",
    "conqueror": "Tempers",
    "conquest-structures": "How strong is each bot?",
    "conquest-fields": "How strong is each level?",
    "conquestination": "Programs",
}


def on_files(files: Any, config: Any) -> Any:
    """Add them to those in ``docs/``: of the project's files those that ``nav`` in mkdocs.yml names."""
    from mkdocs.structure.files import File

    for source in (each for each in named(config["nav"]) if (ROOT / each).is_file()):
        files.append(File.generated(config, source, abs_src_path=str(ROOT / source)))
    for name, text in {**pages(), **handbooks()}.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page whose links, which lead from file to file in the repository, lead from page to page."""
    here = page.file.src_uri
    source = here if (ROOT / here).is_file() else f"docs/{here}"
    folder, site_folder = PurePosixPath(source).parent, PurePosixPath(here).parent

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(folder / link[1])
        return f"]({posixpath.relpath(target.removeprefix('docs/'), site_folder)}{link[2] or ''})"

    return RELATIVE_LINK.sub(moved, markdown)


def named(nav: Any) -> Iterator[str]:
    """The files that a part of ``nav`` names."""
    if isinstance(nav, str):
        yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav:
            yield from named(each)


def pages() -> dict[str, str]:
    """The pages that are made here, by name."""
    made = {
        "commands.md": commands(),
        "clauses.md": clauses(),
        "balance.md": balance(),
        "handbooks.md": shelf(),
    }
    return made | {"evidence.md": evidence(), "speed.md": speed(), "strength.md": strength()}


def evidence() -> str:
    """What ``make evidence`` found, and how to find it again."""
    if not EVIDENCE.exists():
        return "# Evidence\n\n`make evidence` writes this page; it has not been run for this build.\n"
    return EVIDENCE.read_text("utf-8")


def speed() -> str:
    """What ``make bench`` measured when it was last stored."""
    told = json.loads((ROOT / "docs" / "speed.json").read_text("utf-8"))
    parts = [
        "# Speed",
        f"What `make bench` measured with version {told['gm']} on two cores at a load of {told['load']}; "
        "with "
        "`ARGS='--compare docs/speed.json'` it tells what differs on your machine. P is the processor's time "
        "for an "
        "empty start of Python. A figure is the median of its runs, with the least and the most of them "
        "beside it. A "
        "mark says how it keeps its budget: *good*, *must* where it keeps the hard limit alone, *OVER* where "
        "not even "
        "that. Times of two moments or two machines cannot be compared: `make bench ARGS='--against OTHER'` "
        "runs this "
        "checkout and another in turn, five pairs of each command.",
    ]
    for title, group in groupby(told["titles"], told["titles"].get):
        rows = []
        for what in group:
            value = told["figures"][what]
            shown = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
            spread = " to ".join(f"{each:.3g}" for each in told.get("spreads", {}).get(what, ()))
            rows.append(
                f"| {what} | {shown} {told['units'][what]} | {spread} | {told['marks'].get(what, '')} |"
            )
        heads = ["| what | figure | of its runs | mark |", "|---|---:|---:|---|"]
        parts += [f"## {capitalised(str(title))}", "\n".join([*heads, *rows])]
    return "\n\n".join(parts) + "\n"


def strength() -> str:
    """What the games' authors have told of their programs beside the maps, with the commands that play it
    again.
    """
    parts = ["# Strength of the programs", "Each table says which command plays its games again."]
    for game, heading in STRENGTH.items():
        text = (ROOT / "maps" / game / "README.md").read_text("utf-8")
        parts += [f"## {game_spec(game).title}", text.split(f"\n## {heading}\n")[1].split("\n## ")[0].strip()]
    return "\n\n".join(parts) + "\n"


def explained(command: click.Command, name: str, above: click.Context | None) -> Iterator[click.Context]:
    """The context of a command and of all below it, with their helps read."""
    context = click.Context(command, info_name=name, parent=above, max_content_width=100)
    if isinstance(command, ExplainedCommand):
        command.explain()
    yield context
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            if (found := command.get_command(context, each)) is not None:
                yield from explained(found, each, context)


def commands() -> str:
    """Every command's ``--help``."""
    shells = [f"* {name}: {hint.replace(':  ', ': `')}`" for name, hint in SHELLS.items()]
    parts = [
        "# All commands",
        "What `--help` says of each; `make man` writes man pages of it. Your shell completes it:",
    ]
    parts += ["\n".join(shells)]
    for context in explained(program, "pbem", None):
        level = "##" if context.parent is None or context.parent.parent is None else "###"
        parts += [f"{level} {context.command_path}", f"```text\n{context.get_help()}\n```"]
    return "\n\n".join(parts) + "\n"


def man_pages(folder: Path) -> None:
    """A man page of each command, of the same texts."""
    from click_man.core import generate_man_page

    folder.mkdir(parents=True, exist_ok=True)
    for context in explained(program, "pbem", None):
        # the program's list of commands has its helps beside it: see gm.cli.app
        if context.parent is not None and context.parent.parent is None:
            context.command.short_help = COMMANDS[str(context.info_name)][1]
        path = folder / f"{context.command_path.replace(' ', '-')}.1"
        path.write_text(generate_man_page(context, "") + "\n", "utf-8")


def clauses() -> str:
    """The index of each game's clauses; their texts stand in the handbooks."""
    parts = [
        "# Clauses",
        "Every clause of the rules, as refusals, reports and `pbem why` name it. Each has a test (`make "
        "clauses`).",
    ]
    for game in GAMES:
        data: Any = load_data(resource("rules", game, "clauses.yaml"))[0]["clauses"]
        lines = [f"| {key} | {title(entry)} |" for key, entry in data.items()]
        parts += [
            f"## {game_spec(game).title}",
            "\n".join(["| clause | what it says |", "|---|---|", *lines]),
        ]
    return "\n\n".join(parts) + "\n"


def title(entry: Any) -> str:
    """What a clause is called, on one line of a table."""
    found = entry if isinstance(entry, str) else entry["title"]
    return " ".join(found.split()).replace("|", "\\|")


def balance() -> str:
    """How the parties of each map stand at the start."""
    parts = [
        "# Balance of the maps",
        "Made by `pbem map check` in this build; what games made of it, `pbem simulate` measures.",
    ]
    for game in GAMES:
        spec = game_spec(game)
        for name, folder in spec.maps().items():
            rows = spec.map_balance(folder)
            head = list(rows[0])
            table = [head, ["---"] * len(head), *([str(row[each]) for each in head] for row in rows)]
            parts += [f"## {spec.title}: {name}", "\n".join(f"| {' | '.join(row)} |" for row in table)]
    return "\n\n".join(parts) + "\n"


def handbooks() -> dict[str, str]:
    """Each game's own rulebook, on its default map, in every language that it is to be had in."""
    made = {}
    for game in GAMES:
        spec = game_spec(game)
        made[f"handbooks/{game}.html"] = spec.handbook(
            spec.shipped_table(spec.default_map or next(iter(spec.maps())))
        )
    return made


def shelf() -> str:
    """The page that leads to them."""
    lines = [f"* [{game_spec(game).title}](handbooks/{game}.html)" for game in GAMES]
    about = (
        "The rulebook of each game, as `pbem handbook` writes it: one page that needs nothing else, also on "
        "paper."
    )
    return "\n".join(["# Handbooks", "", about, "", *lines, ""])


if __name__ == "__main__":
    man_pages(Path(sys.argv[1]))
