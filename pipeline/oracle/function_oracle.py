"""The oracle of a pipeline file with functions: numpy in, numpy out, one function a tensor.

A function says nothing of its rounding, so that the bound is an estimate: how far its result moves when every
input moves by one rounding, up or down at random (Monte Carlo arithmetic, Parker 1997, without changes to the
program). A pass adds up in another order than numpy, hence the factors. Values are computed in float64.
"""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import DeadlineError, check
from texelscope.pipeline.errors import TexelscopeError, one_line, said_by
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import OracleFile, Pass, Plan

Array = NDArray[Any]

# Evaluations with inputs moved, beside the one with inputs as they are.
_TRIALS = 4
# A running sum of k terms rounds k times where a moved term moves it once; it errs by √k as much at most, in
# practice. 32 covers k = 1,000; 16 u·|y| covers sums whose terms have one sign.
_MOVES = 32.0
_ROUNDINGS = 16.0


class FunctionOracle:
    """Evaluates the functions of a trusted `OracleFile`. Making it runs the file's text."""

    def __init__(self, plan: Plan, *, numpy: Any = np) -> None:
        """`numpy` is what functions find in numpy's place. Raises TexelscopeError for a file that does not run."""
        assert plan.oracle_file is not None
        assert plan.oracle_file.trusted
        self._plan = plan
        self._file = plan.oracle_file
        self._namespace = _run(self._file)
        self._namespace.update({name: numpy for name, value in self._namespace.items() if value is np})
        self._makers = {plan.textures[key].tensor: (each, key) for each in plan.passes for key in each.outputs}

    def chained(self, inputs: Mapping[str, Array], *, gaps: dict[str, str] | None = None) -> dict[str, Expected]:
        """Every tensor that has a function, pass by pass, with the estimated rounding of the whole way.

        Tensors behind a function that fails are left out; `isolated` says what is wrong with it, and `gaps` gets it.
        """
        gaps = {} if gaps is None else gaps
        worlds = [dict(inputs) for _ in range(_TRIALS + 1)]
        found = {name: Expected(value, None) for name, value in inputs.items()}
        for each in self._plan.passes:
            check()
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
        return found

    def isolated(
        self, given: Mapping[str, Array], wanted: str, *, errors: Mapping[str, Array] | None = None
    ) -> Expected | None:
        """The tensor `wanted` of the pass that makes it; None without a function for it.

        Raises TexelscopeError, with the line in the file, for a function that fails or returns another shape.
        """
        if wanted not in self._makers:
            return None
        each, key = self._makers[wanted]
        if key not in self._file.functions:
            return None
        return _expected(self._trials(each, key, [given] * (_TRIALS + 1)))

    def _reads(self, each: Pass) -> list[str]:
        stored = [self._plan.textures[key] for key in each.reads]
        return [tensor.tensor for tensor in stored if tensor.role != "constant"]

    def _trials(self, each: Pass, key: str, worlds: Sequence[Mapping[str, Array]]) -> list[Array]:
        """The function's results: on inputs as they are, then on inputs moved."""
        random = np.random.default_rng(0)
        results = []
        for number, world in enumerate(worlds):
            tensors = {key: self._value(key, world, random if number else None) for key in each.reads}
            results.append(self._call(each, key, tensors))
        return results

    def _value(self, key: str, world: Mapping[str, Array], random: np.random.Generator | None) -> Array:
        stored = self._plan.textures[key]
        value = world.get(stored.tensor)
        if value is None:
            value = self._plan.constant(stored.tensor)
        exact = np.asarray(value, dtype=np.float64).reshape(stored.shape)
        return exact if random is None else _moved(exact, random)

    def result(self, each: Pass, key: str, tensors: Mapping[str, Array]) -> Array:
        """What the function of a pass's output makes of tensors by key, of whatever shapes they have.

        Raises TexelscopeError, with the line in the file, for a function that fails.
        """
        made: Array = self._returned(each, key, tensors, np.asarray)
        return made

    def made(self, each: Pass, key: str, tensors: Mapping[str, Any]) -> Any:
        """As `result`, of whatever behaves as arrays do, and as it comes back."""
        return self._returned(each, key, tensors, lambda value: value)

    def _returned(self, each: Pass, key: str, tensors: Mapping[str, Any], taken: Callable[[Any], Any]) -> Any:
        """`taken` is guarded as the function is: it may run code of the file's too."""
        name = self._file.functions[key]
        function = self._namespace.get(name)
        if not callable(function):
            raise TexelscopeError(
                f"{self._file.path}", f"a function '{name}'", type(function).__name__, "Define it at the top level."
            )
        with np.errstate(all="ignore"):
            return _guarded(self._file, name, lambda: taken(function(**self._arguments(each, function, tensors))))

    def _call(self, each: Pass, key: str, tensors: Mapping[str, Array]) -> Array:
        result, name = self.result(each, key, tensors), self._file.functions[key]
        shape = self._plan.textures[key].shape
        if result.shape != shape or result.dtype.kind not in "fiub":
            raise TexelscopeError(
                f"{self._file.path}: {name}()",
                f"real numbers of shape {list(shape)}",
                f"{result.dtype.name}{list(result.shape)}",
                f"Return the tensor as the pass '{each.name}' has it.",
            )
        return result.astype(np.float64)

    def _arguments(self, each: Pass, function: Callable[..., Any], tensors: Mapping[str, Array]) -> dict[str, Any]:
        """What the function's parameters ask for: see `argument_names`."""
        offered: dict[str, Any] = {}
        for name, origin in argument_names(self._plan, each).items():
            offered[name] = tensors[origin] if origin in tensors else each.uniforms[origin]
        parameters = inspect.signature(function).parameters.values()
        if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
            return offered
        return {parameter.name: offered[parameter.name] for parameter in parameters if parameter.name in offered}


def argument_names(plan: Plan, each: Pass) -> dict[str, str]:
    """What a function of the pass may call its parameters → key of the tensor, or uniform, that it then gets.

    A tensor goes by the name of its sampler, block or image and by its own, other characters replaced by `_`; a
    uniform by its name.
    """
    names = {name: name for name in each.uniforms}
    for key in each.reads:
        names.update({_identifier(plan.textures[key].tensor): key, _identifier(key): key})
    return names | dict(each.bound_reads)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _moved(value: Array, random: np.random.Generator) -> Array:
    """Every element one unit round-off up or down; whole numbers stay, they are exact on both sides."""
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
    try:
        exec(compile(file.text, file.path, "exec"), namespace)
    except BaseException as error:
        _let_through(error)
        raise TexelscopeError(_place(file, error), "Python that runs", _text(error), "Correct it.") from error
    return namespace


def _guarded(file: OracleFile, name: str, call: Callable[[], Any]) -> Any:
    try:
        check()
        return call()
    except DeadlineError:
        raise
    except BaseException as error:
        _let_through(error)
        who = f"{_place(file, error)}: {name}()"
        raise TexelscopeError(who, "a function that returns an array", _text(error), "Correct it.") from error


def _place(file: OracleFile, error: BaseException) -> str:
    """`oracle.py:12`, the deepest line of the file that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename == file.path:
        return f"{file.path}:{error.lineno}"
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file.path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return file.path if line is None else f"{file.path}:{line}"


def _let_through(error: BaseException) -> None:
    """Raises again what a person at the keyboard asked for; whatever else the file raises, even to leave, is its fault.

    Only the main thread is interrupted from outside.
    """
    if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
        raise error


def _text(error: BaseException) -> str:
    """A syntax error without the place, which stands before it."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {one_line(str(error.msg))}"
    return said_by(error, with_type=True)
