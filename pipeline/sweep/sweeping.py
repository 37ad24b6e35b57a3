"""Sweeps every requested layout, precision and device, and finds in each the smallest size that is wrong."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope import layouts
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.gl.context import device_of, headless_context, headless_contexts
from texelscope.pipeline.opening import Prepare
from texelscope.pipeline.plan import Storage
from texelscope.pipeline.quotas import allowing
from texelscope.pipeline.sweep.braces import Brace, SweptShape
from texelscope.pipeline.sweep.points import BoundarySearch, SweepPoint, try_point
from texelscope.pipeline.target import AUTO, DEFAULT_LAYOUT, DEFAULT_PRECISION, Target, sendable
from texelscope.pipeline.workers.several import Answer, CallApart, in_processes

if TYPE_CHECKING:
    import moderngl

Say = Callable[[str], None]
PRECISIONS: tuple[Storage, ...] = ("float32", "float16")
ALL = "all"
# In place of a layout, or a precision, that a pipeline file sets.
OWN = "its own"
DEFAULT_SECONDS = 300.0


@dataclass(frozen=True)
class Space:
    """The space of a sweep. `devices` are numbers from 0 on, none for all that there are."""

    shapes: tuple[SweptShape, ...] = ()
    braces: tuple[Brace, ...] = ()
    layouts: tuple[str, ...] = (DEFAULT_LAYOUT,)
    precisions: tuple[Storage, ...] = (DEFAULT_PRECISION,)
    devices: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class SweepRow:
    """One layout and precision on one device: all `points` in the order of their trying, and the smallest wrong one.

    `right` is the one right below it, along the brace that was bisected last.
    """

    layout: str
    precision: str
    device: DeviceInfo
    points: tuple[SweepPoint, ...]
    smallest: SweepPoint | None
    right: SweepPoint | None
    ended: bool = False


@dataclass(frozen=True)
class Sweep:
    """Holds the findings of a sweep; `notes` are lines about what it did not do."""

    target: str
    braces: tuple[Brace, ...]
    rows: tuple[SweepRow, ...]
    seconds: float
    notes: tuple[str, ...] = field(default=())


def exit_code(sweep: Sweep) -> int:
    """Returns 0 if no pass is wrong anywhere, 1 if one is, 2 if nothing ran."""
    if any(row.smallest is not None for row in sweep.rows):
        return 1
    return 0 if any(point.state == "right" for row in sweep.rows for point in row.points) else 2


def layouts_of(text: str) -> tuple[str, ...]:
    """Parses `all`, or names with commas between them, AUTO among them.

    Raises TexelscopeError, with the nearest name, for an unknown one.
    """
    return _chosen("--layout", text, sorted(layouts.all_layouts()), also=(AUTO,))


def precisions_of(text: str) -> tuple[Storage, ...]:
    """Parses as `layouts_of`, for float32 and float16."""
    wanted = _chosen("--precision", text, PRECISIONS)
    return tuple(each for each in PRECISIONS if each in wanted)


def devices_of(text: str) -> tuple[int, ...]:
    """Parses `all` (then an empty tuple), or numbers with commas between them."""
    if text.strip() == ALL:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise TexelscopeError("--device", f"numbers from 0 on, or {ALL}", f"'{text}'", "For example 0,1.")
    return tuple(dict.fromkeys(int(part) for part in parts))


def sweep(
    target: Target, space: Space, *, seconds: float = DEFAULT_SECONDS, say: Say = lambda _line: None,
    prepare: Prepare | None = None, jobs: int = 1,
) -> Sweep:  # fmt: skip
    """Goes through the space. `prepare` gets every session before its run, `say` a line for each run.

    With several `jobs`, so many rows are found at a time, each in its own process: then nothing can prepare a session.
    Raises TexelscopeError where there is no GL device, and for a target whose shapes are its own.
    """
    started = time.monotonic()
    notes: tuple[str, ...] = ()
    is_file = Path(target.path).suffix.lower() == ".toml"
    if is_file:
        space, notes = _of_file(space, Path(target.path).name)
    if jobs > 1 and prepare is None:
        rows = _in_processes(target, space, seconds, say, jobs)
    else:
        rows = [*_rows(target, space, started + seconds, say, prepare)]
    return Sweep(target.path, space.braces, tuple(rows), time.monotonic() - started, notes)


def _rows(target: Target, space: Space, end: float, say: Say, prepare: Prepare | None = None) -> Iterator[SweepRow]:
    """Yields all rows; those of a device share the time until `end`, of time.monotonic, that is left to it."""
    is_file = Path(target.path).suffix.lower() == ".toml"
    combinations = len(space.layouts) * len(space.precisions)
    for context in _contexts(space.devices):
        with context:
            for number, (layout, precision) in enumerate(itertools.product(space.layouts, space.precisions)):
                now = time.monotonic()
                share = (end - now) / (combinations - number)  # the others have to have their turn
                options = dataclasses.replace(target.options, layout=layout, precision=precision)
                bench = _Bench(dataclasses.replace(target, options=options), space, context, prepare, say)
                label = (OWN, OWN) if is_file else (layout, precision)
                yield bench.row(*label, now + max(share, 0.0))


def _in_processes(target: Target, space: Space, seconds: float, say: Say, jobs: int) -> list[SweepRow]:
    """Returns all rows. Raises the error of the first that none could be found for."""
    devices = space.devices or tuple(number for number, _ in enumerate(_contexts(())))
    spaces = [
        dataclasses.replace(space, layouts=(layout,), precisions=(precision,), devices=(device,))
        for device, layout, precision in itertools.product(devices, space.layouts, space.precisions)
    ]
    turns = -(-len(spaces) // jobs)
    function = f"{swept.__module__}:{swept.__name__}"
    calls = [CallApart(function, (sendable(target), each, seconds / turns), target.path) for each in spaces]

    def answered(_number: int, answer: Answer) -> None:
        for line in () if answer.error is not None else answer.result[1]:
            say(line)

    answers = in_processes(calls, jobs, answered)
    for each in answers:
        if each.error is not None:
            raise each.error
    return [each.result[0] for each in answers]


def swept(target: Target, space: Space, seconds: float) -> tuple[SweepRow, list[str]]:
    """Returns the row of a space of one, and what was said meanwhile; called in its process."""
    said: list[str] = []
    with allowing(target.options.quotas):
        (row,) = _rows(target, space, time.monotonic() + seconds, said.append)
    return row, said


@dataclass(frozen=True)
class _Bench:
    target: Target
    space: Space
    context: moderngl.Context
    prepare: Prepare | None
    say: Say

    def row(self, layout: str, precision: str, end: float) -> SweepRow:
        search = BoundarySearch(self.space.braces, self._point, end)
        smallest = search.smallest()
        device = device_of(self.context)
        if smallest is None:
            return SweepRow(layout, precision, device, tuple(search.points), None, None, search.ended)
        named = self._named(smallest, search.points)
        right = _below(self.space.braces, search.points, smallest)
        return SweepRow(layout, precision, device, tuple(search.points), named, right, search.ended)

    def _named(self, smallest: SweepPoint, points: Sequence[SweepPoint]) -> SweepPoint:
        """Returns the smallest with findings, or with those of the largest wrong size if it is wrong in too little."""
        named = self._try(smallest, named=True)
        others = [each for each in points if each.state == "wrong" and each.sizes != smallest.sizes]
        if named.wrong is None or named.findings or not others:
            return named
        largest = self._try(max(others, key=lambda each: tuple(each.sizes.values())), named=True)
        same = largest.wrong is not None and largest.wrong.name == named.wrong.name
        return dataclasses.replace(named, findings=largest.findings) if same else named

    def _point(self, sizes: Mapping[str, int]) -> SweepPoint:
        point = self._try(SweepPoint(sizes, {each.name: each.shape(sizes) for each in self.space.shapes}, "right"))
        options = self.target.options
        told = ", ".join(f"{name} {'x'.join(map(str, shape))}" for name, shape in point.shapes.items())
        wrong = f" in {point.wrong.name!r}" if point.wrong is not None else ""
        why = f" ({point.message})" if point.message else ""
        self.say(f"{options.layout}, {options.precision}{', ' + told if told else ''}: {point.state}{wrong}{why}")
        return point

    def _try(self, point: SweepPoint, *, named: bool = False) -> SweepPoint:
        return try_point(self.target, point.sizes, point.shapes, self.context, self.prepare, named=named)


def _below(braces: Sequence[Brace], points: Collection[SweepPoint], smallest: SweepPoint) -> SweepPoint | None:
    """Returns the largest right point that differs from the smallest wrong one in the last brace alone, below it."""
    for brace in reversed(braces):
        others = {text: value for text, value in smallest.sizes.items() if text != brace.text}
        right = [
            each
            for each in points
            if each.state == "right"
            and each.sizes[brace.text] < smallest.sizes[brace.text]
            and {text: value for text, value in each.sizes.items() if text != brace.text} == others
        ]
        if right:
            return max(right, key=lambda each: each.sizes[brace.text])
    return None


def _contexts(devices: tuple[int, ...]) -> Iterator[moderngl.Context]:
    """Yields a context on each device, released before the next one is made."""
    made = headless_contexts() if not devices else (headless_context(number) for number in devices)
    for context in made:
        try:
            yield context
        finally:
            context.release()


def _of_file(space: Space, name: str) -> tuple[Space, tuple[str, ...]]:
    """Returns the part of a space that applies to a pipeline file, and a line about the rest."""
    if space.braces or space.shapes:
        raise TexelscopeError(
            f"--shape {space.shapes[0].name}", "a model", f"'{name}', which sets its own shapes",
            "Sweep the model that it was ejected from.",
        )  # fmt: skip
    only = dataclasses.replace(space, layouts=(DEFAULT_LAYOUT,), precisions=(DEFAULT_PRECISION,))
    if only == space:
        return space, ()
    return only, (f"{name} says its layouts and precision itself: only devices are gone through.",)


def _chosen(option: str, text: str, known: Sequence[str], also: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the known names in `text`; `also` are aliases, which `all` leaves out."""
    if text.strip() == ALL:
        return tuple(known)
    parts = [part.strip() for part in text.split(",")]
    valid = [*also, *known]
    for part in parts:
        if part not in valid:
            raise TexelscopeError(option, f"{ALL}, or some of {', '.join(valid)}", f"'{part}'", nearest(part, valid))
    return tuple(dict.fromkeys(parts))
