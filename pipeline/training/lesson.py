"""Combines a trainer with the inputs of its steps: the window and the command line train a target with it."""

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
from texelscope.pipeline.training.examples import Batches, Example, TrainingRows, are_rows, examples_in
from texelscope.pipeline.training.optimisers import OPTIMISERS, Optimiser
from texelscope.pipeline.training.request import TrainingRequest
from texelscope.pipeline.training.trainer import Trainer, TrainerOptions
from texelscope.pipeline.training.weights import weights_of

if TYPE_CHECKING:
    import moderngl


# The inputs, by name, and the target of a step, counted from 0.
At = Callable[[int], tuple[Mapping[str, NDArray[Any]], NDArray[Any]]]


class Lesson:
    """`trainer` learns what `asked` describes. A model with several inputs gets a new first one each step."""

    def __init__(self, target: Target, asked: TrainingRequest, context: moderngl.Context | None = None) -> None:
        """Makes a `Trainer`, with its own context without a `context`.
        Raises TexelscopeError for a target that is no model, and for missing examples, weights or losses.
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
        """Begins a step as `Trainer.begin`, with the next examples."""
        self.trainer.begin(*self._at(self.trainer.steps))

    def step(self) -> float:
        """Runs a step as `Trainer.step`, with the next examples."""
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
        self._at(0)  # reports unreadable files before anything runs


def optimiser_called(name: str, rate: float) -> Optimiser:
    """Returns the optimiser of that name. Raises TexelscopeError if there is none."""
    if name not in OPTIMISERS:
        known = [*OPTIMISERS]
        raise TexelscopeError("optimiser", f"one of {', '.join(known)}", f"'{name}'", nearest(name, known))
    return OPTIMISERS[name](rate)


def chosen_weights(graph: Graph, words: str) -> tuple[str, ...]:
    """Returns the names that `words` stand for, as `trainable` takes them: a word that is no weight's name is a prefix.

    Without words it returns those of the last layer that has any.
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
