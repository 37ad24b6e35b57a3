"""A trainer with what each of its steps is given: all that the window and the command line need to train a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.inputs.sources import load_source
from texelscope.pipeline.target import DEFAULT_SOURCE, Target
from texelscope.pipeline.training.examples import Batches, Example, examples_in
from texelscope.pipeline.training.optimisers import OPTIMISERS, Optimiser
from texelscope.pipeline.training.request import TrainingRequest
from texelscope.pipeline.training.rows import TrainingRows, are_rows
from texelscope.pipeline.training.trainer import Trainer, TrainerOptions
from texelscope.pipeline.training.weights import weights_of

if TYPE_CHECKING:
    import moderngl


# Of a step, counted from 0, inputs by name and the target.
At = Callable[[int], tuple[Mapping[str, NDArray[Any]], NDArray[Any]]]


class Lesson:
    """`trainer` learns what was `asked`. Of a model with several inputs the first one changes from step to step."""

    def __init__(self, target: Target, asked: TrainingRequest, context: moderngl.Context | None = None) -> None:
        """Without a `context` as `Trainer`. Raises TexelscopeError for a target that is no model, and for what is asked
        for and cannot be had: examples, weights, a loss.
        """
        path, options = Path(target.path), target.options
        if path.suffix.lower() != ".onnx":
            raise TexelscopeError(f"training {path.name}", "a model (.onnx)", "another file", "Open the model itself.")
        weights = chosen_weights(load(path, options.shapes), asked.weights)
        wishes = TrainerOptions(weights, shapes=options.shapes, layout=options.layout)
        self.trainer = Trainer(path, asked.loss, optimiser_called(asked.optimiser, asked.rate), wishes, context)
        try:
            self._take(target, asked)
        except BaseException:
            self.trainer.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.trainer.release()

    def begin(self) -> None:
        """As `Trainer.begin`, with the examples that are next."""
        self.trainer.begin(*self._at(self.trainer.steps))

    def step(self) -> float:
        """As `Trainer.step`, with the examples that are next."""
        return self.trainer.step(*self._at(self.trainer.steps))

    def _take(self, target: Target, asked: TrainingRequest) -> None:
        graph = self.trainer.graph
        tensors = graph.graph.tensors
        if not graph.inputs:
            raise TexelscopeError(f"training {graph.graph.name}", "a model with an input", "none", "Open another one.")
        first, *others = graph.inputs
        sources = {name: target.inputs.get(name, DEFAULT_SOURCE) for name in graph.inputs}
        sources[first] = target.inputs.get(first, target.inputs.get("", DEFAULT_SOURCE))
        folder = Path(asked.data).expanduser()
        if asked.data and are_rows(folder):
            self._at: At = TrainingRows(folder, self.trainer.takes).at
            return
        constant = {name: _loaded(tensors[name], sources[name]) for name in others}
        examples = examples_in(folder) if asked.data else (Example("", sources[first], asked.target),)
        batches = Batches(examples, tensors[first], tensors[graph.target])

        def at(step: int) -> tuple[Mapping[str, NDArray[Any]], NDArray[Any]]:
            given, wanted = batches.at(step)
            return {**constant, first: given}, wanted

        self._at = at
        self._at(0)  # what cannot be read is told before anything runs


def optimiser_called(name: str, rate: float) -> Optimiser:
    """The optimiser of that name. Raises TexelscopeError if there is none."""
    if name not in OPTIMISERS:
        known = [*OPTIMISERS]
        raise TexelscopeError("optimiser", f"one of {', '.join(known)}", f"'{name}'", nearest(name, known))
    return OPTIMISERS[name](rate)


def chosen_weights(graph: Graph, words: str) -> tuple[str, ...]:
    """The names that `words` stand for, as `trainable` takes them: a word that is no weight's name begins some.

    Without words those of the last layer that has any.
    """
    known = weights_of(graph, graph.outputs[0])
    given = [word.strip() for word in words.split(",") if word.strip()]
    if given:
        return tuple(word if word in known or word.endswith("*") else f"{word}*" for word in given)
    for node in reversed(graph.nodes):
        found = tuple(name for name in dict.fromkeys(node.inputs) if name in known)
        if found:
            return found
    return ()


def _loaded(info: TensorInfo, source: str) -> NDArray[np.float32]:
    return load_source(source, info.shape, name=info.name, dtype=info.dtype)
