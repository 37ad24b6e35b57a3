"""Evaluates the functions beside a pipeline file as an oracle: numpy in, numpy out, one function a tensor.

A function does not state its rounding, so the bound is an estimate: how far its result moves when every input moves by
one rounding, up or down at random (Monte Carlo arithmetic, Parker 1997, without changes to the program). A pass sums in
another order than numpy, hence the factors. Values are computed in float64.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import DeadlineError, check
from texelscope.pipeline.errors import TexelscopeError, one_line, said_by
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, UNIT_ROUNDOFF
from texelscope.pipeline.oracle.contained import EndingError, Interrupt, contained
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import OracleFile, Pass, Plan

Array = NDArray[Any]

# Evaluations with moved inputs, beside the one with the inputs themselves.
_TRIALS = 4
# A running sum of k terms rounds k times where a moved term moves it once; it errs by √k as much at most, in
# practice. 32 covers k = 1,000; 16 u·|y| covers sums whose terms have one sign.
_MOVES = 32.0
_ROUNDINGS = 16.0


class FunctionOracle:
    """Evaluates the functions of a trusted `OracleFile`. Making it runs the file's text."""

    def __init__(self, plan: Plan, *, numpy: Any = np) -> None:
        """`numpy` replaces numpy for the functions. Raises TexelscopeError for a file that does not run."""
        assert plan.oracle_file is not None
        assert plan.oracle_file.trusted
        self._plan = plan
        self._file = plan.oracle_file
        self._namespace = _run(self._file)
        self._namespace.update({name: numpy for name, value in self._namespace.items() if value is np})
        self._makers = _makers(plan)

    def in_frame(self, plan: Plan) -> FunctionOracle:
        """Returns the same functions for the plan of another frame, in which uniforms may have other values."""
        oracle = copy.copy(self)
        oracle._plan, oracle._makers = plan, _makers(plan)
        return oracle

    def chained(
        self,
        inputs: Mapping[str, Array],
        *,
        gaps: dict[str, str] | None = None,
        carried: Mapping[str, Expected] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> dict[str, Expected]:
        """Returns every tensor that has a function, pass by pass, with its accumulated rounding, estimated.

        Inputs are exact but for the `carried` ones, which an earlier frame computed. `progress` gets the finished share
        before each pass.

        Tensors behind a function that fails are left out; `isolated` reports its error, and so does `gaps`.
        """
        gaps = {} if gaps is None else gaps
        worlds = [dict(inputs) for _ in range(_TRIALS + 1)]
        found = {name: Expected(value, None) for name, value in inputs.items()} | dict(carried or {})
        for name, before in (carried or {}).items():
            for world, value in zip(worlds[1:], before.trials, strict=False):
                world[name] = value
        handed_on = {self._plan.textures[each.of].tensor for each in self._plan.frames.carried}
        for done, each in enumerate(self._plan.passes):
            check()
            if progress is not None:
                progress(done / len(self._plan.passes))
            for key in each.outputs:
                name = self._plan.textures[key].tensor
                missing = [need for need in self._reads(each) if need not in worlds[0]]
                if key not in self._file.functions or missing:
                    gaps[name] = f"Needs '{missing[0]}', which has no oracle." if missing else "It has no function."
                    continue
                try:
                    values = self._trials(each, key, worlds)
                except TexelscopeError as error:
                    gaps[name] = str(error)
                    continue
                for world, value in zip(worlds, values, strict=True):
                    world[name] = value
                found[name] = _expected(values)
                if name in handed_on:
                    found[name] = replace(found[name], trials=tuple(values[1:]))
        return found

    def isolated(
        self, given: Mapping[str, Array], wanted: str, *, errors: Mapping[str, Array] | None = None
    ) -> Expected | None:
        """Returns the tensor `wanted` of the pass that makes it; None without a function for it.

        Raises TexelscopeError, with the line in the file, for a function that fails or returns another shape.
        """
        if wanted not in self._makers:
            return None
        each, key = self._makers[wanted]
        if key not in self._file.functions:
            return None
        return _expected(self._trials(each, key, [given] * (_TRIALS + 1)))

    def _reads(self, shader_pass: Pass) -> list[str]:
        stored = [self._plan.textures[key] for key in shader_pass.reads]
        return [tensor.tensor for tensor in stored if tensor.role != "constant"]

    def _trials(self, shader_pass: Pass, key: str, worlds: Sequence[Mapping[str, Array]]) -> list[Array]:
        """Returns the function's results: on the inputs themselves, then on moved inputs."""
        random = np.random.default_rng(0)
        results = []
        for number, world in enumerate(worlds):
            tensors = {key: self._value(key, world, random if number else None) for key in shader_pass.reads}
            results.append(self._call(shader_pass, key, tensors))
        return results

    def _value(self, key: str, world: Mapping[str, Array], random: np.random.Generator | None) -> Array:
        stored = self._plan.textures[key]
        value = world.get(stored.tensor)
        if value is None:
            value = self._plan.constant(stored.tensor)
        exact = np.asarray(value, dtype=np.float64).reshape(stored.shape)
        return exact if random is None else _moved(exact, random)

    def result(self, shader_pass: Pass, key: str, tensors: Mapping[str, Array]) -> Array:
        """Returns the function's value for a pass's output from tensors by key, of whatever shapes they have.

        Raises TexelscopeError, with the line in the file, for a function that fails.
        """
        made: Array = self._returned(shader_pass, key, tensors, np.asarray)
        return made

    def made(self, shader_pass: Pass, key: str, tensors: Mapping[str, Any]) -> Any:
        """Returns what `result` does, for any array-like tensors, without converting it."""
        return self._returned(shader_pass, key, tensors, lambda value: value)

    def _returned(self, shader_pass: Pass, key: str, tensors: Mapping[str, Any], taken: Callable[[Any], Any]) -> Any:
        """`taken` is guarded as the function is: it may run the file's code too."""
        name = self._file.functions[key]
        function = self._namespace.get(name)
        if not callable(function):
            raise TexelscopeError(
                f"{self._file.path}", f"a function '{name}'", type(function).__name__, "Define it at the top level."
            )
        with np.errstate(all="ignore"):
            return _guarded(
                self._file, name, lambda: taken(function(**self._arguments(shader_pass, function, tensors)))
            )

    def _call(self, shader_pass: Pass, key: str, tensors: Mapping[str, Array]) -> Array:
        result, name = self.result(shader_pass, key, tensors), self._file.functions[key]
        shape = self._plan.textures[key].shape
        if result.shape != shape or result.dtype.kind not in "fiub":
            raise TexelscopeError(
                f"{self._file.path}: {name}()",
                f"real numbers of shape {list(shape)}",
                f"{result.dtype.name}{list(result.shape)}",
                f"Return the tensor as the pass '{shader_pass.name}' has it.",
            )
        return result.astype(np.float64)

    def _arguments(
        self, shader_pass: Pass, function: Callable[..., Any], tensors: Mapping[str, Array]
    ) -> dict[str, Any]:
        """Returns the arguments for the function's parameters: see `argument_names`."""
        offered: dict[str, Any] = {}
        for name, origin in argument_names(self._plan, shader_pass).items():
            offered[name] = (
                _argument(self._plan.textures[origin].dtype, tensors[origin])
                if origin in tensors
                else shader_pass.uniforms[origin]
            )
        parameters = inspect.signature(function).parameters.values()
        if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
            return offered
        return {parameter.name: offered[parameter.name] for parameter in parameters if parameter.name in offered}


def _makers(plan: Plan) -> dict[str, tuple[Pass, str]]:
    """Returns by tensor the pass that makes it, and its key."""
    return {plan.textures[key].tensor: (each, key) for each in plan.passes for key in each.outputs}


def _argument(dtype: str, value: Any) -> Any:
    """Returns a tensor of whole numbers as int64, so that it can be an index; any other, and a stand-in, as it is."""
    if not is_integer(dtype) or not isinstance(value, np.ndarray) or not np.array_equal(value, np.rint(value)):
        return value
    return value.astype(np.int64)


def argument_names(plan: Plan, shader_pass: Pass) -> dict[str, str]:
    """Maps the possible parameter names of a function of the pass to the key of the tensor, or to the uniform.

    A tensor has the name of its sampler, block or image and its own, other characters replaced by `_`; a
    uniform by its name.
    """
    names = {name: name for name in shader_pass.uniforms}
    for key in shader_pass.reads:
        names.update({_identifier(plan.textures[key].tensor): key, _identifier(key): key})
    return names | dict(shader_pass.bound_reads)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _moved(value: Array, random: np.random.Generator) -> Array:
    """Moves every element one unit round-off up or down; whole numbers stay, they are exact on both sides."""
    if np.array_equal(value, np.rint(value), equal_nan=True):
        return value
    return value * (1.0 + UNIT_ROUNDOFF["float32"] * random.choice((-1.0, 1.0), size=value.shape))


def _expected(values: Sequence[Array]) -> Expected:
    first, *moved = values
    with np.errstate(all="ignore"):
        moves = np.nan_to_num(np.max([np.abs(other - first) for other in moved], axis=0), nan=0.0)
        typical = np.sqrt(np.mean(np.square(moves))) / 4.0  # four trials may all happen to cancel in one element
        bound = _MOVES * np.maximum(moves, typical) + _ROUNDINGS * UNIT_ROUNDOFF["float32"] * np.abs(first)
    return Expected(first, np.nan_to_num(bound, nan=0.0, posinf=np.inf) + SMALLEST_NORMAL)


def _run(file: OracleFile) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "oracle", "__file__": file.path}
    with contained() as interrupt:
        try:
            exec(compile(file.text, file.path, "exec"), namespace)
        except BaseException as error:
            _let_through(error, interrupt)
            raise TexelscopeError(_place(file, error), "Python that runs", _text(error), "Correct it.") from error
    return namespace


def _guarded(file: OracleFile, name: str, call: Callable[[], Any]) -> Any:
    with contained() as interrupt:
        try:
            check()
            return call()
        except DeadlineError:
            raise
        except BaseException as error:
            _let_through(error, interrupt)
            who = f"{_place(file, error)}: {name}()"
            raise TexelscopeError(who, "a function that returns an array", _text(error), "Correct it.") from error


def _place(file: OracleFile, error: BaseException) -> str:
    """Returns `oracle.py:12`, the deepest line of the file that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename == file.path:
        return f"{file.path}:{error.lineno}"
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file.path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return file.path if line is None else f"{file.path}:{line}"


def _let_through(error: BaseException, interrupt: Interrupt) -> None:
    """Raises again what interrupts from the keyboard; whatever else the file raises, even to exit, is its fault."""
    if isinstance(error, KeyboardInterrupt) and interrupt.was_made:
        raise error


def _text(error: BaseException) -> str:
    """Returns a syntax error's text without the place, which stands before it."""
    if isinstance(error, EndingError):
        return one_line(str(error))
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {one_line(str(error.msg))}"
    return said_by(error, with_type=True)
