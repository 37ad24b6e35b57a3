"""Guesses which weights of a model a shader has in uniforms, by how many numbers these hold."""

from __future__ import annotations

import math
from collections.abc import Mapping

from texelscope.pipeline.draft.bindings import BoundShader
from texelscope.pipeline.draft.model_parts import is_vector
from texelscope.pipeline.draft.names import words
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.pipeline_file.declarations import Uniform

# Fewer numbers than this are a size or a constant of the shader's own.
_FEWEST = 3


def weights_in_uniforms(bound: BoundShader, graph: Graph) -> Mapping[str, tuple[str, str]]:
    """Returns by uniform the weight of the model that it holds, and its kind: `weights` or `vector`.

    A weight that a sampler or a block reads is none. Of several with as many numbers, names decide; if they do not,
    the uniform is left out.
    """
    read = {each.tensor for each in bound.bindings}
    left = [each for each in (bound.part.constants if bound.part is not None else ()) if each not in read]
    found: dict[str, tuple[str, str]] = {}
    for uniform in bound.shader.uniforms:
        count = _count(uniform)
        fitting = [each for each in left if math.prod(graph.tensors[each].shape) == count]
        named = [each for each in fitting if set(words(each)) & set(words(uniform.name))]
        best = named if len(named) == 1 else fitting
        if count >= _FEWEST and len(best) == 1:
            found[uniform.name] = best[0], "vector" if is_vector(graph, best[0]) else "weights"
            left.remove(best[0])
    return found


def _count(uniform: Uniform) -> int:
    return (uniform.number_count or 0) if uniform.kind == "float" else 0
