"""The YAML files that a GM edits by hand, read into values; whatever does not fit is shown with its line."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from gm.kernel.store.formats import Format
from gm.kernel.store.problems import BrokenFolderError
from gm.kernel.tables import load_data, value_at

ModelT = TypeVar("ModelT", bound=BaseModel)


def read_table(path: Path, form: Format, model: type[ModelT]) -> ModelT:
    """One file of the game folder as a value.

    Raises ``StoreError`` when it is missing, no such file or a newer gm's, and ``SourceError`` with places.
    """
    try:
        data, node = load_data(path)
    except FileNotFoundError:
        raise BrokenFolderError(f"{path} is missing. Put it back from a copy of the game.") from None
    except OSError as error:
        raise BrokenFolderError(f"{path} cannot be read: {error.strerror}.") from None
    return value_at(node, form.current(data, str(path)), model)
