"""The files that ship with the program: rules, maps, templates and examples.

In a checkout they are at the top of the project, where a GM looks for them; a wheel has them inside the
package. A package that brings a game of its own has its files in folders of the same names.
"""

from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_OURS = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _PACKAGE.parent
_ROOTS = [_OURS]


def add_root(folder: Path) -> None:
    """Also search for files below this folder, after our own."""
    if folder not in _ROOTS:
        _ROOTS.append(folder)


def resources(*parts: str) -> Iterator[Path]:
    """Yield each path with this name that exists, ours first."""
    for root in _ROOTS:
        path = root.joinpath(*parts)
        if path.exists():
            yield path


def template_text(name: str) -> tuple[str, str, None] | None:
    """Return the text of a template and its path, for a Jinja2 loader.

    None if there is none of this name.
    """
    path = next(iter(resources("templates", *name.split("/"))), None)
    if path is None:
        return None
    return path.read_text("utf-8"), str(path), None


def program_folders() -> Iterator[Path]:
    """Yield the folders of all code and texts from which pages are made."""
    yield from (_PACKAGE, _OURS / "templates", _OURS / "rules", *_ROOTS[1:])


def resource(*parts: str) -> Path:
    """Return the path of a shipped file or folder, e.g. ``resource("rules", "medieval")``.

    Raises ``FileNotFoundError``, naming what is missing, when the installation lacks it.
    """
    for paths in resources(*parts):
        return paths
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation of pbem")
