"""Where the files that ship with the program are: rules, maps, templates and examples.

In a checkout they stand at the top of the project, where a GM looks for them; a wheel carries them inside the package.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOTS = (_PACKAGE / "_data", _PACKAGE.parent)


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``resource("rules", "medieval")``.

    Raises ``FileNotFoundError``, naming what is missing, when the installation lacks it.
    """
    for root in _ROOTS:
        found = root.joinpath(*parts)
        if found.exists():
            return found
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation of gm")
