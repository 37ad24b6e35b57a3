"""Finds the unexpected reads that matter: others are read without effect.

A shader may read a whole texel and use one lane, read beyond the border and multiply by zero, or compute lanes that are
padding. The shader itself shows whether such a read is wrong: the unexpected lanes are set to absurd values, high and
then low, and the one output texel is drawn again. Lanes that change nothing are idle. Groups that change something are
halved until the lanes responsible are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.plan import Pass, Storage, StoredTensor
from texelscope.pipeline.planning.storage import DTYPES

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

Lane = tuple[int, int, int]  # tx, ty, lane
# Beyond this many draws, or lanes, every lane not known to be idle counts as mattering; so do all of a group of more
# than `_TOLD_APART` that changes something.
_MOST_DRAWS = 48
MOST_LANES = 4096
_TOLD_APART = 256
# Every storage holds these, far from what a network computes.
_ABSURD: dict[Storage, tuple[float, float]] = {
    "float32": (1e4, -1e4), "float16": (1e4, -1e4), "uint8": (255, 0), "rgb10_a2": (1, 0), "r11g11b10": (8192, 0),
}  # fmt: skip


class LaneRedraw(Protocol):
    """Computes some lanes of one output texel once more."""

    def draw(self) -> NDArray[np.float32]:
        """Returns those lanes."""


class OneDispatch:
    """Dispatches a compute pass repeatedly, for some lanes of one texel; a context manager.

    Leaving it restores its outputs.
    """

    def __init__(self, session: Session, shader_pass: Pass, lanes: Sequence[Lane]) -> None:
        self._session = session
        self._pass = shader_pass
        self._lanes = lanes
        self._held: dict[str, bytes] = {}

    def __enter__(self) -> OneDispatch:
        session = self._session
        self._held = {key: session.texture(key).read(alignment=1) for key in self._pass.outputs}
        return self

    def __exit__(self, *exception: object) -> None:
        for key, data in self._held.items():
            self._session.texture(key).write(data, alignment=1)

    def draw(self) -> NDArray[np.float32]:
        """Returns those lanes."""
        self._session.run_pass(self._pass.name)
        texels = self._session.texels(self._pass.output)
        return np.array([texels[ty, tx, lane] for tx, ty, lane in self._lanes], dtype=np.float32)


class OneTexel:
    """Draws one output texel of a pass repeatedly, into separate targets; a context manager."""

    def __init__(
        self,
        session: Session,
        shader_pass: Pass,
        program: moderngl.Program,
        array: moderngl.VertexArray,
        lanes: Sequence[Lane],
    ) -> None:
        """`program` writes the pass's outputs; `draw` returns `lanes`, all of one texel of the output."""
        self._session = session
        self._pass = shader_pass
        self._program = program
        self._array = array
        self._place = lanes[0][:2]
        self._lanes = [lane for _, _, lane in lanes]

    def __enter__(self) -> OneTexel:
        context = self._session.context
        self._targets = [self._session.scratch_like(key) for key in self._pass.outputs]
        self._framebuffer = context.framebuffer(self._targets)
        # A recording program wants its log, however short.
        self._log = context.buffer(reserve=64) if context.version_code >= 430 else None
        return self

    def __exit__(self, *exception: object) -> None:
        self._framebuffer.release()
        for target in self._targets:
            target.release()
        if self._log is not None:
            self._log.release()

    def draw(self) -> NDArray[np.float32]:
        """Returns those lanes."""
        tx, ty = self._place
        with pass_state(self._session.context, self._framebuffer):
            self._framebuffer.scissor = (tx, ty, 1, 1)
            self._session.bind(self._pass, self._program)
            if self._log is not None:
                self._log.bind_to_storage_buffer(0)
            self._array.render(vertices=3)
        number = self._pass.looked_at
        lanes = self._targets[number].components
        data = self._framebuffer.read((tx, ty, 1, 1), components=lanes, attachment=number, dtype="f4", alignment=1)
        return np.frombuffer(data, dtype=np.float32)[self._lanes]


def that_matter(session: Session, stored: StoredTensor, strays: Sequence[Lane], again: LaneRedraw) -> frozenset[Lane]:
    """Returns those lanes of `strays`, an input's, that the texel of `again` depends on; all where they are many.

    Zero padding beside elements is right, and never among them. Restores the input's texture.
    """
    if len(strays) > MOST_LANES:
        return frozenset(strays)
    held = _held(session, stored, sorted({(tx, ty) for tx, ty, _ in strays}))
    strays = [
        lane
        for lane in strays
        if held[lane[:2]][lane[2]] != 0 or is_element(stored, lane) or not has_element(stored, lane)
    ]
    healthy = again.draw()
    draws = 0

    def changes(group: Sequence[Lane]) -> bool:
        nonlocal draws
        for absurd in _ABSURD[stored.storage]:
            draws += 1
            _write(session.texture(stored.key), held, group, absurd)
            try:
                if not np.array_equal(again.draw(), healthy, equal_nan=True):
                    return True
            finally:
                _write(session.texture(stored.key), held, group, None)
        return False

    # Padding by itself, and first: where none of it matters, as mostly, two draws show so.
    padding = [lane for lane in strays if not is_element(stored, lane)]
    elements = [lane for lane in strays if is_element(stored, lane)]
    groups = [group for group in (padding, elements) if group]
    return frozenset(lane for group in groups for lane in _halved(group, changes, lambda: draws < _MOST_DRAWS))


def is_element(stored: StoredTensor, lane: Lane) -> bool:
    """Whether a lane holds an element."""
    return stored.layout.index_of(stored.shape, *lane) >= 0


def has_element(stored: StoredTensor, lane: Lane) -> bool:
    """Whether any lane of the texel holds an element."""
    tx, ty, _ = lane
    return any(is_element(stored, (tx, ty, each)) for each in range(stored.layout.lanes))


def _halved(group: list[Lane], changes: Callable[[Sequence[Lane]], bool], goes_on: Callable[[], bool]) -> list[Lane]:
    """Returns the members of `group` that change something."""
    if not goes_on():
        return group
    if not changes(group):
        return []
    if len(group) == 1 or len(group) > _TOLD_APART:
        return group
    middle = len(group) // 2
    parts = [_halved(part, changes, goes_on) for part in (group[:middle], group[middle:])]
    return [*parts[0], *parts[1]] or group  # some change something only together


def _held(
    session: Session, stored: StoredTensor, texels: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], NDArray[np.generic]]:
    """Returns the contents of the texels, in the texture's own type."""
    raw = np.frombuffer(session.texture(stored.key).read(alignment=1), dtype=DTYPES[stored.storage])
    height, width = stored.texture_shape
    whole = raw.reshape(height, width, stored.layout.lanes)
    return {(tx, ty): whole[ty, tx].copy() for tx, ty in texels}


def _write(
    texture: moderngl.Texture,
    held: dict[tuple[int, int], NDArray[np.generic]],
    group: Sequence[Lane],
    absurd: float | None,
) -> None:
    """Writes `absurd` into the lanes of `group`, or restores them."""
    changed = {(tx, ty): held[tx, ty].copy() for tx, ty, _ in group}
    if absurd is not None:
        for tx, ty, lane in group:
            changed[tx, ty][lane] = absurd
    for (tx, ty), data in changed.items():
        texture.write(np.ascontiguousarray(data).tobytes(), viewport=(tx, ty, 1, 1), alignment=1)
