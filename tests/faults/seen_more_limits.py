"""Bugs that the diagnosis does not name yet: known limits, by the name of the planted bug.

They show as wrong values like all others. The bars for what the first findings name do not count them; one that comes
to be named leaves the list.
"""

from __future__ import annotations

NOT_YET_NAMED: tuple[str, ...] = ()

# Bugs without a cause that are given one.
NAMED_WRONG: tuple[str, ...] = ()
