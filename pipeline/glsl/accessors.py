"""The functions by which a shader reads its inputs, generated from where their layouts keep the elements.

Of an input X: `X(at)` by n, c, h, w; `X_linear(i)` by the place in C order; `X_group(n, group, h, w)`, four channels of
one place; `X_four(group)`, four elements that follow each other; `X_here(lane)`, the element that meets the one in a
lane of the fragment's own texel. With several inputs behind one name, `X_of(which, at)` and so on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import StoredTensor

_WORD = re.compile(r"[A-Za-z_]\w*")

_TEXEL = "ivec2(gl_FragCoord.xy)"
# Ways to read one of several inputs: suffix, what it returns, parameters.
_WAYS = (
    ("", "float", "ivec4 at"),
    ("_linear", "float", "int i"),
    ("_group", "vec4", "int n, int group, int h, int w"),
    ("_four", "vec4", "int group"),
    ("_here", "float", "int lane"),
)


def sampler_names(accessor: str, tensors: str | tuple[str, ...]) -> tuple[str, ...]:
    """The sampler uniforms behind an accessor: `t_X`, or `t_X0`, `t_X1` … for any number of inputs."""
    if isinstance(tensors, str):
        return (f"t_{accessor}",)
    return tuple(f"t_{accessor}{i}" for i in range(len(tensors)))


def shape_constants(name: str, shape: Shape, words: set[str]) -> list[str]:
    """The shape and the count of a tensor as constants, those of them that are mentioned."""
    n, c, h, w = as_nchw(shape)
    lines = []
    if f"{name}_shape" in words:
        lines.append(f"const ivec4 {name}_shape = ivec4({n}, {c}, {h}, {w});")
    if f"{name}_count" in words:
        lines.append(f"const int {name}_count = {n * c * h * w};")
    return lines


def lie_alike(tensor: StoredTensor, output: StoredTensor) -> bool:
    """Whether an element of the one is in the texel and lane of the same element of the other."""
    return tensor.layout == output.layout and as_nchw(tensor.shape) == as_nchw(output.shape)


def accessors(
    accessor: str,
    tensors: str | tuple[str, ...],
    stored: Mapping[str, StoredTensor],
    output: StoredTensor,
    words: set[str],
) -> list[str]:
    """Samplers, constants and functions of one input, or of several behind one name: what is mentioned of them."""
    lines = [f"#define HAS_{accessor}"] if f"HAS_{accessor}" in words else []
    if isinstance(tensors, str):
        return lines + _accessor(accessor, f"t_{accessor}", stored[tensors], output, words)
    ways = [way for way in _WAYS if f"{accessor}{way[0]}_of" in words]
    wanted = words | {f"{accessor}{i}{suffix}" for suffix, _, _ in ways for i in range(len(tensors))}
    for i, (sampler, tensor) in enumerate(zip(sampler_names(accessor, tensors), tensors, strict=True)):
        lines += _accessor(f"{accessor}{i}", sampler, stored[tensor], output, wanted)
    for suffix, kind, parameters in ways:
        arguments = ", ".join(parameter.split()[1] for parameter in parameters.split(", "))
        calls = [f"return {accessor}{i}{suffix}({arguments});" for i in range(len(tensors))]
        cases = [f"    if (which == {i}) {call}" for i, call in enumerate(calls[:-1])]
        head = f"{kind} {accessor}{suffix}_of(int which, {parameters}) {{"
        lines.append("\n".join([head, *cases, f"    {calls[-1]}", "}"]))
    return lines


def _accessor(name: str, sampler: str, tensor: StoredTensor, output: StoredTensor, words: set[str]) -> list[str]:
    here = [_here(name, sampler, tensor, output)] if f"{name}_here" in words else []
    four = [_four(name, sampler, tensor)] if f"{name}_four" in words else []
    words = words | set(_WORD.findall("\n".join([*here, *four])))
    lines = [f"uniform sampler2D {sampler};", *shape_constants(name, tensor.shape, words)]
    by_place = f"{name}_linear" in words or name in words
    if by_place or f"{name}_group" in words or f"{name}_texel" in words:
        lines.append(tensor.layout.glsl_texel_of(tensor.shape, f"{name}_texel").rstrip())
    if by_place:
        lane = "[p.z]" if tensor.layout.lanes > 1 else ".r"
        lines.append(
            f"float {name}(ivec4 at) {{ ivec3 p = {name}_texel(at); return texelFetch({sampler}, p.xy, 0){lane}; }}"
        )
    if f"{name}_linear" in words:
        lines.append(f"float {name}_linear(int i) {{ return {name}({_unravelled(tensor.shape)}); }}")
    if f"{name}_group" in words:
        lines.append(
            f"vec4 {name}_group(int n, int group, int h, int w) "
            f"{{ return texelFetch({sampler}, {name}_texel(ivec4(n, 4 * group, h, w)).xy, 0); }}"
        )
    return [*lines, *four, *here]


def _four(name: str, sampler: str, tensor: StoredTensor) -> str:
    """Elements 4·group to 4·group + 3 in C order, the last one again beyond the end."""
    shape = as_nchw(tensor.shape)
    last = max((axis for axis, size in enumerate(shape) if size > 1), default=3)
    head = f"vec4 {name}_four(int group) {{ int i = 4 * group; return "
    if tensor.layout.lane_axis(tensor.shape) == last:
        return f"{head}texelFetch({sampler}, {name}_texel({_unravelled(tensor.shape)}).xy, 0); }}"
    each = [f"{name}_linear({f'min(i + {k}, {math.prod(shape) - 1})' if k else 'i'})" for k in range(4)]
    return f"{head}vec4({', '.join(each)}); }}"


def _here(name: str, sampler: str, tensor: StoredTensor, output: StoredTensor) -> str:
    """The element that meets the output's in a lane of this fragment's texel; axes of size 1 are repeated."""
    head = f"float {name}_here(int lane) {{ return"
    if lie_alike(tensor, output):
        return f"{head} texelFetch({sampler}, {_TEXEL}, 0)[lane]; }}"
    own, whole = as_nchw(tensor.shape), as_nchw(output.shape)
    if math.prod(own) == 1:
        return f"{head} {name}(ivec4(0)); }}"
    axis = output.layout.lane_axis(output.shape)
    first = f"min(Y_element(ivec3({_TEXEL}, 0)), {name}_shape - 1)"
    if axis is not None and own[axis] == 1:
        return f"{head} {name}({first}); }}"
    if axis is not None and own[axis] == whole[axis] and tensor.layout.lane_axis(tensor.shape) == axis:
        return f"{head} texelFetch({sampler}, {name}_texel({first}).xy, 0)[lane]; }}"
    return f"{head} {name}(min(Y_element(ivec3({_TEXEL}, lane)), {name}_shape - 1)); }}"


def _unravelled(shape: Shape) -> str:
    """A GLSL expression for the n, c, h, w of linear index i."""
    _, c, h, w = as_nchw(shape)
    parts = []
    for stride, size in ((c * h * w, 0), (h * w, c), (w, h), (1, w)):
        quotient = "i" if stride == 1 else f"i / {stride}"
        parts.append(
            quotient if size == 0 else "0" if size == 1 else f"({quotient}) % {size}" if stride > 1 else f"i % {size}"
        )
    return f"ivec4({', '.join(parts)})"
