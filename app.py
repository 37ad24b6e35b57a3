"""Texelscope from a checkout, `python app.py`; installed, the same is the command `texelscope`."""

from __future__ import annotations

import sys
from pathlib import Path


def run() -> int:
    """The command line's exit code; 130 where Ctrl+C comes while the program is still being read."""
    if sys.flags.isolated:  # `python -I` looks for nothing beside the script
        sys.path.insert(0, str(Path(__file__).resolve().parent))
    try:
        from texelscope.command_line import main
    except KeyboardInterrupt:
        return 130
    return main()


if __name__ == "__main__":
    sys.exit(run())
