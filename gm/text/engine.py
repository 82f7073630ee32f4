"""Jinja2 for pages: its output is that of Jinja2's own classes, but what pages use most is faster.

The module is imported with the first page.
"""

import re
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.runtime import Context
from markupsafe import Markup, escape

from gm.text.languages import Translate
from gm.text.localised import localised_template

_SPECIAL = re.compile("[&<>\"']")


@lru_cache(8192)  # names, words and figures stand many times in the pages of a turn
def _escaped_text(text: str) -> str:
    """Return a text escaped for a page, cached."""
    return escape(text) if _SPECIAL.search(text) else text


def escaped(value: Any) -> str:
    """Return a value as text, escaped for a page; HTML that is marked as safe stays as it is."""
    kind = type(value)
    if kind is str:
        return _escaped_text(value)
    if kind is int:
        return str(value)
    return value if kind is Markup else escape(value)


class _Template(jinja2.Template):
    """A compiled template that escapes with :func:`escaped`."""

    @classmethod
    def from_code(cls, *compiled: Any) -> jinja2.Template:
        """Return the template; Jinja2 calls this with a template's code."""
        template = super().from_code(*compiled)
        # the code calls ``escape`` for each value that it writes
        template.root_render_func.__globals__["escape"] = escaped
        return template


class _Context(Context):
    """The values of a template; it calls functions without asking them whether they want the context."""

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        _loop_vars: Any = None,
        _block_vars: Any = None,
        **named: Any,
    ) -> Any:
        """Call a function or macro in a template, and return its result.

        No function of our templates wants the context, the loop's or the block's variables, which Jinja2
        would offer.
        """
        return function(*arguments, **named)


class Engine(jinja2.Environment):
    """Jinja2's environment, with templates translated by ``translate``; ``options``: those of Jinja2."""

    template_class = _Template
    context_class = _Context

    def __init__(self, translate: Translate, **options: Any) -> None:
        super().__init__(**options)
        self._translate = translate

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Return the source of a template, translated."""
        return source if self._translate is str else localised_template(source, name or "", self._translate)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the values that every template knows, by name, in a dict that is fast to copy."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute of an object; of a dict, an entry comes before a method of this name."""
        try:
            return obj[attribute] if type(obj) is dict else getattr(obj, attribute)
        except (AttributeError, KeyError):
            return super().getattr(obj, attribute)


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Stores compiled templates in a folder, in one language.

    ``made_by``: a fingerprint of all code and texts; after a change of them templates are compiled again.
    """

    def __init__(self, folder: Path, language: str, made_by: str) -> None:
        super().__init__(str(folder), f"__jinja2_%s.{language}.cache")
        self._made_by = made_by

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(f"{self._made_by} {source}")

    def dump_bytecode(self, bucket: Any) -> None:
        with suppress(OSError):  # a full disk: then it is compiled again next time
            super().dump_bytecode(bucket)
