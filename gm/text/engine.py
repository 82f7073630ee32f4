"""Jinja2 as pages use it: the same text that it makes of any template, with less ado where a page asks it most.

It is imported with the first page.
"""

import re
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

_SPECIAL = re.compile("[&<>\"']")


@lru_cache(8192)  # names, words and figures stand many times in the pages of a turn
def _remembered(text: str) -> str:
    return escape(text) if _SPECIAL.search(text) else text


def escaped(value: Any) -> str:
    """Return what stands in a page for a value."""
    kind = type(value)
    if kind is str:
        return _remembered(value)
    if kind is int:
        return str(value)
    return value if kind is Markup else escape(value)


_marked = partial(str.__new__, Markup)  # of a text that is escaped


class _Macro(Macro):
    def __call__(self, *args: Any, **named: Any) -> Any:
        """The macro's text; what it is given in order goes to it as it is."""
        if named or len(args) != self._argument_count or self.caller or self.catch_kwargs or self.catch_varargs:
            return super().__call__(*args, **named)
        text = self._func(*args)
        return _marked(text) if self._default_autoescape else text


class _Template(jinja2.Template):
    @classmethod
    def from_code(cls, *compiled: Any) -> jinja2.Template:
        """Return a template as it is compiled, with our way to escape."""
        made = super().from_code(*compiled)
        ours = {"escape": escaped, "remembered": _remembered, "Macro": _Macro, "Markup": _marked}
        made.root_render_func.__globals__.update(ours)
        return made


def _plain(filter_: Callable[..., Any]) -> Callable[..., Any]:
    return filter_.__wrapped__ if hasattr(filter_, "jinja_async_variant") else filter_  # type: ignore[attr-defined]


class Engine(jinja2.Environment):
    """The environment over some templates: ``prepared`` makes of a source and its name what is compiled."""

    template_class = _Template

    def __init__(self, prepared: Callable[[str, str], str], **options: Any) -> None:
        super().__init__(**options)
        self._prepared = prepared
        # nothing here is awaited: filters need not look whether they are to wait
        self.filters = {name: _plain(each) for name, each in self.filters.items()}

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        return self._prepared(source, name or "")

    def _compile(self, source: str, filename: str) -> CodeType:
        from gm.text.compiled import quickened

        return super()._compile(quickened(source), filename)  # type: ignore[arg-type] # it takes what Python takes

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what every template knows: a dict, of which each import asks for the names."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Of a mapping an entry comes before a method: looking for an attribute that is not there takes long."""
        if type(obj) is not dict:
            with_attribute = getattr(obj, attribute, missing)
            if with_attribute is not missing:
                return with_attribute
        elif attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return the other way round: what filters ask a record for is an attribute, and it has no entries."""
        if type(argument) is not str or type(obj) is dict:
            return super().getitem(obj, argument)
        found = getattr(obj, argument, missing)
        return super().getattr(obj, argument) if found is missing else found


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Keeps compiled templates in a folder.

    ``made_by``: a fingerprint of all code and texts, on which it hangs what is done to a source when it is
    compiled.
    """

    def __init__(self, folder: Path, language: str, made_by: str) -> None:
        super().__init__(str(folder), f"__jinja2_%s.{language}.cache")
        self._made_by = made_by

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(f"{self._made_by} {source}")

    def dump_bytecode(self, bucket: Any) -> None:
        with suppress(OSError):  # a full disk: then it is compiled again next time
            super().dump_bytecode(bucket)
