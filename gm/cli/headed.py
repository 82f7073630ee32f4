"""A stream that prints a heading before its first text."""

import io
from typing import TextIO


class HeadedStream(io.TextIOBase):
    """A stream that prints the name of what follows before the first text."""

    def __init__(self, stream: TextIO, heading: list[str]) -> None:
        self._stream = stream
        self._heading = heading

    def write(self, text: str) -> int:
        while text and self._heading:
            self._stream.write(f"{self._heading.pop()}\n")
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()
