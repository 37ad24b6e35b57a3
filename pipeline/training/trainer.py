"""Trains a model: runs steps on the GPU, keeps and restores weights, and writes a model with the new ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import limits_of, made_on, on_its_context
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file.message import read
from texelscope.pipeline.planning.planner import plan_graph
from texelscope.pipeline.planning.recomputing import Dependencies
from texelscope.pipeline.target import DEFAULT_LAYOUT
from texelscope.pipeline.training.findings.registry import StepSeen
from texelscope.pipeline.training.looking import first_broken, seen_of
from texelscope.pipeline.training.losses import Loss, loss_called
from texelscope.pipeline.training.optimisers import Adam, Optimiser
from texelscope.pipeline.training.step_graph import StepGraph, step_graph
from texelscope.pipeline.training.weights import trainable, with_weights

if TYPE_CHECKING:
    import moderngl
    import onnx


class TrainingSession(DebugSession):
    """A `DebugSession` that can `advance` and undo that."""

    @on_its_context
    def advance(self, following: Mapping[str, str]) -> None:
        """Gives each input, by key, the tensor of `following`: textures are swapped, nothing is copied.

        Earlier results are invalid then; the old inputs are kept for `go_back`. Raises TexelscopeError for tensors that
        were not computed or are stored in another way than the input, and changes nothing.
        """
        for name, other in following.items():
            self._check_alike(name, other)
        for name, other in following.items():
            self._store.advance(self._plan.textures[name], self._plan.textures[other])
        self._keep_inputs()

    @on_its_context
    def go_back(self, following: Mapping[str, str]) -> bool:
        """Undoes the last `advance`; False if there is none to undo."""
        textures = self._plan.textures
        gone = [self._store.go_back(textures[name], textures[other]) for name, other in following.items()]
        if any(gone):
            self._keep_inputs()
        return any(gone)

    def _check_alike(self, name: str, other: str) -> None:
        one, following = self._plan.textures[name], self._plan.textures[other]
        if (one.layout, one.shape, one.storage) != (following.layout, following.shape, following.storage):
            raise TexelscopeError(
                f"input '{name}'",
                f"its successor to be {list(one.shape)} in {one.layout.name}, {one.storage}",
                f"'{other}', {list(following.shape)} in {following.layout.name}, {following.storage}",
                "Plan both in one layout: --layout row_major_rgba.",
            )
        if other not in self._valid:
            raise TexelscopeError(f"input '{name}'", f"'{other}' computed", "one that was not run", "Run it first.")

    def _keep_inputs(self) -> None:
        """Keeps inputs only: computed tensors hold data of other inputs."""
        self._valid = {key for key in self._valid if self._plan.textures[key].role != "activation"}
        self._injected.clear()


Inputs = ArrayLike | Mapping[str, ArrayLike]


@dataclass(frozen=True)
class TrainerOptions:
    """Options of a trainer. `weights` names those that are learned (`head.*`: all that begin so), by default all.

    `output` is the model's output that the loss takes, by default the first. `shapes` are those of inputs with
    free dimensions, `layout` that of all tensors.
    """

    weights: Sequence[str] = ()
    output: str = ""
    shapes: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    layout: str = DEFAULT_LAYOUT


@dataclass(frozen=True)
class TrainerState:
    """The state that steps change: weights and the optimiser's tensors, by name, and the count of steps."""

    step: int
    values: Mapping[str, NDArray[np.float32]]


class Trainer:
    """Trains a model, one `step` after the other.

    The tensors of a step (activations, loss, gradients, the next weights) stay in `session` until the next one begins,
    to be viewed, compared with the oracle and diagnosed. `rate` may be changed between steps.
    """

    def __init__(
        self,
        model: str | Path | onnx.ModelProto,
        loss: str | Loss = "mse",
        optimiser: Optimiser | None = None,
        options: TrainerOptions | None = None,
        context: moderngl.Context | None = None,
    ) -> None:
        """Without a `context` it makes one, with no window, and releases it at its end; Adam is the default optimiser.

        Raises TexelscopeError for an invalid model, loss or weight, UnsupportedError for a node without a derivative.
        """
        options = options or TrainerOptions()
        self._optimiser = optimiser or Adam()
        self._model, _ = read(Path(model) if isinstance(model, str | Path) else model)
        learned = trainable(load(self._model, options.shapes), options.weights, options.output)
        self._loss = loss_called(loss) if isinstance(loss, str) else loss
        self._graph = step_graph(learned, self._loss, self._optimiser)
        self._session = _session(self._graph.graph, options.layout, context)
        self._step, self.rate = 0, self._optimiser.rate
        self._runs: list[Mapping[str, NDArray[Any]]] = []
        self._is_ahead, self._last_loss = False, math.nan
        self._put(self._graph.values)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    def release(self) -> None:
        """Frees every GL object."""
        self._session.release()

    @property
    def session(self) -> TrainingSession:
        """The session of the steps: the whole graph of a step, its passes and tensors."""
        return self._session

    @property
    def steps(self) -> int:
        """The number of steps done."""
        return self._step

    @property
    def graph(self) -> StepGraph:
        """The graph of a step: the names of inputs, weights, loss and next values."""
        return self._graph

    @property
    def takes(self) -> Mapping[str, Shape]:
        """The inputs of a step by name: the model's, and last the target, with their shapes."""
        textures = self._session.plan.textures
        return {name: textures[name].shape for name in (*self._graph.inputs, self._graph.target)}

    @property
    def gradients(self) -> Mapping[str, str]:
        """By weight, the tensor that is its gradient."""
        return self._graph.gradients

    @property
    def loss(self) -> str:
        """The tensor that is the loss."""
        return self._graph.loss

    def step(self, inputs: Inputs, target: ArrayLike) -> float:
        """Runs one step; returns the loss before it. `inputs` are by name, or the only one's array.

        Raises TexelscopeError for an input that is missing or of another shape, for a target that the loss cannot take,
        and for a loss that is not finite: it names the pass and the element that were the first.
        """
        self.begin(inputs, target)
        with self._session.untimed():
            self._session.run_fused()
        return self.end()

    def begin(self, inputs: Inputs, target: ArrayLike) -> None:
        """Begins a `step`: sets its inputs. The passes of `session` are to run then, however, before `end`."""
        given = self._given(inputs, target)
        numbers = self._optimiser.numbers(self._step + 1, self.rate)
        given.update({self._graph.numbers[name]: np.asarray(value, np.float32) for name, value in numbers.items()})
        self._take_over()
        self._set(given)
        self._runs = [*self._runs[-1:], given]

    def end(self) -> float:
        """Ends a `step`: returns its loss; the weights that it made are those of the next."""
        loss = float(self._session.tensor(self._graph.loss))
        if not math.isfinite(loss):
            raise self._not_finite(loss)
        self._step += 1
        self._is_ahead, self._last_loss = True, loss
        return loss

    def predict(self, inputs: Inputs) -> NDArray[np.float32]:
        """Returns the model's output with the present weights."""
        self._take_over()
        self._set(self._by_name(inputs))
        last = self._session.plan.pass_called(self._graph.prediction)
        for each in Dependencies(self._session.plan.passes).makers(last.output, ()):
            self._session.run_pass(each.name)
        return self._session.tensor(self._graph.prediction)

    def look(self) -> StepSeen:
        """Returns figures of the last step, for `findings`; they are read back, so ask now and then.

        Raises TexelscopeError before the first step, and where its tensors are gone since inputs were set.
        """
        if not self._is_ahead:
            raise TexelscopeError(
                f"training {self._graph.graph.name}", "a step to look at", "none since the weights were taken over",
                "Call step() first.",
            )  # fmt: skip
        return seen_of(self._session, self._graph, self._step, self._last_loss)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Returns the weights after the last step, by name."""
        return {name: self._carried(name) for name in self._graph.weights}

    def keep(self) -> TrainerState:
        """Returns a state for `rewind`."""
        return TrainerState(self._step, {name: self._carried(name) for name in self._graph.following})

    def rewind(self, state: TrainerState) -> None:
        """Restores the state of a `keep`, earlier or later."""
        self._put(state.values)
        self._step = state.step
        self._runs, self._is_ahead = [], False

    def model(self) -> onnx.ModelProto:
        """Returns the model with the present weights."""
        return with_weights(self._model, self.weights())

    def save(self, path: str | Path) -> None:
        """Writes `model` as an .onnx file. Raises TexelscopeError where it cannot be written."""
        data = self.model().SerializeToString()
        write_whole(Path(path), lambda unfinished: unfinished.write_bytes(data))

    # -- internals -----------------------------------------------------------------------------------------

    def _take_over(self) -> None:
        """Makes the last step's results the next inputs."""
        if self._is_ahead:
            self._session.advance(self._graph.following)
            self._is_ahead = False

    def _carried(self, name: str) -> NDArray[np.float32]:
        return self._session.tensor(self._graph.following[name] if self._is_ahead else name)

    def _put(self, values: Mapping[str, NDArray[Any]]) -> None:
        self._set(values)
        for following in self._graph.following.values():  # separate textures from the start: they are swapped
            self._session.texture(following)

    def _set(self, values: Mapping[str, NDArray[Any]]) -> None:
        for name, value in values.items():
            self._session.set_input(name, value)

    def _given(self, inputs: Inputs, target: ArrayLike) -> dict[str, NDArray[Any]]:
        wanted = np.asarray(target)
        self._loss.check(self._graph.graph.tensors[self._graph.prediction], wanted)
        return {**self._by_name(inputs), self._graph.target: wanted}

    def _by_name(self, inputs: Inputs) -> dict[str, NDArray[Any]]:
        names = self._graph.inputs
        if isinstance(inputs, Mapping):
            given = {name: np.asarray(value) for name, value in inputs.items()}
        else:
            given = {names[0]: np.asarray(inputs)} if names else {}
        missing = [name for name in names if name not in given]
        if missing:
            raise TexelscopeError(
                f"training {self._graph.graph.name}", f"inputs {', '.join(names)}", f"none for '{missing[0]}'",
                "Give them by name: {'NAME': array}.",
            )  # fmt: skip
        return given

    def _not_finite(self, loss: float) -> TexelscopeError:
        """Returns the error that names where the loss broke; the session is left where that happened."""
        step, found = self._step + 1, first_broken(self._session)
        if (found is None or not found.name) and len(self._runs) > 1 and self._session.go_back(self._graph.following):
            self._set(self._runs[0])
            step, found = step - 1, first_broken(self._session)
        return TexelscopeError(
            f"step {self._step + 1} of training {self._graph.graph.name}",
            "a finite loss",
            f"{loss:g}: " + (f"{found.words()}, in step {step}, was the first" if found else "nothing else was"),
            "Lower the rate, or rewind() to a state that was kept.",
        )


def _session(graph: Graph, layout: str, context: moderngl.Context | None) -> TrainingSession:
    def make(context: moderngl.Context) -> TrainingSession:
        plan = plan_graph(graph, layout=layout, limits=limits_of(context))
        if plan.not_run:
            missing = plan.not_run[0]
            raise TexelscopeError(f"training {graph.name}", "passes for all nodes", missing.reason, "Train without it.")
        return TrainingSession(plan, context)

    return made_on(context, make)
