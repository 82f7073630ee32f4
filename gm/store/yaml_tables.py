"""The YAML files that a GM edits by hand, read into values; whatever does not fit is shown with its line."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from gm.core.values import Value
from gm.core.yaml.models import DATA_SIZE_LIMIT, value_at
from gm.core.yaml.source import plain_data, read_yaml
from gm.store import BrokenFolderError
from gm.store.formats import Format

ModelT = TypeVar("ModelT", bound=Value)


def read_table(path: Path, form: Format, model: type[ModelT]) -> ModelT:
    """One file of the game folder as a value.

    Raises ``StoreError`` when it is missing, no such file or a newer gm's, and ``SourceError`` with places.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BrokenFolderError(f"{path} is missing. Put it back from a copy of the game.") from None
    except OSError as error:
        raise BrokenFolderError(f"{path} cannot be read: {error.strerror}.") from None
    return table_of(data, path, form, model)


def table_of(data: bytes, path: Path, form: Format, model: type[ModelT]) -> ModelT:
    """The same of a file's content, also before it is written. Raises ``StoreError`` and ``SourceError``."""
    node = read_yaml(data, str(path), size_limit=DATA_SIZE_LIMIT)
    return value_at(node, form.current(plain_data(node), str(path)), model)
