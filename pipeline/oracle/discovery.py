"""Finds the fast versions: every module of a folder, validated when it is loaded."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType

from pipeline.errors import TexelscopeError
from pipeline.oracle.invocation import Invocation, Outputs

Evaluate = Callable[[Invocation], Outputs | None]


def discover(package: ModuleType) -> Mapping[str, Evaluate]:
    """Operator name → `evaluate`, from the modules of `package`.

    Raises TexelscopeError, naming the file, for a module that cannot be imported, that lacks `OPERATOR` or
    `evaluate`, or that claims an operator which another module has.
    """
    found: dict[str, Evaluate] = {}
    for info in pkgutil.iter_modules(package.__path__):
        name = f"{package.__name__}.{info.name}"
        try:
            module = importlib.import_module(name)
        except Exception as error:
            raise TexelscopeError(name, "a module that imports", f"{error}", "Correct it or take it away.") from error
        operator, evaluate = _validated(module)
        if operator in found:
            raise TexelscopeError(_file(module), "an operator of its own", f"a second '{operator}'", "Merge the two.")
        found[operator] = evaluate
    return MappingProxyType(found)


def _validated(module: ModuleType) -> tuple[str, Evaluate]:
    operator = getattr(module, "OPERATOR", None)
    evaluate = getattr(module, "evaluate", None)
    if not isinstance(operator, str):
        raise TexelscopeError(
            _file(module), "OPERATOR to name an ONNX operator", repr(operator), 'Add a line like OPERATOR = "Conv".'
        )
    if not callable(evaluate):
        raise TexelscopeError(
            _file(module), "a function evaluate(invocation)", repr(evaluate), "See pipeline/oracle/fast/__init__.py."
        )
    return operator, evaluate


def _file(module: ModuleType) -> str:
    return module.__file__ or module.__name__
