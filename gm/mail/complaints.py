"""What cron was told already: the same complaint is made once, and again when it went away and came back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gm.mail.game_mail import MAIL
from gm.store.disk import make_folder, write_file

FILE = "complaints.json"
"""In the folder of the game's post: the complaints of the last run."""


def new_complaints(game: Path, says: Sequence[str]) -> list[str]:
    """Those of a run's complaints that the run before did not make; they are kept for the next one. It asks for nothing
    but a folder: a game that cannot be opened is complained of once, too. Where nothing can be written, everything
    counts as new."""
    path = game / MAIL / FILE
    known = _known(path)
    if sorted(set(says)) != sorted(known):
        with suppress(OSError):
            make_folder(path.parent)
            write_file(path, json.dumps(sorted(set(says)), ensure_ascii=False, indent=1).encode())
    return [each for each in dict.fromkeys(says) if each not in known]


def _known(path: Path) -> list[str]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return []
    return [str(each) for each in found] if isinstance(found, list) else []
