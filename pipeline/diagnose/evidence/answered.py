"""Probes a wrong pass with designed inputs: runs it unchanged on other numbers and decodes the results. GL thread."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.interventions import Intervention, Redrawer
from texelscope.pipeline.diagnose.probes.asking import REFUSALS, Draw, Textures, ask
from texelscope.pipeline.diagnose.probes.designs import ProbeAnswers
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.textures import write_own
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.planning.storage import DTYPES

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# A part of the target that takes longer is not probed, since it would run many times.
ASKED_MS = 6.0
# A part whose draw turns out slower is not probed; nor is a dispatch, which runs as a whole.
_DRAW_SECONDS, _DISPATCH_SECONDS = 0.3, 0.05
# A busy machine may be slow once.
_TRIES = 2


def answered(
    session: Session, plan: Plan, shader_pass: Pass, whole: Redrawer, rows: slice, wrong: NDArray[np.bool_]
) -> Generator[None, None, ProbeAnswers | None]:
    """Probes `rows` of the target, step by step; returns None if the driver refuses, or without a model of the pass."""
    redrawer = whole.of_rows(rows)

    def draw(textures: Textures) -> NDArray[np.float32]:
        return redrawer.draw(Intervention(inputs=textures)).texels

    try:
        return (
            (yield from ask(session, plan, shader_pass, rows, wrong, draw)) if _is_quick(draw, _DRAW_SECONDS) else None
        )
    except REFUSALS:
        return None


def answered_by_dispatch(
    session: Session, plan: Plan, shader_pass: Pass, wrong: NDArray[np.bool_]
) -> Generator[None, None, ProbeAnswers | None]:
    """Probes a compute pass as a whole, in its own textures, which are restored after each step."""
    rows = slice(0, session.plan.textures[shader_pass.output].texture_shape[0])

    def draw(textures: Textures) -> NDArray[np.float32]:
        held = {key: session.texture(key).read(alignment=1) for key in (*textures, *shader_pass.outputs)}
        try:
            for key, texture in textures.items():
                values = np.frombuffer(texture.read(alignment=1), dtype=np.float32)
                stored = session.plan.textures[key]
                lanes = values.reshape(*stored.texture_shape, stored.layout.lanes)
                write_own(session.texture(key), stored, lanes.astype(DTYPES[stored.storage]))
            if not session.run_pass(shader_pass.name):
                raise UnsupportedError(
                    f"pass '{shader_pass.name}'", "a pass that runs", "one that does not", "Run it first."
                )
            return session.texels(shader_pass.output)
        finally:
            for key, data in held.items():
                session.texture(key).write(data, alignment=1)

    try:
        return (
            (yield from ask(session, plan, shader_pass, rows, wrong, draw))
            if _is_quick(draw, _DISPATCH_SECONDS)
            else None
        )
    except REFUSALS:
        return None


def _is_quick(draw: Draw, seconds: float) -> bool:
    """Whether a draw takes less time; one with an endless loop takes seconds."""
    for _ in range(_TRIES):
        start = time.perf_counter()
        draw({})
        if time.perf_counter() - start < seconds:
            return True
    return False
