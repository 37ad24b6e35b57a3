"""Operators that are written as several of ONNX's own: whose they are, and the folder that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from texelscope.pipeline.model_file import experimental, ml, training
from texelscope.pipeline.model_file.contrib import registry as contrib
from texelscope.pipeline.model_file.contrib.registry import Write

# By domain; those of ONNX Runtime have a registry of their own.
FOLDERS = {"": experimental, "ai.onnx.ml": ml, "ai.onnx.preview.training": training}

TITLES = {
    "": "Operators on trial before opset 10",
    "ai.onnx.ml": "Operators of ai.onnx.ml",
    "ai.onnx.preview.training": "Steps of training",
}


def writes(domain: str, op_type: str) -> Write | None:
    """What writes a node of that type in ONNX's own operators; None for one that is not known here."""
    return contrib.writes(domain, op_type) or written(domain).get(op_type)


@cache
def written(domain: str) -> Mapping[str, Write]:
    """Operator type → its `write`, of a domain. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return contrib.discover(FOLDERS[domain]) if domain in FOLDERS else {}


def described() -> Mapping[str, Mapping[str, str]]:
    """Of each folder, by its title: operator type → what it does."""
    return {title: contrib.said_of(written(domain)) for domain, title in TITLES.items()}
