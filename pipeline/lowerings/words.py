"""A form in words: what it draws or dispatches, step by step, and what it covers."""

from __future__ import annotations

import math
import re

from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep

# Compile-time constants of a draw, as its text declares them.
_DEALT = re.compile(r"^const int (PIXELS|GROUPS) = (\d+);", re.MULTILINE)
_LOCAL = re.compile(r"local_size_([xyz]) = (\d+)")
# They stand at its beginning; unrolled loops make it long.
_BEGINNING = 4000


def backend_word(form: Lowering) -> str:
    """`dispatch` if any step is one, else `draw`."""
    return "dispatch" if any(step.kind == "compute" for step in form.steps) else "draw"


def step_words(step: LoweringStep) -> str:
    """`draw of 256 fragments, 8 pixels x 2 groups of channels each` or `dispatch of 12 work groups of 256`."""
    beginning = step.program.fragment[:_BEGINNING]
    if step.kind == "compute":
        groups = math.prod(step.size)
        threads = math.prod(int(size) for _, size in _LOCAL.findall(beginning))
        return f"dispatch of {groups:,} work group{'s' * (groups != 1)} of {threads:,} invocations"
    dealt = dict(_DEALT.findall(beginning))
    fragments = f"draw of {math.prod(step.size):,} fragments"
    if "GROUPS" not in dealt:
        return fragments
    pixels, groups = int(dealt["PIXELS"]), int(dealt["GROUPS"])
    of_channels = f"{groups} group{'s' * (groups != 1)} of channels"
    return f"{fragments}, {pixels} pixel{'s' * (pixels != 1)} x {of_channels} each"


def form_words(form: Lowering) -> str:
    """All steps in one line: `2 steps: draw of …; draw of …`; of one step alone `a draw of …`."""
    steps = "; ".join(step_words(step) for step in form.steps)
    return f"a {steps}" if len(form.steps) == 1 else f"{len(form.steps)} steps: {steps}"


def texture_words(step: LoweringStep, form: Lowering) -> str:
    """What a step of the form reads and writes: `reads x; writes y`; scratch textures are told apart."""
    scratch = {each.name for each in form.scratch}

    def named(keys: tuple[str, ...]) -> str:
        return ", ".join(f"scratch '{key}'" if key in scratch else key for key in dict.fromkeys(keys))

    reads = f"reads {named(step.textures)}" if step.textures else ""
    writes = f"writes {named(step.written)}" if step.written else ""
    return "; ".join(each for each in (reads, writes) if each)
