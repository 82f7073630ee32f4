"""Make the pages of the documentation that are no files in ``docs/``.

Some are files of the project, which keep their own paths, so that their links hold; the others are written by
the program's code. MkDocs calls ``on_files`` and ``on_page_markdown`` in each build;
``python docs/pages.py FOLDER`` writes man pages.
"""

import json
import posixpath
import re
import sys
from collections.abc import Iterator, Mapping
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
STRENGTH_SECTIONS = {
    "medieval": "Strength",
    "conqueror": "Tempers",
    "conquest-structures": "How strong is each bot?",
    "conquest-fields": "How strong is each level?",
    "conquestination": "Programs",
}
"""By game: the section of maps/GAME/README.md about the strength of its programs."""
HELP_WIDTH = 100
NO_EVIDENCE = "# Evidence\n\n`make evidence` writes this page; it has not been run for this build.\n"


def on_files(files: Any, config: Any) -> Any:
    """Add the pages to MkDocs' files and return them.

    Of the project's files these are the ones that ``nav`` in mkdocs.yml names.
    """
    from mkdocs.structure.files import File

    for path in paths_in_nav(config["nav"]):
        source = ROOT / path
        if source.is_file():
            files.append(File.generated(config, path, abs_src_path=str(source)))
    texts = {**pages(), **handbooks()}
    for path, text in texts.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page's text with its links between files of the repository made links between pages."""
    site_path = page.file.src_uri
    source_path = site_path if (ROOT / site_path).is_file() else f"docs/{site_path}"
    source_folder = PurePosixPath(source_path).parent
    site_folder = PurePosixPath(site_path).parent

    def link_between_pages(link: re.Match[str]) -> str:
        """Return a link (groups: file, anchor) as one from this page to another."""
        target = posixpath.normpath(source_folder / link[1])
        target_page = posixpath.relpath(target.removeprefix("docs/"), site_folder)
        return f"]({target_page}{link[2] or ''})"

    return RELATIVE_LINK.sub(link_between_pages, markdown)


def paths_in_nav(nav: Any) -> Iterator[str]:
    """Yield the files that a part of ``nav`` names; a part is a file, a list of parts or parts by title."""
    if isinstance(nav, str):
        yield nav
        return
    parts = nav.values() if isinstance(nav, dict) else nav
    for part in parts:
        yield from paths_in_nav(part)


def pages() -> dict[str, str]:
    """Return the Markdown of each page that is made here, by its path."""
    return {
        "commands.md": commands(),
        "clauses.md": clauses(),
        "balance.md": balance(),
        "handbooks.md": shelf(),
        "evidence.md": evidence(),
        "speed.md": speed(),
        "strength.md": strength(),
    }


def evidence() -> str:
    """Return the page that ``make evidence`` wrote, or one that says that it was not run."""
    if not EVIDENCE.exists():
        return NO_EVIDENCE
    return EVIDENCE.read_text("utf-8")


def speed() -> str:
    """Return the page of what ``make bench`` measured when it was last stored."""
    measured = json.loads((ROOT / "docs" / "speed.json").read_text("utf-8"))
    parts = [
        "# Speed",
        f"What `make bench` measured with version {measured['gm']} on two cores at a load of "
        f"{measured['load']}; with `ARGS='--compare docs/speed.json'` it tells what differs on your "
        "machine. P is the processor's time for an empty start of Python. A figure is the median of its "
        "runs, with the least and the most of them beside it. A mark says how it keeps its budget: *good*, "
        "*must* where it keeps the hard limit alone, *OVER* where not even that. Times of two moments or two "
        "machines cannot be compared: `make bench ARGS='--against OTHER'` runs this checkout and another in "
        "turn, five pairs of each command.",
    ]
    titles = measured["titles"]
    for title, names in groupby(titles, titles.get):
        lines = ["| what | figure | of its runs | mark |", "|---|---:|---:|---|"]
        lines += [speed_row(measured, name) for name in names]
        parts.append(f"## {capitalised(str(title))}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def speed_row(measured: Mapping[str, Any], name: str) -> str:
    """Return a figure's row of the table of speed.

    ``measured`` is what speed.json holds: ``figures``, ``units``, ``spreads`` and ``marks`` by name, the last
    two not of all.
    """
    value = measured["figures"][name]
    figure = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    unit = measured["units"][name]
    spread = measured.get("spreads", {}).get(name, ())
    spread_text = " to ".join(f"{limit:.3g}" for limit in spread)
    mark = measured["marks"].get(name, "")
    return f"| {name} | {figure} {unit} | {spread_text} | {mark} |"


def strength() -> str:
    """Return the page of how strong the programs are.

    Its sections are those that the games' authors wrote beside the maps, with the commands that play the
    games again.
    """
    parts = ["# Strength of the programs", "Each table says which command plays its games again."]
    for game, heading in STRENGTH_SECTIONS.items():
        text = (ROOT / "maps" / game / "README.md").read_text("utf-8")
        below_heading = text.split(f"\n## {heading}\n")[1]
        section = below_heading.split("\n## ")[0]
        parts.append(f"## {game_spec(game).title}")
        parts.append(section.strip())
    return "\n\n".join(parts) + "\n"


def command_contexts(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[click.Context]:
    """Yield the context of a command and those of all commands below it, with their helps read."""
    context = click.Context(command, info_name=name, parent=parent, max_content_width=HELP_WIDTH)
    if isinstance(command, ExplainedCommand):
        command.explain()
    yield context
    if not isinstance(command, click.Group):
        return
    for name_below in command.list_commands(context):
        command_below = command.get_command(context, name_below)
        if command_below is not None:
            yield from command_contexts(command_below, name_below, context)


def is_below_program(context: click.Context) -> bool:
    """Return whether a context's command stands right below the program, as ``pbem turn`` does."""
    return context.parent is not None and context.parent.parent is None


def commands() -> str:
    """Return the page of every command's ``--help``."""
    shells = [f"* {name}: {hint.replace(':  ', ': `')}`" for name, hint in SHELLS.items()]
    parts = [
        "# All commands",
        "What `--help` says of each; `make man` writes man pages of it. Your shell completes it:",
        "\n".join(shells),
    ]
    for context in command_contexts(program, "pbem", None):
        is_high = context.parent is None or is_below_program(context)
        level = "##" if is_high else "###"
        parts.append(f"{level} {context.command_path}")
        parts.append(f"```text\n{context.get_help()}\n```")
    return "\n\n".join(parts) + "\n"


def write_man_pages(folder: Path) -> None:
    """Write a man page of each command into a folder, of the texts of its ``--help``."""
    from click_man.core import generate_man_page

    folder.mkdir(parents=True, exist_ok=True)
    for context in command_contexts(program, "pbem", None):
        # the program's list of commands has its helps beside it: see gm.cli.app
        if is_below_program(context):
            context.command.short_help = COMMANDS[str(context.info_name)][1]
        path = folder / f"{context.command_path.replace(' ', '-')}.1"
        path.write_text(generate_man_page(context, "") + "\n", "utf-8")


def clauses() -> str:
    """Return the index of each game's clauses; their texts stand in the handbooks."""
    parts = [
        "# Clauses",
        "Every clause of the rules, as refusals, reports and `pbem why` name it. Each has a test (`make "
        "clauses`).",
    ]
    for game in GAMES:
        entries: Any = load_data(resource("rules", game, "clauses.yaml"))[0]["clauses"]
        lines = ["| clause | what it says |", "|---|---|"]
        lines += [f"| {clause} | {clause_title(entry)} |" for clause, entry in entries.items()]
        parts.append(f"## {game_spec(game).title}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def clause_title(entry: Any) -> str:
    """Return what a clause is called, on one line of a table; ``entry``: its title, or its parts by name."""
    title = entry if isinstance(entry, str) else entry["title"]
    on_one_line = " ".join(title.split())
    return on_one_line.replace("|", "\\|")


def balance() -> str:
    """Return the page of how the parties of each map stand at the start."""
    parts = [
        "# Balance of the maps",
        "Made by `pbem map check` in this build; what games made of it, `pbem simulate` measures.",
    ]
    for game in GAMES:
        spec = game_spec(game)
        for name, folder in spec.maps().items():
            parts.append(f"## {spec.title}: {name}")
            parts.append(balance_table(spec.map_balance(folder)))
    return "\n\n".join(parts) + "\n"


def balance_table(rows: Any) -> str:
    """Return a table in Markdown of a map's parties; ``rows``: each one's figures by column; never empty."""
    columns = list(rows[0])
    lines = [table_line(columns), table_line(["---"] * len(columns))]
    for row in rows:
        lines.append(table_line([str(row[column]) for column in columns]))
    return "\n".join(lines)


def table_line(cells: list[str]) -> str:
    """Return a line of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def handbooks() -> dict[str, str]:
    """Return each game's own rulebook by its path: on its default map, in every language that there is."""
    texts = {}
    for game in GAMES:
        spec = game_spec(game)
        map_name = spec.default_map or next(iter(spec.maps()))
        texts[f"handbooks/{game}.html"] = spec.handbook(spec.shipped_table(map_name))
    return texts


def shelf() -> str:
    """Return the page that leads to the handbooks."""
    lines = [
        "# Handbooks",
        "",
        "The rulebook of each game, as `pbem handbook` writes it: one page that needs nothing else, also on "
        "paper.",
        "",
    ]
    lines += [f"* [{game_spec(game).title}](handbooks/{game}.html)" for game in GAMES]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    write_man_pages(Path(sys.argv[1]))
