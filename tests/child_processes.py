"""Lists the processes that this one has begun, for tests of what is left behind."""

from __future__ import annotations

import psutil


def children() -> set[int]:
    """Returns the numbers of the processes of this one, ended ones too that nobody waited for.

    Those of earlier tests may be among them: what rehearses shaders is kept for a while.
    """
    return {each.pid for each in psutil.Process().children()}
