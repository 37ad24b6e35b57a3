"""Lists operators that are written as several of ONNX's own: the functions in the folder of each domain."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import ModuleType

from texelscope.pipeline import model_file
from texelscope.pipeline.discovery import first_line, functions_in
from texelscope.pipeline.graph import CONTRIB_DOMAIN
from texelscope.pipeline.model_file.contrib.writer import Write

# All expansions are written with it.
SHARED = ("writer",)

# Optimised models have these in ONNX's domain, from before ONNX had them or although it never did.
_IN_PLAIN_DOMAIN = frozenset({"LayerNormalization", "SimplifiedLayerNormalization"})


@cache
def folders() -> Mapping[str, ModuleType]:
    """Returns by domain: the folder beside this module that defines it in `DOMAIN`, with a `TITLE` for listings.

    ONNX Runtime's operators have no title: listings have a separate section for them.
    """
    packages = [each.name for each in pkgutil.iter_modules(model_file.__path__) if each.ispkg]
    modules = (importlib.import_module(f"{model_file.__name__}.{name}") for name in packages)
    return {module.DOMAIN: module for module in modules if hasattr(module, "DOMAIN")}


def writes(domain: str, op_type: str) -> Write | None:
    """Returns the function that writes a node of that type in ONNX's own operators; None for an unknown one."""
    is_contributed = domain == "" and op_type in _IN_PLAIN_DOMAIN
    return written(CONTRIB_DOMAIN if is_contributed else domain).get(op_type)


@cache
def written(domain: str) -> Mapping[str, Write]:
    """Returns a domain's operators by type. Raises TexelscopeError naming the file of a bad or doubled entry."""
    folder = folders().get(domain)
    return {} if folder is None else discover(folder)


def described() -> Mapping[str, Mapping[str, str]]:
    """Returns by folder title: operator type → the description in the first sentence of its function."""
    return {folder.TITLE: described_in(domain) for domain, folder in folders().items() if hasattr(folder, "TITLE")}


def described_in(domain: str) -> dict[str, str]:
    """Returns the descriptions of one domain."""
    lines = {name: first_line(write).partition(": ")[2] for name, write in written(domain).items()}
    return {name: line.partition(". ")[0].rstrip(".") for name, line in lines.items()}


def discover(package: ModuleType) -> Mapping[str, Write]:
    """Returns the operators in the modules of `package`, by type."""
    return functions_in(package, "a Writer", like='{"Gelu": gelu}', what="an operator", without=SHARED)
