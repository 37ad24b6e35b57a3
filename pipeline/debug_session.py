"""Extends the session by everything for debugging: comparison with the oracle, recorded reads, traces, gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of, on_its_context
from texelscope.pipeline.gl.frame_session import FrameSession
from texelscope.pipeline.gl.passes import PassRunner
from texelscope.pipeline.gl.session import MakeRunner
from texelscope.pipeline.lowerings.lowering import form_words
from texelscope.pipeline.plan import Pass, Plan, Tolerance
from texelscope.pipeline.value_dependence import Replan, hangs_on_values, still_holds, typed

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.compare.report import Report
    from texelscope.pipeline.frame_by_frame import FrameComparison
    from texelscope.pipeline.read_trace.expected import ReadTrace
    from texelscope.pipeline.read_trace.recorder import ReadRecorder
    from texelscope.pipeline.read_trace.shared_memory import RecordedSharedMemory
    from texelscope.pipeline.step_trace.partners import ProductCheck
    from texelscope.pipeline.step_trace.recorder import TraceRecorder
    from texelscope.pipeline.step_trace.trace import Trace

# For each key, a mask of the elements that no fragment wrote.
Gaps = Mapping[str, NDArray[np.bool_]]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class DebugSession(FrameSession):
    """A `FrameSession` that can be compared and inspected; `texelscope.open` and the window create it."""

    def __init__(
        self,
        plan: Plan,
        context: moderngl.Context,
        *,
        runner: MakeRunner = PassRunner,
        replan: Replan | None = None,
    ) -> None:
        """`replan` makes a new plan for the current values; without it control flow stays as planned."""
        self._replan = replan
        super().__init__(plan, context, runner=runner)
        self._recorder: ReadRecorder | None = None
        self._tracer: TraceRecorder | None = None
        self._newest_report: Report | None = None

    @property
    def newest_report(self) -> Report | None:
        """What the last `compare` returned; None before."""
        return self._newest_report

    def replan_with(self, replan: Replan) -> None:
        """Makes new plans by `replan` from now on."""
        self._replan = replan

    @on_its_context
    def set_input(self, name: str, array: NDArray[Any]) -> None:
        """Sets an input like `FrameSession.set_input`, and makes a new plan if control flow depends on it."""
        super().set_input(name, array)
        self._keep_up()

    @on_its_context
    def adopt(self, plan: Plan) -> frozenset[str]:
        """Adopts, like `Session.adopt`, the plan that the current values make of `plan`."""
        waiting = super().adopt(plan)
        again = self._keep_up()
        return waiting if again is None else again

    @on_its_context
    def plan_for(self, values: Mapping[str, NDArray[Any]]) -> bool:
        """Switches to the plan for these `values` of tensors and the inputs; False if there is none."""
        if self._replan is None:
            return False
        super().adopt(self._replan({**self.values_at_hand(), **values}))
        return True

    @on_its_context
    def gradients(self, of: str, wrt: Sequence[str] = ()) -> Mapping[str, str]:
        """Switches to the plan with the backward passes of the tensor `of`; returns each tensor's gradient by name.

        The gradients are with respect to the tensors `wrt`; without any, to every float input and weight that `of`
        depends on. Results stay; the next `run` computes the gradients too. Earlier gradients are removed. If `of` has
        more than one element, they are the gradients of the sum of its elements. Raises TexelscopeError for a name that
        is no float tensor of the model, for one that `of` does not depend on and for shaders without a model;
        UnsupportedError for a node without a derivative.
        """
        if self._replan is None:
            raise TexelscopeError(
                f"gradients of '{of}'", "a session from texelscope.open",
                "one of a plan alone, whose model is unknown", "Open the model with texelscope.open.",
            )  # fmt: skip
        replan = self._replan.with_gradients(of, tuple(wrt))
        plan = replan(self.values_at_hand())
        self._replan = replan
        super().adopt(plan)
        graph = plan.graph
        assert graph is not None
        wanted = wrt or (*graph.inputs, *graph.constants)
        return MappingProxyType({name: graph.gradients[name] for name in wanted if name in graph.gradients})

    def values_at_hand(self) -> dict[str, NDArray[Any]]:
        """Returns inputs and injected tensors, which were not computed, by name, as their textures hold them."""
        keys = [key for key in (*self.plan.inputs, *sorted(self.injected)) if self.is_valid(key)]
        stored = (self.plan.textures[key] for key in keys)
        values = {each.tensor: self.tensor(each.key) for each in stored}
        graph = self.plan.graph
        return values if graph is None else {name: typed(graph, name, value) for name, value in values.items()}

    @on_its_context
    def inject(self, key: str, array: NDArray[Any]) -> None:
        """Injects like `Session.inject`; a tensor without a known shape gets the array's, and the plan follows it."""
        missing = any(key in each.outputs for each in self.plan.not_run)
        if missing and key not in self.plan.textures:
            value = np.asarray(array)  # a float64 array of numpy's becomes the type of models
            self.plan_for({key: value.astype(np.float32) if value.dtype == np.float64 else value})
        super().inject(key, array)

    def _keep_up(self) -> frozenset[str] | None:
        """Makes a new plan if control flow depends on changed values; returns the passes to run then."""
        if self._replan is None or not hangs_on_values(self.plan):
            return None
        values = self.values_at_hand()
        if not all(self.is_valid(key) for key in self.plan.inputs) or still_holds(self.plan, values):
            return None
        return super().adopt(self._replan(values))

    @on_its_context
    def release(self) -> None:
        """Frees every GL object. The session cannot be used afterwards."""
        if self._recorder is not None:
            self._recorder.release()
        if self._tracer is not None:
            self._tracer.release()
        super().release()

    @on_its_context
    def capture(
        self, tensors: Mapping[str, NDArray[np.float32]] = _NOTHING, unwritten: Mapping[str, Gaps] = _NOTHING
    ) -> Capture:
        """Reads back every valid tensor, with errors, times and gaps: everything for a comparison, without GL.

        `tensors` by key, and the `unwritten` elements of each pass's outputs, are known already and are not read again.
        """
        known = tensors
        gaps = {
            each.name: unwritten[each.name] if each.name in unwritten else self.gaps(each) for each in self.plan.passes
        }
        return Capture(
            target=self.plan.name,
            device=device_of(self.context),
            tensors={key: known[key] if key in known else self.tensor(key) for key in self.computed},
            errors={name: str(error) for name, error in self.shader_errors.items()},
            gpu_ms={each.name: self.gpu_ms(each.name) for each in self.plan.passes},
            injected=self.injected,
            runs_as={
                each.name: form_words(self.running(form)) for each in self.plan.passes if (form := self.form(each.name))
            },
            rounding={each.name: found for each in self.plan.passes if (found := self.rounding(each.name))},
            unwritten={key: elements for of_pass in gaps.values() for key, elements in of_pass.items()},
        )

    @property
    def computed(self) -> tuple[str, ...]:
        """Returns keys of the valid tensors that are not constants: the content of a capture."""
        textures = self.plan.textures.items()
        return tuple(key for key, stored in textures if self.is_valid(key) and stored.role != "constant")

    def gaps(self, shader_pass: Pass) -> Gaps:
        """Returns by key which elements (logical shape) the pass left unwritten; without outputs that are whole."""
        if not self.has_run(shader_pass.name) or shader_pass.output in self.injected:
            return {}
        return {key: elements for key, elements in self.unwritten(shader_pass.name).items() if elements.any()}

    @on_its_context
    def compare(self, tolerances: Mapping[str, Tolerance] | None = None, *, findings: bool = True) -> Report:
        """Compares everything that ran with the oracle, at once, with `findings` for wrong passes.

        For doing it in a thread see `Comparer` and `pipeline.diagnose.naming`.
        """
        from texelscope.pipeline.compare.comparer import Comparer  # a session that only runs need not load it
        from texelscope.pipeline.diagnose.naming import name_bugs

        capture = self.capture()
        comparer = Comparer(self.plan, tolerances)
        report = comparer.compare(capture)
        self._newest_report = name_bugs(self, comparer, capture, report) if findings else report
        return self._newest_report

    @on_its_context
    def compare_frames(self, count: int | None = None, *, findings: bool = True) -> FrameComparison:
        """Runs `count` frames from frame 0 on, by default those of the file, and compares each with the oracle.

        The first frame with a wrong pass is diagnosed, with the state that it read. The session is in the last frame
        afterwards. Raises TexelscopeError for a count below 1.
        """
        from texelscope.pipeline.compare.comparer import Comparer
        from texelscope.pipeline.frame_by_frame import compare_frames, with_findings_of

        count = self.plan.frames.count if count is None else count
        if count < 1:
            raise TexelscopeError("compare_frames", "at least one frame", str(count), "For example 60.")
        look = with_findings_of(self) if findings else (lambda each: each.report)
        return compare_frames(self, self.capture, count, Comparer(self.plan), look)

    @on_its_context
    def taps(self, name: str, place: tuple[int, ...] | int) -> ReadTrace:
        """Returns what one element of a pass's output read and what it should have read; see `pipeline.read_trace`."""
        from texelscope.pipeline.read_trace.expected import taps
        from texelscope.pipeline.read_trace.recorder import ReadRecorder

        self._recorder = self._recorder or ReadRecorder(self)
        return taps(self, self._recorder, name, place)

    @on_its_context
    def shared_memory(self, name: str, place: tuple[int, ...] | int) -> RecordedSharedMemory:
        """Returns what the work group that writes one element of a compute pass's output does in shared memory.

        Raises UnsupportedError where the pass is drawn, has no shared memory, or cannot be instrumented.
        """
        from texelscope.pipeline.read_trace.expected import element_at
        from texelscope.pipeline.read_trace.recorder import ReadRecorder

        self._recorder = self._recorder or ReadRecorder(self)
        each = self.plan.pass_called(name)
        stored = self.plan.textures[each.output]
        element = element_at(f"shared memory of '{each.name}'", stored, place)
        return self._recorder.shared_memory(each.name, *stored.layout.texel_of(stored.shape, element))

    def partners(self, name: str, place: tuple[int, ...] | int) -> ProductCheck | None:
        """Returns whether what one element multiplies are the operator's products; None if it multiplies no reads.

        Taps that are all as expected do not show this; see `pipeline.step_trace.partners`.
        """
        begun = self.begun_partners(name, place)
        return begun() if callable(begun) else begun

    @on_its_context
    def begun_partners(
        self, name: str, place: tuple[int, ...] | int
    ) -> ProductCheck | Callable[[], ProductCheck] | None:
        """Does the part of `partners` that needs GL; what it returns does the rest in any thread."""
        from texelscope.pipeline.read_trace.expected import element_at
        from texelscope.pipeline.step_trace.partners import begun_check
        from texelscope.pipeline.step_trace.recorder import TraceRecorder

        self._tracer = self._tracer or TraceRecorder(self)
        each = self.plan.pass_called(name)
        element = element_at(f"partners of '{each.name}'", self.plan.textures[each.output], place)
        return begun_check(self, self._tracer, each.name, element)

    @on_its_context
    def trace(
        self,
        name: str,
        index: tuple[int, ...] | int,
        *,
        watches: Sequence[str] = (),
        window: tuple[int, int] | None = None,
    ) -> Trace:
        """Returns what the fragment of one element of a pass's output did, line by line; see `pipeline.step_trace`.

        `watches` are GLSL expressions, evaluated before each statement where all their names are in scope. `window` is
        the first step to record and the one after the last; without it the beginning of a long trace is recorded.
        """
        from texelscope.pipeline.step_trace.recorder import TraceRecorder, trace

        self._tracer = self._tracer or TraceRecorder(self)
        return trace(self, self._tracer, name, index, watches=watches, window=window)
