"""Draws a wrong pass under each of its edits, a few texels first, and says which edits make every value right. GL."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.edits.proposals import NUMBER
from pipeline.diagnose.edits.schemata import CHOICE, Edit, EditableText
from pipeline.diagnose.trial.scoring import Judge
from pipeline.errors import TexelscopeError
from pipeline.gl.program import compiled
from pipeline.gl.state import pass_state
from pipeline.gl.uniforms import set_uniforms
from pipeline.glsl.lines import Line
from pipeline.glsl.versions import same_version
from pipeline.plan import Pass, UniformValue

if TYPE_CHECKING:
    from pipeline.gl.session import Session

# x, y, width, height in texels of the target.
Area = tuple[int, int, int, int]
# Operations that edits add to one program: more take a driver long to compile, and it is asked a few times at most.
_WEIGHT, _PROGRAMS = 500, 3
# Drawn at first, so many texels in each direction around wrong elements.
_AROUND, _AREAS = 4, 4
# Uniforms of more lanes are tables.
_MOST_LANES = 4
# Between two steps.
_AT_ONCE = 60


def curing(
    session: Session, each: Pass, edits: Sequence[Edit], text: EditableText, judge: Judge
) -> Generator[None, None, tuple[Edit, ...]]:
    """Of each line the first edit under which all counted elements of the pass's first output are right.

    A generator: each step is a compilation or some draws. Its own target is left alone. No edits where the driver does
    not take the program.
    """
    found: list[Edit] = []
    for number, some in enumerate(_programs(edits)):
        made = text.schemata(some)
        try:
            drawing = _Drawing(session, each, made.program.fragment)
        except moderngl.Error:
            return ()
        try:
            yield
            if not number and not drawing.is_as_it_ran(judge):
                return ()
            found += yield from _tried(drawing, made.edits, judge)
        except TexelscopeError:
            return ()
        finally:
            drawing.release()
    return tuple(found)


def cured_by_a_uniform(
    session: Session, each: Pass, text: EditableText, judge: Judge, numbers: Sequence[float]
) -> Generator[None, None, bool]:
    """Whether another value of one of the pass's uniforms makes everything right as well: the text may be right."""
    try:
        drawing = _Drawing(session, each, text.schemata(()).program.fragment)
    except moderngl.Error:
        return False
    height, width, _ = drawing.address.shape
    try:
        areas = [*_areas(drawing.address, judge), (0, 0, width, height)]
        for name, value in each.uniforms.items():
            for other in other_values(value, numbers):
                drawing.uniforms = {name: other}
                if all(drawing.is_right(0, (0.0, 0.0), area, judge) for area in areas):
                    return True
            yield
    except TexelscopeError:
        return False
    finally:
        drawing.release()
    return False


def other_values(value: UniformValue, numbers: Sequence[float]) -> list[UniformValue]:
    """What a uniform may have been meant to be: one more or less, twice or half, another order, a number expected."""
    lanes = value if isinstance(value, tuple) else (value,)
    if any(isinstance(lane, bool) or not isinstance(lane, int | float) for lane in lanes) or len(lanes) > _MOST_LANES:
        return []
    whole = all(isinstance(lane, int) for lane in lanes)
    found: list[tuple[float, ...]] = [lanes[::-1]]
    changes: list[Callable[[float], float]] = [lambda x: x / 2, lambda x: -x]
    changes += [partial(_plus, by) for by in (1, -1, 0.5, -0.5)] + [partial(_times, 2)]
    changes += [partial(_is, number) for number in numbers]
    for change in changes:
        found.append(tuple(change(lane) for lane in lanes))
        found += [(*lanes[:k], change(lanes[k]), *lanes[k + 1 :]) for k in range(len(lanes) if len(lanes) > 1 else 0)]
    kept = dict.fromkeys(each for each in found if each != lanes)
    if whole:
        kept = dict.fromkeys(tuple(int(x) for x in each) for each in kept if all(float(x).is_integer() for x in each))
    return [each if isinstance(value, tuple) else each[0] for each in kept]


def _plus(by: float, x: float) -> float:
    return x + by


def _times(by: float, x: float) -> float:
    return x * by


def _is(number: float, _x: float) -> float:
    return number


def _programs(edits: Sequence[Edit]) -> list[list[Edit]]:
    """The edits, as many to a program as a driver compiles in a moment; the heaviest are left out."""
    branches: dict[int, list[Edit]] = {}
    for edit in edits:
        branches.setdefault(edit.number, []).append(edit)
    found: list[list[Edit]] = [[]]
    room = _WEIGHT
    for branch in sorted(branches.values(), key=lambda each: each[0].weight):
        weight = branch[0].weight
        if weight > _WEIGHT:
            break
        if weight > room:
            if len(found) == _PROGRAMS:
                break
            found.append([])
            room = _WEIGHT
        room -= weight
        found[-1].extend(branch)
    return [sorted(each, key=lambda edit: edit.proposal.start) for each in found]


def _tried(drawing: _Drawing, edits: Sequence[Edit], judge: Judge) -> Generator[None, None, list[Edit]]:
    left = list(edits)
    for area in _areas(drawing.address, judge):
        kept = []
        for number, edit in enumerate(left):
            if drawing.is_right(edit.number, edit.proposal.values, area, judge):
                kept.append(edit)
            if number % _AT_ONCE == _AT_ONCE - 1:
                yield
        left = kept
    height, width, _ = drawing.address.shape
    whole: dict[Line, Edit] = {}
    for edit in left:
        if len(whole) > 1:
            break  # nothing is known of either
        everywhere = (0, 0, width, height)
        if edit.line not in whole and drawing.is_right(edit.number, edit.proposal.values, everywhere, judge):
            whole[edit.line] = edit
        yield
    return list(whole.values())


def _areas(address: NDArray[np.int32], judge: Judge) -> list[Area]:
    """A few places with wrong elements, far apart."""
    wrong = judge.wrong().reshape(-1)[np.maximum(address, 0)] & (address >= 0)
    height, width, _ = address.shape
    places = np.argwhere(wrong.any(axis=2))
    found: dict[Area, None] = {}
    for position in np.linspace(0, len(places) - 1, _AREAS).astype(int) if len(places) else ():
        ty, tx = (int(each) for each in places[position])
        x, y = max(tx - _AROUND // 2, 0), max(ty - _AROUND // 2, 0)
        found[x, y, min(_AROUND, width - x), min(_AROUND, height - y)] = None
    return list(found)


class _Drawing:
    """A program of edits with a target of its own."""

    def __init__(self, session: Session, each: Pass, fragment: str) -> None:
        """Raises moderngl.Error where the driver does not take the program."""
        self._session, self._pass = session, each
        self.uniforms: Mapping[str, UniformValue] = {}
        vertex = same_version(session.vertex_text(each.name), fragment)
        self._program = compiled(session.context, vertex, fragment)
        self._array = session.geometry(self._program)
        stored = session.plan.textures[each.output]
        self.address = stored.layout.address(stored.shape)
        self._textures = [self._target(key) for key in each.outputs]
        self._framebuffer = session.context.framebuffer(self._textures)

    def release(self) -> None:
        self._framebuffer.release()
        for texture in self._textures:
            texture.release()
        self._array.release()
        self._program.release()

    def _target(self, key: str) -> moderngl.Texture:
        stored = self._session.plan.textures[key]
        height, width = stored.texture_shape
        return self._session.context.texture((width, height), stored.layout.lanes, dtype="f4", alignment=1)

    def is_right(self, choice: int, numbers: tuple[float, float], area: Area, judge: Judge) -> bool:
        """Whether all elements in an area are, drawn under the edit of that number."""
        values = self._draw(choice, numbers, area)
        x, y, width, height = area
        address = self.address[y : y + height, x : x + width]
        there = address >= 0
        elements = address[there]
        only = Judge(
            values[there],
            *(part.reshape(-1)[elements] for part in (judge.expected, judge.bound, judge.counted)),
        )
        return not only.wrong().any()

    def is_as_it_ran(self, judge: Judge) -> bool:
        """Whether the text as it is, drawn here, gives the wrong values: else it is no text that makes them."""
        height, width, _ = self.address.shape
        values = self._draw(0, (0.0, 0.0), (0, 0, width, height))
        there = self.address >= 0
        drawn = np.array(judge.actual, dtype=np.float32)
        drawn.reshape(-1)[self.address[there]] = values[there]
        return judge.reproduces(drawn).is_whole

    def _draw(self, choice: int, numbers: tuple[float, float], area: Area) -> NDArray[np.float32]:
        context, framebuffer = self._session.context, self._framebuffer
        with pass_state(context, framebuffer):
            framebuffer.scissor = area
            self._session.bind(self._pass, self._program)
            for name, value in ((CHOICE, choice), (NUMBER, numbers)):
                if name in self._program:
                    self._program[name].value = value  # type: ignore[union-attr]
            set_uniforms(self._program, self.uniforms)
            self._array.render(moderngl.TRIANGLES, vertices=3)
            lanes = self.address.shape[2]
            data = framebuffer.read(viewport=area, components=lanes, dtype="f4", alignment=1)
        return np.frombuffer(data, dtype=np.float32).reshape(area[3], area[2], lanes)
