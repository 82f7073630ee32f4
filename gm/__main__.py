"""``python -m gm``: the same as the command ``pbem``."""

from gm.cli import run

if __name__ == "__main__":
    run()
