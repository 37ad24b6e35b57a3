"""Opens what an editor launches, runs it, and records the fragment of one texel, as often as watches change."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.deadline import within
from texelscope.pipeline.debug_adapter.shown import PlanFacts
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.front_ends.languages import is_compiled
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.pipeline.opening import open_and_run
from texelscope.pipeline.plan import Pass, StoredTensor
from texelscope.pipeline.quotas import allowing
from texelscope.pipeline.read_trace.expected import element_at
from texelscope.pipeline.reload.user_files import user_path
from texelscope.pipeline.step_trace.drawn_log import TooManyEntriesError
from texelscope.pipeline.step_trace.recorder import TraceRecorder
from texelscope.pipeline.step_trace.sums import FragmentSum, sums
from texelscope.pipeline.step_trace.trace import Trace
from texelscope.pipeline.stepping.scopes import declared_in
from texelscope.pipeline.target import Target

# So many steps are recorded at most without a window of the user's: a record of more takes gigabytes.
MOST_STEPS = 100_000


@dataclass(frozen=True)
class LaunchOrder:
    """Says what to open, and which fragment to record: by texel (column, row) and lane, or by element.

    An element is given linearly or by its index in the logical shape. `window` is the first step to record and the one
    after the last; without one all are. `invocation` names a compute shader's, by its three numbers. Opening may take
    `seconds`.
    """

    target: Target
    pass_name: str = ""
    texel: tuple[int, int] | None = None
    lane: int = 0
    element: tuple[int, ...] | int | None = None
    invocation: tuple[int, ...] | None = None
    window: tuple[int, int] | None = None
    frame: int | None = None
    stop_on_entry: bool = True
    seconds: float = math.inf


@dataclass(frozen=True)
class SteppedText:
    """One file of the shader: `name` as the trace has it, `path` of the author's own file, None for any other text."""

    name: str
    path: Path | None
    text: str


class Recording:
    """Holds an open session on a target for the fragment of one texel. Its owner releases it."""

    def __init__(self, order: LaunchOrder, session: DebugSession) -> None:
        """Takes over the session, which has run. Raises TexelscopeError for a fragment that there is not."""
        self._session = session
        self._recorder = TraceRecorder(session)
        self._order = order
        self.shader_pass = _pass_of(session, order)
        error = session.shader_error(self.shader_pass.name)
        if error is not None:
            raise error
        self.texel, self.lane = self._place()
        self.invocation = self._invocation()

    @staticmethod
    def opened(order: LaunchOrder) -> Recording:
        """Opens and runs the order's target. Raises TexelscopeError for what cannot be opened, run or recorded."""
        with allowing(order.target.options.quotas), within(order.seconds, "launch"):
            session = open_and_run(order.target, frame=order.frame)
            try:
                return Recording(order, session)
            except BaseException:
                session.release()
                raise

    def release(self) -> None:
        """Frees every GL object."""
        self._recorder.release()
        self._session.release()

    def trace(self, watches: Sequence[str] = ()) -> Trace:
        """Records the fragment, with the values of GLSL expressions before each step that knows their names."""
        with _without_collections():
            if self._order.window is not None:
                return self._window(self._order.window, watches)
            found = self._window(None, watches)
            if len(found.steps) == found.total:
                return found
            most = min(found.total, MOST_STEPS)
            while most > len(found.steps):
                try:
                    return self._window((0, most), watches)
                except TooManyEntriesError:
                    most //= 2
            return found

    def step(self, number: int, watches: Sequence[str]) -> Trace:
        """Records one step alone, with the values of expressions before it."""
        return self._window((number, number + 1), watches)

    def _window(self, window: tuple[int, int] | None, watches: Sequence[str]) -> Trace:
        name = self.shader_pass.name
        if self.invocation is not None:
            return self._recorder.trace_invocation(name, self.invocation, watches=watches, window=window)
        return self._recorder.trace(name, self.texel, self.lane, watches=watches, window=window)

    def sums(self, trace: Trace) -> FragmentSum | None:
        """Returns the fragment's sum beside the oracle's; None where the pass computes no sum of products."""
        return sums(self._session, trace)

    @cached_property
    def texts(self) -> tuple[SteppedText, ...]:
        """The files of the shader, those of the author with their paths; last the text that GL compiles."""
        program = self._session.program_source(self.shader_pass.name)
        own = [
            SteppedText(file.path, None if is_compiled(file.path) else _absolute(user_path(file, target)), file.text)
            for target in (self._order.target.path,)
            for file in program.files
        ]
        return (*own, SteppedText(GENERATED, None, program.fragment))

    @cached_property
    def facts(self) -> PlanFacts:
        """What the plan and the texts know beside a trace."""
        return PlanFacts(self._session.plan.textures, {text.name: declared_in(text.text) for text in self.texts})

    @property
    def languages(self) -> str:
        """The language that the shader was translated of; empty for GLSL."""
        translated = self._session.program_source(self.shader_pass.name).translated
        return translated.language if translated is not None else ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the plan warns of."""
        return self._session.plan.warnings

    @property
    def output(self) -> StoredTensor:
        """The tensor that the pass writes."""
        return self._session.plan.textures[self.shader_pass.output]

    def value(self, element: int) -> float:
        """Returns what the pass itself wrote for an element."""
        return float(self._session.tensor(self.shader_pass.output).reshape(-1)[element])

    def expected(self, element: int) -> float:
        """Returns what the oracle has for an element of the pass's output, on the inputs that it really had.

        NaN where there is no oracle.
        """
        from texelscope.pipeline.compare.comparer import Comparer

        plan, of = self._session.plan, self.shader_pass
        read = [key for key in of.reads if plan.textures[key].role != "constant"]
        tensors = {key: self._session.tensor(key) for key in (*read, of.output)}
        comparer = Comparer(plan)
        comparer.alone(Capture(plan.name, device_of(self._session.context), tensors, {}, {}), of.name)
        expected = comparer.isolated_values().get(of.output)
        return math.nan if expected is None else float(expected.value.reshape(-1)[element])

    def _place(self) -> tuple[tuple[int, int], int]:
        """Returns texel and lane of the order; of an invocation, which writes what it likes, the first."""
        order, of = self._order, self.shader_pass
        if order.invocation is not None and of.dispatch is not None:
            return (0, 0), 0
        if order.texel is not None:
            return order.texel, order.lane
        if order.element is None:
            got = "'invocation', for a pass that is drawn" if order.invocation is not None else "neither"
            raise TexelscopeError("launch", "'texel' as X,Y, or 'element'", got, "Add one of them.")
        stored = self._session.plan.textures[of.output]
        element = element_at(f"trace of '{of.name}'", stored, order.element)
        tx, ty, lane = stored.layout.texel_of(stored.shape, element)
        return (tx, ty), lane

    def _invocation(self) -> tuple[int, int, int] | None:
        """Returns the invocation of the order, whose y and z may be left out; None without one."""
        given = self._order.invocation
        if given is None or self.shader_pass.dispatch is None:
            return None
        if not 1 <= len(given) <= 3:
            raise TexelscopeError("launch argument 'invocation'", "three numbers", f"{len(given)}", "Correct it.")
        x, y, z = (*given, 0, 0)[:3]
        return x, y, z


@contextmanager
def _without_collections() -> Iterator[None]:
    """Keeps the garbage collector from looking through a growing record again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _pass_of(session: DebugSession, order: LaunchOrder) -> Pass:
    names = [each.name for each in session.plan.passes]
    if order.pass_name:
        return session.plan.pass_called(order.pass_name)
    if len(names) == 1:
        return session.plan.passes[0]
    raise TexelscopeError("launch", "'pass', the name of one", "none", nearest("", names))


def _absolute(path: Path | None) -> Path | None:
    return path.absolute() if path is not None else None
