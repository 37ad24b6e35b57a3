"""Describes a pass for the inspector: how it is dispatched, and its part in the end-to-end error."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.compare.report import PassReport, Report
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import Pass, ProgramSource


def dispatch_rows(shader_pass: Pass, program: ProgramSource) -> Iterator[tuple[str, str]]:
    """Yields label and text: work groups and their size, buffers, images; nothing for a drawn pass."""
    if shader_pass.dispatch is None:
        return
    groups, size = shader_pass.dispatch.groups, local_size(program.fragment)
    yield "dispatch", f"{_times(groups)} work group{'s' * (groups != (1, 1, 1))}"
    yield "local size", _times(size) if size is not None else "not in plain numbers"
    if shader_pass.dispatch.buffers:
        yield "buffers", ", ".join(_bound(one.block, one.key, one.starts_as) for one in shader_pass.dispatch.buffers)
    if shader_pass.dispatch.images:
        images = (
            _bound(one.uniform, one.key, one.starts_as) + (f" {_times(one.size)}" if one.size else "")
            for one in shader_pass.dispatch.images
        )
        yield "images", ", ".join(images)


def _bound(name: str, key: str, start: str) -> str:
    return f"{name}: {key}" + (f" from {start}" if start else "")


def _times(numbers: tuple[int, ...]) -> str:
    return " × ".join(map(str, numbers))


def jump_line(report: Report, each: PassReport) -> str:
    """Returns the line for one pass; empty for a pass without a part in the error, or whose verdict says it already."""
    whole = report.end_to_end
    if whole is None or whole.jump is None or each.verdict != "match":
        return ""
    if each.name == whole.jump.name:
        found = whole.jump
        share = f" It accounts for {found.explained:.0%} of the outputs' error." if found.explained is not None else ""
        return f"The end-to-end error jumps here. {found.evidence}{share if found.cause != 'unexplained' else ''}"
    return whole.message if report.passes and each.name == report.passes[-1].name else ""
