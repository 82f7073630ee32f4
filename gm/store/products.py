"""Files in a game folder that are no part of the game: those that commands write there for people.

An export leaves them out, so that no archive holds the ones before it; they can be made again.
"""

import re
import zipfile
from pathlib import Path

ARCHIVE_LIST = "archive.json"
"""The name of the first entry of every archive of a game."""
SIMULATION_FILE = "simulation.json"
"""The file in a simulation's folder that says what is simulated."""
_PAGES = re.compile(
    r"(?:history|epilogue|league)(?:-\w+)?\.(?:html|json|gif|webp)\Z|.*\.(?:svg|png|gif|webp|graphml)\Z"
)
_GAME_FILE = "game.yaml"


def is_product(path: Path) -> bool:
    """Return whether an entry at the top of a game folder is an archive, simulation, page or picture."""
    if path.is_symlink():
        return False
    if path.is_dir():
        return is_public(path)
    return bool(_PAGES.match(path.name)) or _is_archive(path)


def is_public(folder: Path) -> bool:
    """Return whether a folder is a simulation: it holds no secret, and everybody may read it."""
    return (folder / SIMULATION_FILE).is_file()


def _is_archive(path: Path) -> bool:
    """Return whether a file is an export of a game, whatever it is called."""
    if not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()[:1] == [ARCHIVE_LIST]
    except (OSError, zipfile.BadZipFile):
        return False


def is_in_game(path: Path) -> bool:
    """Return whether a path is inside the folder of a game, whose files only the game master may read."""
    return any((folder / _GAME_FILE).is_file() for folder in path.absolute().parents)
