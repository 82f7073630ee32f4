"""The game folder, read and written nowhere else, and its errors: a sentence each with advice."""


class StoreError(Exception):
    """A problem of the game folder that the GM can put right. Its text is one sentence for them."""


class NoGameFolderError(StoreError):
    """A folder holds no game, nor does any folder above it."""


class NewerFormatError(StoreError):
    """A file was written by a newer program than this one."""


class BrokenFolderError(StoreError):
    """A file of the folder is missing, cannot be read, or has wrong content."""


class FolderBusyError(StoreError):
    """Another run is changing this game at this moment."""
