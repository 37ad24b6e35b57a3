"""Lists operators that are written as several of ONNX's own: their domains and folders."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import ModuleType

from texelscope.pipeline import model_file
from texelscope.pipeline.model_file.contrib import registry as contrib
from texelscope.pipeline.model_file.contrib.writer import Write


@cache
def folders() -> Mapping[str, ModuleType]:
    """Returns by domain: the folder beside this module that defines it in `DOMAIN`, with a `TITLE` for listings.

    ONNX Runtime's operators have a separate registry.
    """
    packages = [each.name for each in pkgutil.iter_modules(model_file.__path__) if each.ispkg]
    modules = (importlib.import_module(f"{model_file.__name__}.{name}") for name in packages)
    return {module.DOMAIN: module for module in modules if hasattr(module, "DOMAIN")}


def writes(domain: str, op_type: str) -> Write | None:
    """Returns the function that writes a node of that type in ONNX's own operators; None for an unknown one."""
    return contrib.writes(domain, op_type) or written(domain).get(op_type)


@cache
def written(domain: str) -> Mapping[str, Write]:
    """Returns a domain's operator type → `write`. Raises TexelscopeError naming the file of a bad or doubled entry."""
    folder = folders().get(domain)
    return {} if folder is None else contrib.discover(folder)


def described() -> Mapping[str, Mapping[str, str]]:
    """Returns by folder title: operator type → what it does."""
    return {folder.TITLE: contrib.said_of(written(domain)) for domain, folder in folders().items()}
