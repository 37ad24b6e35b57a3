"""Lists operators that are written as several of ONNX's own: their domains and folders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from texelscope.pipeline.model_file import experimental, ml, training
from texelscope.pipeline.model_file.contrib import registry as contrib
from texelscope.pipeline.model_file.contrib.registry import Write

# By domain; ONNX Runtime's have a separate registry.
FOLDERS = {"": experimental, "ai.onnx.ml": ml, "ai.onnx.preview.training": training}

TITLES = {
    "": "Experimental operators before opset 10",
    "ai.onnx.ml": "Operators of ai.onnx.ml",
    "ai.onnx.preview.training": "Steps of training",
}


def writes(domain: str, op_type: str) -> Write | None:
    """Returns the function that writes a node of that type in ONNX's own operators; None for an unknown one."""
    return contrib.writes(domain, op_type) or written(domain).get(op_type)


@cache
def written(domain: str) -> Mapping[str, Write]:
    """Returns a domain's operator type → `write`. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return contrib.discover(FOLDERS[domain]) if domain in FOLDERS else {}


def described() -> Mapping[str, Mapping[str, str]]:
    """Returns by folder title: operator type → what it does."""
    return {title: contrib.said_of(written(domain)) for domain, title in TITLES.items()}
