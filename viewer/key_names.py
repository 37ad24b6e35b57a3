"""Names keys as the keyboards of this system do: what is Ctrl and Alt elsewhere is Cmd and Option on a Mac."""

from __future__ import annotations

import re
import sys

_ON_A_MAC = {"Ctrl": "Cmd", "Alt": "Option"}
_MODIFIER = re.compile(r"\b(Ctrl|Alt)(?=\+)")


def is_mac() -> bool:
    """Returns whether Cmd takes the place of Ctrl in chords, and the arrows with Option move by words."""
    return sys.platform == "darwin"


def with_keys(text: str) -> str:
    """Returns a text for a person with the chords in it named as on this system: `Ctrl+S`, or `Cmd+S`."""
    return _MODIFIER.sub(lambda found: _ON_A_MAC[found[0]], text) if is_mac() else text
