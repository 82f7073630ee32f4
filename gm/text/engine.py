"""Jinja2 for pages: the same output as its own engine, faster where pages use it most.

It is imported with the first page.
"""

import re
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.runtime import Context
from jinja2.utils import missing
from markupsafe import Markup, escape

from gm.text.languages import Translate, localised_template

_SPECIAL = re.compile("[&<>\"']")


@lru_cache(8192)  # names, words and figures stand many times in the pages of a turn
def _remembered(text: str) -> str:
    return escape(text) if _SPECIAL.search(text) else text


def escaped(value: Any) -> str:
    """Return a value escaped for a page."""
    kind = type(value)
    if kind is str:
        return _remembered(value)
    if kind is int:
        return str(value)
    return value if kind is Markup else escape(value)


class _Template(jinja2.Template):
    @classmethod
    def from_code(cls, *compiled: Any) -> jinja2.Template:
        """Return a compiled template that escapes with our function."""
        template = super().from_code(*compiled)
        template.root_render_func.__globals__["escape"] = escaped
        return template


class _Context(Context):
    def call(
        self,
        function: Callable[..., Any],
        *given: Any,
        _loop_vars: Any = None,
        _block_vars: Any = None,
        **named: Any,
    ) -> Any:
        """Call a function of a template, or a macro; none of ours asks for the context."""
        return function(*given, **named)


class Engine(jinja2.Environment):
    """The environment over some templates, translated into a language."""

    template_class = _Template
    context_class = _Context

    def __init__(self, translate: Translate, **options: Any) -> None:
        super().__init__(**options)
        self._translate = translate

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Return the source of a template, translated."""
        return source if self._translate is str else localised_template(source, name or "", self._translate)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the names that every template knows, as a dict: each part of a page copies them."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute; of a mapping, an entry comes before a method."""
        if type(obj) is not dict:
            with_attribute = getattr(obj, attribute, missing)
            if with_attribute is not missing:
                return with_attribute
        elif attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Stores compiled templates in a folder.

    ``made_by``: a fingerprint of all code and texts, on which a compiled template depends.
    """

    def __init__(self, folder: Path, language: str, made_by: str) -> None:
        super().__init__(str(folder), f"__jinja2_%s.{language}.cache")
        self._made_by = made_by

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(f"{self._made_by} {source}")

    def dump_bytecode(self, bucket: Any) -> None:
        with suppress(OSError):  # a full disk: then it is compiled again next time
            super().dump_bytecode(bucket)
