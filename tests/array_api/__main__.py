"""Holds every name of the array API against array-api-strict, and counts.

    python -m tests.array_api [--module NAME] [--examples N] [NAME ...]

Exits with 1 where one that applies fails. Each function is called with arguments that hypothesis draws; what
array-api-strict refuses is not asked. A name passes if it is there, takes what the standard has it take, and makes the
same types, shapes and numbers.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.array_api.cases import CASES, Outside, Type
from tests.array_api.drawn import Drawn
from tests.array_api.fetch import folder
from tests.array_api.members import MEMBERS
from tests.array_api.reasons import NOT_HERE

_CONSTANTS = ("e", "inf", "nan", "pi", "newaxis", "__array_api_version__")
_TYPES = ("bool", "int32", "int64", "float32")
# What array-api-strict has beside the standard.
_ITS_OWN = ("Device", "ArrayAPIStrictFlags", "__version__")
RTOL, ATOL = 3e-5, 3e-6


def main() -> int:
    """Runs what is named, or all; prints what fails and a line of figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.array_api")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--module", default="texelscope.pipeline.tensors.array_api", help="the namespace that is tried")
    parser.add_argument("--examples", type=int, default=10, help="calls of each function (default 10)")
    asked = parser.parse_args()
    sys.path.append(str(folder()))
    warnings.simplefilter("ignore")
    strict, tried = importlib.import_module("array_api_strict"), importlib.import_module(asked.module)
    standard = [name for name in strict.__all__ if name not in _ITS_OWN and "strict_flags" not in name]
    names = asked.names or [*standard, *MEMBERS]
    failed = {}
    for name in (each for each in names if each not in NOT_HERE):
        try:
            _try(name, strict, tried, asked.examples)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure
            failed[name] = f"{type(error).__name__}: {str(error).strip()}"
            print(f"{name}: {failed[name][:400]}")
    away = [name for name in names if name in NOT_HERE]
    applicable = len(names) - len(away)
    print(f"{applicable - len(failed)} of {applicable} names that apply pass; {len(away)} do not apply")
    for reason in dict.fromkeys(NOT_HERE[name] for name in away):
        print(f"  {', '.join(name for name in away if NOT_HERE[name] == reason)}: {reason}")
    return 1 if failed else 0


def _try(name: str, strict: ModuleType, tried: ModuleType, examples: int) -> None:
    if name in _CONSTANTS:
        np.testing.assert_equal(getattr(tried, name), getattr(strict, name))
    elif name in _TYPES:
        assert tried.zeros(1, dtype=getattr(tried, name)).dtype == getattr(tried, name)
    elif name == "__array_namespace_info__":
        _try_info(strict, tried)
    else:
        if name in CASES:
            _check_signature(getattr(strict, name), getattr(tried, name))
        _try_calls(name, strict, tried, examples)


def _try_info(strict: ModuleType, tried: ModuleType) -> None:
    info, wanted = tried.__array_namespace_info__(), strict.__array_namespace_info__()
    assert info.capabilities().keys() == wanted.capabilities().keys()
    assert info.default_device() in info.devices()
    assert {"real floating", "integral", "indexing"} <= info.default_dtypes().keys()
    assert set(info.dtypes()) <= set(wanted.dtypes())
    assert set(info.dtypes(kind=("bool", "integral"))) == {"bool", "int32", "int64"}


def _check_signature(wanted: Any, made: Any) -> None:
    """Every parameter of the standard is there, by place or by name as it has it, with its default."""
    ours = inspect.signature(made).parameters
    for place, (name, parameter) in enumerate(inspect.signature(wanted).parameters.items()):
        by_place = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        have = list(ours.values())[place] if parameter.kind is parameter.POSITIONAL_ONLY else ours.get(name)
        assert have is not None, f"no parameter {name}"
        if by_place:
            assert have.kind in (have.POSITIONAL_ONLY, have.POSITIONAL_OR_KEYWORD), f"{name} is no positional one"
        told = "Undef" not in repr(parameter.default)
        assert not told or have.default == parameter.default, f"{name} is {have.default}, not {parameter.default}"


def _try_calls(name: str, strict: ModuleType, tried: ModuleType, examples: int) -> None:
    asked: list[str] = []
    draw = MEMBERS[name].draw if name in MEMBERS else CASES[name]

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=[*HealthCheck],
        phases=[Phase.generate], report_multiple_bugs=False, print_blob=False,
    )  # fmt: skip
    @given(st.data())
    def check(data: st.DataObject) -> None:
        arguments, keywords = draw(Drawn(data))
        try:
            wanted = _called(name, strict, arguments, keywords)
        except Exception:  # noqa: BLE001 - what the standard does not define is not asked
            return
        asked.append(name)
        try:
            _check_same(_called(name, tried, arguments, keywords), wanted)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is said with the call
            said = f"{arguments} {keywords}: {type(error).__name__}: {error}"
            raise AssertionError(said.replace("\n", " ")) from None

    check()
    assert asked, "every call was refused by array-api-strict"


def _called(name: str, namespace: ModuleType, arguments: Any, keywords: Any) -> Any:
    """What the name makes of the arguments in a namespace, as numbers and names alone."""
    arguments = [_given(namespace, each) for each in arguments]
    keywords = {key: _given(namespace, value) for key, value in keywords.items()}
    of = MEMBERS[name].run if name in MEMBERS else getattr(namespace, name)
    return _plain(of(*arguments, **keywords))


def _given(namespace: ModuleType, value: Any) -> Any:
    """An argument as the namespace takes it."""
    if isinstance(value, np.ndarray):
        return namespace.asarray(value, copy=True)
    if isinstance(value, Type):
        return getattr(namespace, value)
    if isinstance(value, Outside):
        return value.array
    if isinstance(value, list | tuple) and any(isinstance(each, np.ndarray | Type) for each in value):
        return type(value)(_given(namespace, each) for each in value)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if hasattr(value, "bits"):
        names = [key for key in ("bits", "eps", "max", "min", "smallest_normal", "dtype") if hasattr(value, key)]
        return [_plain(getattr(value, key)) for key in names]
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return np.asarray(value)
    return value if isinstance(value, bool | int | float | complex | type(None)) else str(value).rpartition(".")[2]


def _check_same(made: Any, wanted: Any) -> None:
    if isinstance(wanted, list):
        assert len(made) == len(wanted), f"{len(made)} results, not {len(wanted)}"
        for one, other in zip(made, wanted, strict=True):
            _check_same(one, other)
    elif isinstance(wanted, np.ndarray):
        # Of real numbers no type was asked for: each library says which one it takes, float32 or float64.
        dtype = np.dtype(np.float32) if wanted.dtype == np.float64 else wanted.dtype
        assert made.dtype == dtype, f"{made.dtype}, not {dtype}"
        assert made.shape == wanted.shape, f"shape {made.shape}, not {wanted.shape}"
        np.testing.assert_allclose(made, wanted, rtol=RTOL, atol=ATOL)
    else:
        assert made == wanted, f"{made!r}, not {wanted!r}"


if __name__ == "__main__":
    sys.exit(main())
