"""Finds the inputs of a model that a shader computes instead of reading them, such as positions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, StoredTensor

# What tells a shader where its element lies.
_OWN_PLACE = re.compile(
    r"\b(?:gl_FragCoord|gl_GlobalInvocationID|gl_WorkGroupID|varying|in\s{1,9}(?:highp )?vec[234])\b"
)


def with_computed_inputs(
    shader_pass: Pass, textures: Mapping[str, StoredTensor], inputs: Sequence[str], oracle: GraphOracle
) -> Pass:
    """Returns the pass with those of the `inputs`, by key, that its oracle needs and its shader computes.

    A shader that reads the result of another pass, or has nothing that tells its place, computes none.
    """
    given = {key: textures[key].tensor for key in inputs if key in textures}
    read = [key for key in shader_pass.reads if textures[key].role != "constant"]
    if not _OWN_PLACE.search(shader_pass.program.fragment) or any(key not in given for key in read):
        return shader_pass
    own, wanted = [textures[key].tensor for key in shader_pass.reads], textures[shader_pass.output].tensor
    needed = []
    for key, tensor in given.items():
        others = [each for each in given.values() if each != tensor]
        if tensor not in own and not _is_determined(oracle, [*own, *others], wanted):
            needed.append(key)
    return dataclasses.replace(shader_pass, computed_inputs=tuple(needed)) if needed else shader_pass


def _is_determined(oracle: GraphOracle, given: Sequence[str], wanted: str) -> bool:
    try:
        oracle.between(given, wanted)
    except TexelscopeError:
        return False
    return True
