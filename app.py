"""Texelscope from a checkout, `python app.py`; installed, the same is the command `texelscope`."""

from __future__ import annotations

import sys

from texelscope.command_line import main

if __name__ == "__main__":
    sys.exit(main())
