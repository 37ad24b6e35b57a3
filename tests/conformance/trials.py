"""A small node of every operator at every version that it ever had: what the schema asks for, or a recipe.

ONNX's own cases are of the newest versions; models are of any. A trial is a model of one node, with inputs of a few
elements, under the opset of the version and under the last one before the next version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper

from tests.conformance.cases import Array
from tests.conformance.recipes import RECIPES
from tests.conformance.recipes.recipe import Chain, Recipe, numbers
from texelscope.pipeline.operators.families.registry import all_operators

SHAPE = (2, 3, 4, 5)
# The first of these that a schema allows; operators of floats are meant for float32.
_PREFERRED = ("float", "bool", "int64", "int32", "uint32")
_DTYPES = {"float": np.float32, "bool": np.bool_, "int64": np.int64, "int32": np.int32, "uint32": np.uint32}
# What was withdrawn before opset 1, by ONNX's word.
DOMAINS = ("", "ai.onnx.preview")


@dataclass(frozen=True)
class Trial:
    """One model: `version` is that of the schema, `opset` that of the model, `case` which recipe of several it is."""

    operator: str
    version: int
    opset: int
    case: int
    model: onnx.ModelProto
    inputs: Mapping[str, Array]

    @property
    def name(self) -> str:
        """As a failure calls it."""
        return f"{self.operator} {self.opset}" + (f", recipe {self.case + 1}" if self.case else "")


def trials(operator: str) -> Iterator[Trial]:
    """All trials of an operator, the oldest first. Raises LookupError for a schema that needs a recipe and has none."""
    schemas = history()[operator]
    for schema in schemas:
        following = _next(schema)
        newest = defs.onnx_opset_version() if not schema.domain else schema.since_version
        last = following - 1 if following else max(newest, schema.since_version)
        for case, recipe in enumerate(_recipes(schema)):
            for opset in sorted({schema.since_version, last}):
                yield _trial(schema, recipe, opset, case)


@cache
def history() -> Mapping[str, list[defs.OpSchema]]:
    """By operator that runs, its schemas, the oldest first; without those that only withdraw it."""
    found: defaultdict[str, list[defs.OpSchema]] = defaultdict(list)
    for schema in sorted(defs.get_all_schemas_with_history(), key=lambda each: each.since_version):
        if (
            schema.domain in DOMAINS
            and not schema.deprecated
            and (schema.name in all_operators() or schema.name in RECIPES)
        ):
            found[schema.name].append(schema)
    return found


def _next(schema: defs.OpSchema) -> int | None:
    """The version that follows or withdraws it."""
    return min(
        (version for version in _versions()[schema.domain, schema.name] if version > schema.since_version), default=None
    )


@cache
def _versions() -> Mapping[tuple[str, str], set[int]]:
    found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for schema in defs.get_all_schemas_with_history():
        found[schema.domain, schema.name].add(schema.since_version)
    return found


def _recipes(schema: defs.OpSchema) -> list[Recipe]:
    if schema.name in RECIPES:
        return RECIPES[schema.name](schema.since_version)
    missing = [name for name, attribute in schema.attributes.items() if attribute.required]
    if missing:
        raise LookupError(f"{schema.name} {schema.since_version} needs a recipe: {', '.join(missing)} is required")
    return [Recipe(tuple(_generated(schema, position) for position in range(schema.min_input)), {})]


def _generated(schema: defs.OpSchema, position: int) -> Array:
    formal = schema.inputs[min(position, len(schema.inputs) - 1)]
    allowed = {name.removeprefix("tensor(").removesuffix(")") for name in formal.types}
    name = next(each for each in _PREFERRED if each in allowed)
    return numbers(*SHAPE, seed=position, dtype=_DTYPES[name])


def _trial(schema: defs.OpSchema, recipe: Recipe, opset: int, case: int) -> Trial:
    tensors = (*recipe.inputs, *recipe.beside)
    names = [f"in{position}" if value is not None else "" for position, value in enumerate(tensors)]
    given = {name: value for name, value in zip(names, tensors, strict=True) if value is not None}
    known = {names[position] for position in recipe.known} if recipe.known is not None else {
        name for name, value in given.items() if name != names[0] and value.dtype.kind in "biu"
    }  # fmt: skip
    attributes = dict(recipe.attributes)
    if "consumed_inputs" in schema.attributes:
        attributes.setdefault("consumed_inputs", [0] * len(recipe.inputs))
    outputs = [f"out{position}" for position in range(recipe.outputs)]
    chain = recipe.chain or Chain((), tuple(names[: len(recipe.inputs)]), (), tuple(outputs))
    node = helper.make_node(schema.name, chain.names, outputs, name="node", domain=schema.domain, **attributes)
    graph = helper.make_graph(
        [*chain.before, node, *chain.after], "trial",
        [_declared(name, value) for name, value in given.items() if name not in known],
        [onnx.ValueInfoProto(name=name) for name in chain.results],
        [numpy_helper.from_array(given[name], name) for name in sorted(known)],
    )  # fmt: skip
    opsets = {"": opset} if not schema.domain else {"": defs.onnx_opset_version(), schema.domain: opset}
    imports = [helper.make_opsetid(domain, version) for domain, version in opsets.items()]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8)
    runtime = {name: value for name, value in given.items() if name not in known}
    return Trial(schema.name, schema.since_version, opset, case, model, runtime)


def _declared(name: str, value: Array) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
