"""Tables of cases.yaml: the first row of each names the arguments of its test."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

TABLES = YAML(typ="safe").load(Path(__file__).with_name("cases.yaml"))


def cases(table: str) -> pytest.MarkDecorator:
    """The rows of a table as cases of a test."""
    names, *rows = TABLES[table]
    return pytest.mark.parametrize(names, rows, ids=[repr(row[0])[:60] for row in rows])
