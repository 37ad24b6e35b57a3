"""How a compute pass is dispatched, in words for the inspector."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import Pass, ProgramSource


def dispatch_rows(each: Pass, program: ProgramSource) -> Iterator[tuple[str, str]]:
    """Label and text: work groups and their size, what is behind the blocks, the images; none for a drawn pass."""
    if each.dispatch is None:
        return
    groups, size = each.dispatch.groups, local_size(program.fragment)
    yield "dispatch", f"{_times(groups)} work group{'s' * (groups != (1, 1, 1))}"
    yield "local size", _times(size) if size is not None else "not in plain numbers"
    if each.dispatch.buffers:
        yield "buffers", ", ".join(_bound(one.block, one.key, one.starts_as) for one in each.dispatch.buffers)
    if each.dispatch.images:
        images = (
            _bound(one.uniform, one.key, one.starts_as) + (f" {_times(one.size)}" if one.size else "")
            for one in each.dispatch.images
        )
        yield "images", ", ".join(images)


def _bound(name: str, key: str, start: str) -> str:
    return f"{name}: {key}" + (f" from {start}" if start else "")


def _times(numbers: tuple[int, ...]) -> str:
    return " × ".join(map(str, numbers))
