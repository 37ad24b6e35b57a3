"""Holds the state of the debugger's tables: opened rows, the chosen call, and the shown origin."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.trace.provenance import ProvenanceLink


# The type in front of a declaration's name.
_DECLARES = re.compile(r"(?:(?:const|highp|mediump|lowp)\s+)*[A-Za-z_]\w*\s+(?=[A-Za-z_]\w*(?:\[[^\]]*\])?\s*=)")


@dataclass(frozen=True)
class Origin:
    """The assignments behind `what`, a variable's name or a read's text, in step `step`; or why there are none."""

    what: str
    step: int
    links: tuple[ProvenanceLink, ...] = ()
    problem: str = ""


@dataclass
class Looking:
    """The state of the tables. `lit` is the read under the mouse: a texture's key, a texel, and the frame's number.

    `draft` is the watch being typed. `texts` has the tables' texts by row, for tests from outside. `brought` is the
    fragment (pass and element) whose tables were brought to the front. `origin` is new until it was scrolled into view.
    """

    opened: set[str] = field(default_factory=set)
    call: int | None = None
    origin: Origin | None = None
    is_new: bool = False
    lit: tuple[str, tuple[int, int], int] | None = None
    draft: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    brought: tuple[str, int] | None = None
    brought_sum: tuple[str, int] | None = None

    def open_or_close(self, name: str) -> None:
        """Shows the parts of a row, or hides them."""
        self.opened.symmetric_difference_update({name})

    def light(self, key: str, texel: tuple[int, int], frame: int) -> None:
        """Records the read under the mouse, in the frame of that number."""
        self.lit = (key, texel, frame)

    def lit_at(self, frame: int) -> tuple[str, tuple[int, int]] | None:
        """Returns texture key and texel of the read under the mouse.

        A panel that is drawn before the list of reads gets it a frame later.
        """
        return self.lit[:2] if self.lit is not None and frame - self.lit[2] <= 1 else None

    def explain(self, origin: Origin | None) -> None:
        """Shows where something came from."""
        self.origin, self.is_new = origin, origin is not None


def statement(link: ProvenanceLink) -> str:
    """Returns the statement of a link without a declared type; the name of what was given."""
    declares = _DECLARES.match(link.text)
    return (link.text[declares.end() :] if declares is not None else link.text) or link.name
