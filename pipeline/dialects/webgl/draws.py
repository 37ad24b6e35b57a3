"""Says which draws of a recording can be passes, and of the others in words why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texelscope.pipeline.dialects.webgl.geometry import Triangle, triangle_of
from texelscope.pipeline.dialects.webgl.manifest import Draw, RecordedProgram, WebglRecording
from texelscope.pipeline.dialects.webgl.programs import Programs
from texelscope.pipeline.dialects.webgl.textures import unfit_to_read, unfit_to_write

_FILTERS, _WRAPS = ("nearest", "linear"), ("clamp_to_edge", "repeat")
# Draws that a line names one by one.
_NAMED = 6


@dataclass(frozen=True)
class RunnableDraw:
    """A draw that is a pass, with its name and the triangle that stands for its vertices."""

    name: str
    draw: Draw
    triangle: Triangle


@dataclass(frozen=True)
class RefusedDraw:
    """A draw that is no pass, with its name, and in words why."""

    name: str
    reason: str


def fit(recording: WebglRecording, programs: Programs) -> tuple[tuple[RunnableDraw, ...], tuple[RefusedDraw, ...]]:
    """Returns the draws that are passes, in order, and the others.

    Raises TexelscopeError for a text that is missing or too long.
    """
    digits = len(str(len(recording.draws) - 1))
    runnable, refused = [], []
    for position, draw in enumerate(recording.draws):
        name = f"draw{position:0{digits}d}"
        reason = next(_reasons(recording, draw), "")
        triangle = triangle_of(draw)
        if not reason and isinstance(triangle, str):
            reason = triangle
        if not reason and isinstance(triangle, Triangle):
            reason = _of_vertices(programs, draw, triangle)
        if reason or isinstance(triangle, str):
            refused.append(RefusedDraw(name, reason))
        else:
            runnable.append(RunnableDraw(name, draw, triangle))
    return tuple(runnable), tuple(refused)


def _of_vertices(programs: Programs, draw: Draw, triangle: Triangle) -> str:
    try:
        programs.source(draw, triangle)
    except ValueError as error:
        return str(error)
    return ""


def _reasons(recording: WebglRecording, draw: Draw) -> Iterator[str]:
    """Yields in words what of a draw a pass does not have."""
    program: RecordedProgram = recording.programs[draw.program]
    if draw.state:
        yield f"it uses {', '.join(draw.state)}"
    if program.fragment is None or program.vertex is None:
        yield "its program has no text: it was linked before the recording began"
    if not draw.outputs or sorted(draw.outputs) != list(range(len(draw.outputs))):
        yield "it writes no color attachment, or not the first ones"
    sizes = {(recording.textures[each].width, recording.textures[each].height) for each in draw.outputs.values()}
    if len(sizes) > 1:
        yield "its color attachments have several sizes"
    for number in draw.outputs.values():
        yield from filter(None, [unfit_to_write(recording.textures[number])])
    if draw.unwritten:
        yield f"it leaves {draw.unwritten} texels of its target as they were"
    for sampler in draw.samplers:
        if sampler.texture is None:
            yield f"'{sampler.uniform}' reads {sampler.unfit}"
            continue
        yield from filter(None, [unfit_to_read(recording.textures[sampler.texture])])
        if not sampler.filters or not all(each in _FILTERS for each in sampler.filters):
            yield f"'{sampler.uniform}' is filtered by {', '.join(sampler.filters)}"
        if not sampler.wraps or not all(each in _WRAPS for each in sampler.wraps) or len({*sampler.wraps}) > 1:
            yield f"'{sampler.uniform}' wraps by {', '.join(sampler.wraps)}"


def not_run_lines(refused: Iterable[RefusedDraw]) -> tuple[str, ...]:
    """Returns one line for each reason, with the draws that it holds of."""
    by_reason: dict[str, list[str]] = {}
    for each in refused:
        by_reason.setdefault(each.reason, []).append(each.name)
    return tuple(
        f"{_listed(names)} {'is' if len(names) == 1 else 'are'} not run here, and what was written is taken as "
        f"recorded: {reason}."
        for reason, names in by_reason.items()
    )


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
