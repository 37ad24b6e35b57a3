"""Interventions for a wrong compute pass: barriers, other work groups, double writes. GL thread only."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.barriers import with_barriers
from texelscope.pipeline.diagnose.evidence.evidence import Redrawn
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.program import compiled_dispatch
from texelscope.pipeline.gl.state import drawing_state
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.read_trace.recorder import ReadRecorder

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Texels = NDArray[np.float32]
Groups = tuple[int, int, int]


def dispatched_again(
    session: Session,
    shader_pass: Pass,
    program: ProgramSource,
    recorder: ReadRecorder,
    interventions: dict[str, Redrawn],
) -> Generator[None, None, dict[str, Any]]:
    """Adds `barriers` and `other_size` to `interventions`, step by step, and returns facts.

    `barrier` says where a single barrier has the effect of all (its neighbour, and the line), `other_size` names
    another work group size, `races` lists which invocations wrote one place twice. The session's state is restored.
    """
    assert shader_pass.dispatch is not None
    facts: dict[str, Any] = {}
    groups = shader_pass.dispatch.groups

    def run(name: str, source: ProgramSource, dispatch: Groups) -> Texels | None:
        try:
            return _dispatch(session, shader_pass, source, dispatch)
        except TexelscopeError as error:
            facts[f"not {name}"] = str(error)
            return None

    barriers = with_barriers(program)
    everywhere = run("barriers", barriers.every, groups) if barriers is not None else None
    yield
    if barriers is not None and everywhere is not None:
        interventions["barriers"] = _whole(everywhere)
        now = session.texels(shader_pass.output)
        for source, says, line in barriers.single if not np.array_equal(everywhere, now, equal_nan=True) else ():
            alone = run("barrier", source, groups)
            yield
            if alone is not None and np.array_equal(alone, everywhere, equal_nan=True):
                facts["barrier"] = (says, line)
                break
    other = _other_size(program, groups)
    if other is not None and (made := run("other_size", other[0], other[1])) is not None:
        interventions["other_size"] = _whole(made)
        facts["other_size"] = other[2]
    yield
    try:
        facts["races"] = tuple(recorder.races(shader_pass))
    except TexelscopeError as error:
        facts["not races"] = str(error)
    yield
    return facts


def _whole(texels: Texels) -> Redrawn:
    return Redrawn(texels, slice(0, texels.shape[0]))


def _dispatch(session: Session, shader_pass: Pass, source: ProgramSource, groups: Groups) -> Texels:
    """Returns the output of that program; the outputs' content is restored."""
    held = {key: session.texture(key).read(alignment=1) for key in shader_pass.outputs}
    shader = compiled_dispatch(session.context, source.fragment, f"pass '{shader_pass.name}'")
    try:
        with drawing_state(session.context):
            session.bind(shader_pass, shader)
            shader.run(*groups)
            session.context.memory_barrier()
        return session.texels(shader_pass.output)
    finally:
        shader.release()
        for key, data in held.items():
            session.texture(key).write(data, alignment=1)


def _other_size(program: ProgramSource, groups: Groups) -> tuple[ProgramSource, Groups, str] | None:
    """Returns the program in work groups of half the size along their longest side, and twice as many."""
    size = local_size(program.fragment)
    if size is None or max(size) < 2:
        return None
    axis = int(np.argmax(size))
    smaller = [length // 2 if number == axis else length for number, length in enumerate(size)]
    pattern = re.compile(rf"(\blocal_size_{'xyz'[axis]}\s{{0,9}}=\s{{0,9}})[^,()]{{1,99}}(?=[,)])")
    text, count = pattern.subn(rf"\g<1>{smaller[axis]}", program.fragment, count=1)
    if count != 1:
        return None
    x, y, z = (
        math.ceil(length * own / now) for length, own, now in zip(groups, size, smaller, strict=True)
    )  # fmt: skip
    return dataclasses.replace(program, fragment=text), (x, y, z), " x ".join(map(str, smaller))
