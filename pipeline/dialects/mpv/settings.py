"""Sets a file's //!PARAM numbers as a user chooses: `--param NAME=NUMBER`, or the name of an ENUM's value."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from texelscope.pipeline.dialects.mpv.blocks import HookParameter, UserShader
from texelscope.pipeline.errors import TexelscopeError, nearest


def with_parameters(shader: UserShader, values: Mapping[str, str]) -> UserShader:
    """Returns the file with other initial numbers, by the names of its parameters.

    Raises TexelscopeError for a name that is none of them, and for what the parameter does not take.
    """
    parameters = with_values(shader.parameters, values, f"a //!PARAM of {shader.path}")
    return dataclasses.replace(shader, parameters=parameters)


def with_values(
    parameters: Sequence[HookParameter], values: Mapping[str, str], called: str
) -> tuple[HookParameter, ...]:
    """Returns parameters with other initial numbers, by their names; `called` says what a parameter is.

    Raises TexelscopeError as `with_parameters`.
    """
    known = {each.name: each for each in parameters}
    for name in values:
        if name not in known:
            got = f"'{name}'" if known else "a file without any"
            advice = nearest(name, known) if known else "Leave it out."
            raise TexelscopeError(f"--param {name}", called, got, advice)
    return tuple(
        dataclasses.replace(each, initial=_number(each, values[each.name])) if each.name in values else each
        for each in parameters
    )


def written(parameter: HookParameter, number: float) -> str:
    """Returns the nearest value that a parameter takes, as `--param` takes it."""
    low, high = _limits(parameter)
    number = min(max(number, low), high)
    return f"{number:.9g}" if parameter.type == "float" else str(round(number))


def how_to_set(parameter: HookParameter) -> str:
    """Returns the option that sets a parameter, and what it takes."""
    return f"--param {parameter.name}=NUMBER, with {_taken(parameter)}"


def _number(parameter: HookParameter, text: str) -> float:
    if text in parameter.choices:
        return float(parameter.choices.index(text))
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    low, high = _limits(parameter)
    if not low <= number <= high or math.isinf(number) or (parameter.type != "float" and not number.is_integer()):
        raise TexelscopeError(f"--param {parameter.name}", _taken(parameter), f"'{text}'", "Give another.")
    return number


def _limits(parameter: HookParameter) -> tuple[float, float]:
    low = parameter.minimum if parameter.minimum is not None else -math.inf
    if parameter.type == "uint":
        low = max(low, 0.0)
    return low, parameter.maximum if parameter.maximum is not None else math.inf


def _taken(parameter: HookParameter) -> str:
    if parameter.choices:
        return f"one of {', '.join(parameter.choices)}"
    low, high = _limits(parameter)
    kind = "a number" if parameter.type == "float" else "a whole number"
    return f"{kind}{f' from {low:g}' if low > -math.inf else ''}{f' to {high:g}' if high < math.inf else ''}"
