"""E-mail addresses on command lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Address(click.ParamType[str]):
    """One e-mail address, as it is written to."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from gm.core.addresses import checked_address

        if not str(value).strip():
            return ""
        try:
            return checked_address(str(value))
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


ADDRESS = Address()


def emails_option(help_: str, *, required: bool = False) -> Callable[[F], F]:
    """``--email ADDRESS``, again for each further address of the same player."""
    return click.option("--email", "emails", multiple=True, type=ADDRESS, required=required, help=help_)


def as_entry(addresses: Iterable[str]) -> Any:
    """Addresses as they stand in ``players.yaml``: one as a text, several as a list."""
    found = list(dict.fromkeys(each for each in addresses if each))
    return found if len(found) > 1 else "".join(found)
