"""A replaced function that a module keeps is found, and named."""

import sys
from types import ModuleType

import pytest

from tests.first_imports import FirstImports


def test_a_module_that_keeps_what_a_test_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    first_imports = FirstImports()
    first_imports.check()
    module = ModuleType("gm.cli.new_here")
    module.utc_now = lambda: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.raises(AssertionError, match=r"gm\.cli\.new_here\.utc_now"):
        first_imports.check()
    first_imports.check()
