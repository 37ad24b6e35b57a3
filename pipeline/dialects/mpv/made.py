"""The plan of an mpv user shader, and beside it which block became which pass."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.blocks import Compute, HookParameter
from texelscope.pipeline.dialects.mpv.pictures import StoredPicture
from texelscope.pipeline.dialects.mpv.prelude import Bound
from texelscope.pipeline.plan import Plan


@dataclass(frozen=True)
class MadeBlock:
    """A block as it became a pass: its text, which begins on `line` of `file`, what it reads, and what it makes.

    `is_own` says that this program supplies it, as mpv's renderer does.
    """

    target: StoredPicture
    file: str
    line: int
    text: str
    bound: tuple[Bound, ...]
    compute: Compute | None = None
    description: str = ""
    is_own: bool = False


@dataclass(frozen=True)
class ShaderPlan(Plan):
    """A plan that remembers its blocks, in the order of the passes, and the file's parameters."""

    blocks: tuple[MadeBlock, ...] = ()
    parameters: tuple[HookParameter, ...] = ()
