"""A stream that names whose words follow."""

import io
from typing import TextIO


class HeadedStream(io.TextIOBase):
    """A stream that says whose words follow before the first of them."""

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
