"""Finds the numpy versions of operators: every module of a folder lists some, validated when it is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import ModuleType

from texelscope.pipeline.arithmetic.invocation import Evaluate
from texelscope.pipeline.discovery import functions_in


@cache  # an oracle is made for each model, the folders stay unchanged
def discover(package: ModuleType) -> Mapping[str, Evaluate]:
    """Returns operator name → the function that evaluates it. Raises TexelscopeError naming a bad file."""
    return functions_in(package, "an Invocation", like='{"Conv": conv}', what="a version of an operator")
