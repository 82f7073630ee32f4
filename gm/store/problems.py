"""What can be wrong with a game folder: one clear sentence each, and what to do about it."""

from __future__ import annotations


class StoreError(Exception):
    """Something about the game folder that the GM can put right. Its text is one sentence for him."""


class NoGameFolderError(StoreError):
    """There is no game here, nor in any folder above."""


class NewerFormatError(StoreError):
    """A file was written by a newer program than this one."""


class BrokenFolderError(StoreError):
    """A file of the folder is missing, cannot be read, or does not say what it should."""


class FolderBusyError(StoreError):
    """Another run is changing this game at this moment."""
