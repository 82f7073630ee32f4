"""The files that ship with the program: rules, maps, templates and examples.

In a checkout they are at the top of the project, where a GM looks for them; a wheel has them inside the
package. A package that brings a game of its own has its files in folders of the same names.
"""

from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_OURS = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _PACKAGE.parent
_ROOTS = [_OURS]  # the folders in which a file is looked for, in this order


def add_root(folder: Path) -> None:
    """Look for files in this folder, too, after our own ones."""
    if folder not in _ROOTS:
        _ROOTS.append(folder)


def resources(*parts: str) -> Iterator[Path]:
    """Yield each path of this name, given by its parts, that exists; ours first."""
    for root in _ROOTS:
        path = root.joinpath(*parts)
        if path.exists():
            yield path


def template_text(name: str) -> tuple[str, str, None] | None:
    """Return (text, path, None) of a template, for ``jinja2.FunctionLoader``; None if it is missing."""
    path = next(resources("templates", *name.split("/")), None)
    if path is None:
        return None
    never_reloaded = None  # in the place of a function that says whether the text is up to date
    return path.read_text("utf-8"), str(path), never_reloaded


def program_folders() -> Iterator[Path]:
    """Yield the folders of all code and texts from which pages are made."""
    # of our own folders only these; a package that brings a game has all of its files in one
    yield from (_PACKAGE, _OURS / "templates", _OURS / "rules", *_ROOTS[1:])


def resource(*parts: str) -> Path:
    """Return the path of a shipped file or folder, e.g. ``resource("rules", "medieval")``.

    Raises ``FileNotFoundError``, naming what is missing, when the installation lacks it.
    """
    for path in resources(*parts):
        return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation of pbem")
