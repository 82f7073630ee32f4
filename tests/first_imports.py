"""A module of gm that is first imported while a test has replaced a function keeps the replacement.

It took it by name: ``monkeypatch`` puts the function back where it was replaced, and nowhere else, so that
every later test of the process meets what only one was to meet.
"""

import sys
from types import ModuleType


def modules_of_gm() -> dict[str, ModuleType]:
    """Return the modules of gm that are imported so far, by name."""
    return {name: module for name, module in sys.modules.items() if name.startswith("gm.")}


def replacements(modules: dict[str, ModuleType]) -> list[str]:
    """Return what in these modules was made by a test, as ``module.name``."""
    return [
        f"{module_name}.{name}"
        for module_name, module in modules.items()
        for name, value in vars(module).items()
        if str(getattr(value, "__module__", "")).startswith("tests.")
    ]


class FirstImports:
    """Looks at the modules that each test imports first."""

    def __init__(self) -> None:
        self._known = set[str]()
        self._loaded = (0, "")

    def check(self) -> None:
        """Raise ``AssertionError`` if a module that is new since the last call holds what a test made."""
        loaded = (len(sys.modules), next(reversed(sys.modules)))
        if loaded == self._loaded:
            return  # what is imported comes last
        self._loaded = loaded
        modules = modules_of_gm()
        new = {name: module for name, module in modules.items() if name not in self._known}
        self._known |= new.keys()
        kept = replacements(new)
        assert not kept, f"import before replacing, for this stays replaced in later tests: {', '.join(kept)}"
