"""Runs a repair of a pass beside the session, to show what it gives before anybody applies it. GL thread."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.text.patch import applied


@dataclasses.dataclass(frozen=True)
class RepairedRun:
    """Holds what a repaired pass gave: its outputs by key, float32 in their logical shapes, and its program."""

    tensors: dict[str, NDArray[np.float32]]
    program: ProgramSource


def run_repaired(session: Session, name: str, repair: Repair) -> RepairedRun:
    """Runs the pass called `name` with a repair, on the inputs that it has, into textures of its own storage.

    The session stays as it is. Raises TexelscopeError for a repair of the pipeline file, and if the pass cannot run.
    """
    shader_pass = session.plan.pass_called(name)
    before = session.program_source(shader_pass.name)
    program = applied(before, repair.edits)
    if program.fragment == before.fragment:
        raise TexelscopeError(
            f"pass '{shader_pass.name}'",
            "a repair of its shader's text",
            f"one of {repair.file}",
            "Change that line and save the file to see what it gives.",
        )
    # The search for repairs ran this text on this driver.
    harness = Harness(session, shader_pass, is_rehearsed=False)
    try:
        scratch = harness.scratch
        scratch.replace_program(shader_pass.name, program)
        if not scratch.run_pass(shader_pass.name):
            raise TexelscopeError(
                f"pass '{shader_pass.name}'", "a repair that runs", "one that did not", "Apply it to see why."
            )
        return RepairedRun({key: scratch.tensor(key) for key in shader_pass.outputs}, program)
    finally:
        harness.release()
