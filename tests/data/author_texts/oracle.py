"""Computes what each of the texts computes, in functions named after passes."""

from __future__ import annotations

from typing import Any

import numpy as np


def _shifted(x: Any, axis: Any, by: Any) -> Any:
    """Elements `by` further along the axis, the last one repeated."""
    at = np.clip(np.arange(x.shape[axis]) + by, 0, x.shape[axis] - 1)
    return np.take(x, at, axis=axis)


def blur(u_image: Any) -> Any:
    return 0.5 * u_image + 0.25 * (_shifted(u_image, 3, 1) + _shifted(u_image, 3, -1))


def automaton(u_state0: Any, u_state1: Any) -> Any:
    here = u_state0 - 0.5
    slope = _shifted(u_state1, 3, 1) - _shifted(u_state1, 3, -1)
    return np.where(here[:, 3:] >= 0.1, here + 0.125 * slope, 0.25 * here)


def three_bright(tDiffuse: Any, exposure: Any) -> Any:
    return exposure * tDiffuse - _shifted(tDiffuse, 3, -1)


def three_pass(tDiffuse: Any) -> Any:
    return 3.0 * tDiffuse


def webgl2_gain(u_image: Any, u_gain: Any) -> Any:
    return np.tanh(u_gain * u_image)


def engine_relu(uInput: Any, slope: Any) -> Any:
    return np.where(uInput < 0, slope * uInput, uInput)


def engine_dense(sourceBuffer: Any, kernelBuffer: Any) -> Any:
    return sourceBuffer @ kernelBuffer[0, 0].T


def exported(u_image: Any) -> Any:
    return u_image[:, ::-1]


def desktop_110(image: Any) -> Any:
    return np.maximum(image, _shifted(image, 2, -1))


def desktop_330(image: Any) -> Any:
    return image * np.array([1.0, 2.0, 3.0, 4.0])[:, None, None]


def desktop_460(image: Any, other: Any) -> Any:
    return image * other + 0.5


def godot_dense(Input: Any, Weights: Any) -> Any:
    return np.maximum(Input @ Weights[0, 0].T, 0.0)


def godot_stages(source_color: Any) -> Any:
    return 3.0 * source_color * np.array([1.0, 0.5, 0.25, 2.0])[:, None, None]


def shadertoy_edges(iChannel0: Any) -> Any:
    luma = np.sum(iChannel0[:, :3] * np.array([0.25, 0.5, 0.25])[:, None, None], axis=1, keepdims=True)
    edge = np.abs(_shifted(luma, 3, 1) - _shifted(luma, 3, -1))
    return np.concatenate([iChannel0[:, :3] * edge, np.ones_like(edge)], axis=1)


def shadertoy_siren(iTime: Any) -> Any:
    at = 2.0 * (np.arange(8) + 0.5) / 8.0 - 1.0
    x, y = at[None, :, None], at[:, None, None]
    h0 = np.sin(x * np.array([1.5, -0.5, 2.0, 0.25]) + y * np.array([-1.0, 1.75, 0.5, -0.75]) + [0.1, 0.2, -0.3, 0.4])
    columns = np.array(
        [[0.5, -0.25, 0.75, 0.1], [-0.3, 0.6, 0.2, -0.8], [0.9, 0.15, -0.45, 0.35], [0.05, -0.65, 0.55, 0.7]]
    )
    h1 = np.sin(h0 @ columns + [-0.2, 0.3, 0.1, -0.1])
    out = h1 @ np.array([0.4, -0.7, 0.2, 0.6]) + 0.05 * iTime
    return np.stack([out, out, out, out * out])[None]


def shadertoy_buffers(iChannel0: Any, iChannel1: Any) -> Any:
    return sum(iChannel1[..., k : k + 1] * _shifted(iChannel0, 3, k - 1) for k in range(3))


def struct_tiles(u_image: Any) -> Any:
    return 2.0 * u_image


def vulkan_push(samplerColor: Any) -> Any:
    total = 0.5 * samplerColor
    for i, weight in ((1, 0.25), (2, 0.125)):
        total = total + 0.5 * weight * (_shifted(samplerColor, 3, i) + _shifted(samplerColor, 3, -i))
    return 2.0 * total + np.array([0.5, 0.0, -0.5, 1.0])[:, None, None]


def vulkan_separate(tColor: Any, tMask: Any) -> Any:
    return tColor * (1.0 - tMask) + tColor[..., ::-1] * tMask


def vulkan_triangle(tex: Any) -> Any:
    return 3.0 * tex


def spirv_cross(SPIRV_Cross_Combinedg_textureg_sampler: Any) -> Any:
    columns = np.array([[1, 0, 0, 0.5], [0, 2, 0, 0], [0, 0, 3, 0], [0, 0.25, 0, 4]], dtype=float)
    x = np.moveaxis(SPIRV_Cross_Combinedg_textureg_sampler, 1, -1)
    return np.moveaxis(2.0 * (x @ columns) + np.array([1.0, 2.0, 3.0, 4.0]), -1, 1)


def index_map(u_values: Any, u_indices: Any) -> Any:
    rows = u_indices[0, 0].astype(int)
    return np.stack([np.stack([u_values[0, c, h, rows[h]] for h in range(6)]) for c in range(4)])[None]
