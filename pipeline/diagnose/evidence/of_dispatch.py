"""What is tried with a wrong compute pass: barriers, other work groups, who writes one place twice. GL thread only."""

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
    session: Session, each: Pass, program: ProgramSource, recorder: ReadRecorder, redrawn: dict[str, Redrawn]
) -> Generator[None, None, dict[str, Any]]:
    """Step by step, into `redrawn`: `barriers` and `other_size`. Returns facts.

    `barrier` is where one barrier alone makes the same as all of them (what it stands by, and the line), `other_size` a
    work group of another size, `races` who wrote one place twice. What the session holds is as before.
    """
    assert each.dispatch is not None
    facts: dict[str, Any] = {}
    groups = each.dispatch.groups

    def run(name: str, source: ProgramSource, dispatch: Groups) -> Texels | None:
        try:
            return _dispatch(session, each, source, dispatch)
        except TexelscopeError as error:
            facts[f"not {name}"] = str(error)
            return None

    barriers = with_barriers(program)
    everywhere = run("barriers", barriers.every, groups) if barriers is not None else None
    yield
    if barriers is not None and everywhere is not None:
        redrawn["barriers"] = _whole(everywhere)
        now = session.texels(each.output)
        for source, says, line in barriers.single if not np.array_equal(everywhere, now, equal_nan=True) else ():
            alone = run("barrier", source, groups)
            yield
            if alone is not None and np.array_equal(alone, everywhere, equal_nan=True):
                facts["barrier"] = (says, line)
                break
    other = _other_size(program, groups)
    if other is not None and (made := run("other_size", other[0], other[1])) is not None:
        redrawn["other_size"] = _whole(made)
        facts["other_size"] = other[2]
    yield
    try:
        facts["races"] = tuple(recorder.races(each))
    except TexelscopeError as error:
        facts["not races"] = str(error)
    yield
    return facts


def _whole(texels: Texels) -> Redrawn:
    return Redrawn(texels, slice(0, texels.shape[0]))


def _dispatch(session: Session, each: Pass, source: ProgramSource, groups: Groups) -> Texels:
    """The output as that program makes it; what the outputs hold is as before."""
    held = {key: session.texture(key).read(alignment=1) for key in each.outputs}
    shader = compiled_dispatch(session.context, source.fragment, f"pass '{each.name}'")
    try:
        with drawing_state(session.context):
            session.bind(each, shader)
            shader.run(*groups)
            session.context.memory_barrier()
        return session.texels(each.output)
    finally:
        shader.release()
        for key, data in held.items():
            session.texture(key).write(data, alignment=1)


def _other_size(program: ProgramSource, groups: Groups) -> tuple[ProgramSource, Groups, str] | None:
    """The program in work groups of half the size along their longest side, and as many more of them."""
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
