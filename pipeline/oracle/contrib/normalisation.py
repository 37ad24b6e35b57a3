"""Evaluates normalisations by the input's own statistics, and the sums before them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.activations import logistic
from texelscope.pipeline.oracle.contrib.quantised import real


def by_layer(x: Array, gamma: Array, beta: Array | None, *, axis: int, epsilon: float) -> tuple[Array, Array, Array]:
    """Returns (x − mean) / √(variance + epsilon) · gamma + beta over the axes from `axis` on; mean; inverse root."""
    axes = tuple(range(axis % x.ndim, x.ndim))
    mean = x.mean(axis=axes, keepdims=True, dtype=np.float64)
    apart = x - mean
    inverse = 1.0 / np.sqrt((apart * apart).mean(axis=axes, keepdims=True) + epsilon)
    y = apart * inverse * gamma
    return (y if beta is None else y + beta), mean, inverse


def by_root(x: Array, gamma: Array, *, axis: int, epsilon: float) -> tuple[Array, Array]:
    """Returns x / √(mean square + epsilon) · gamma over the axes from `axis` on, and the inverse root."""
    axes = tuple(range(axis % x.ndim, x.ndim))
    wide = x.astype(np.float64)
    inverse = 1.0 / np.sqrt((wide * wide).mean(axis=axes, keepdims=True) + epsilon)
    return wide * inverse * gamma, inverse


def layer_normalization(invocation: Invocation) -> Outputs:
    """Maps X, scale, bias or None → X's shape, mean, inverse deviation: the last axes by their mean and deviation."""
    x, said = invocation.required(0), invocation.attributes
    axis, epsilon = int(said.get("axis", -1)), float(said.get("epsilon", 1e-5))
    y, mean, inverse = by_layer(x, invocation.required(1), invocation.input(2), axis=axis, epsilon=epsilon)
    return (y.astype(x.dtype), mean.astype(np.float32), inverse.astype(np.float32))


def simplified_layer_normalization(invocation: Invocation) -> Outputs:
    """Evaluates SimplifiedLayerNormalization: X by the root of its mean square from `axis` on, and the inverse root."""
    x, said = invocation.required(0), invocation.attributes
    axis, epsilon = int(said.get("axis", -1)), float(said.get("epsilon", 1e-5))
    y, inverse = by_root(x, invocation.required(1), axis=axis, epsilon=epsilon)
    return (y.astype(x.dtype), inverse.astype(np.float32))


def skip_layer_normalization(invocation: Invocation) -> Outputs:
    """Evaluates SkipLayerNormalization: layer normalisation along the last axis of input + skip + bias.

    Maps input, skip, gamma, beta or None, bias or None → output, mean, inverse deviation, sum.
    """
    x, bias = invocation.required(0), invocation.input(4)
    total = x.astype(np.float64) + invocation.required(1) + (0.0 if bias is None else bias)
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    found = by_layer(total, invocation.required(2), invocation.input(3), axis=-1, epsilon=epsilon)
    return (found[0].astype(x.dtype), found[1].astype(np.float32), found[2].astype(np.float32), total.astype(x.dtype))


def skip_simplified_layer_normalization(invocation: Invocation) -> Outputs:
    """Evaluates SkipSimplifiedLayerNormalization: input + skip + bias by its root mean square along the last axis.

    Maps input, skip, gamma, bias or None → output, mean (left out), inverse root, sum.
    """
    x, bias = invocation.required(0), invocation.input(3)
    total = x.astype(np.float64) + invocation.required(1) + (0.0 if bias is None else bias)
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    y, inverse = by_root(total, invocation.required(2), axis=-1, epsilon=epsilon)
    return (y.astype(x.dtype), np.zeros_like(inverse, np.float32), inverse.astype(np.float32), total.astype(x.dtype))


def embed_layer_normalization(invocation: Invocation) -> Outputs:
    """Evaluates EmbedLayerNormalization: layer normalisation of the sum of word, position and segment embeddings.

    Maps words [B, S], segments, three tables, gamma, beta, mask [B, S], places → output, words a mask lets, sum.
    """
    words, table = invocation.required(0), invocation.required(2)
    places = invocation.input(8)
    total = table[words].astype(np.float64)
    total += invocation.required(3)[np.arange(words.shape[1])[None] if places is None else places]
    segments = invocation.input(1)
    if segments is not None:
        total += invocation.required(4)[segments]
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    y = by_layer(total, invocation.required(5), invocation.input(6), axis=-1, epsilon=epsilon)[0]
    mask = invocation.input(7)
    lengths = np.zeros(len(words), np.int32) if mask is None else (mask == 1).sum(axis=1).astype(np.int32)
    return (y.astype(table.dtype), lengths, total.astype(table.dtype))


def qembed_layer_normalization(invocation: Invocation) -> Outputs:
    """Evaluates QEmbedLayerNormalization: EmbedLayerNormalization whose embeddings, gamma and beta are eight-bit codes.

    Maps words [B, S], segments, three tables, gamma, beta, mask, five scales, five zero points → output, mask.
    """
    words, segments, mask = invocation.required(0), invocation.input(1), invocation.input(7)
    total = real(invocation, 2, 8, 13)[words] + real(invocation, 3, 9, 14)[: words.shape[1]]
    if segments is not None:
        total = total + real(invocation, 4, 10, 15)[segments]
    gamma, beta = real(invocation, 5, 11, 16), real(invocation, 6, 12, 17)
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    y = by_layer(total, gamma, beta, axis=-1, epsilon=epsilon)[0].astype(np.float32)
    lengths = np.zeros(len(words), np.int32) if mask is None else (mask == 1).sum(axis=1).astype(np.int32)
    return (y, lengths)


def group_norm(invocation: Invocation) -> Outputs:
    """Evaluates GroupNorm: gamma · (x − mean) / √(variance + epsilon) + beta by group of channels; perhaps SiLU.

    Maps X [N, H, W, C], or [N, C, H, W] unless `channels_last`, gamma and beta [C] → X's shape.
    """
    x = invocation.required(0)
    return (by_group(invocation, x).astype(x.dtype),)


def by_group(invocation: Invocation, x: Array) -> Array:
    """Normalises `x`, float64, in its shape."""
    said = invocation.attributes
    axis = x.ndim - 1 if said.get("channels_last", 1) else 1
    channels = np.moveaxis(x.astype(np.float64), axis, 1)
    groups = channels.reshape(len(x), int(said["groups"]), -1)
    apart = groups - groups.mean(axis=2, keepdims=True)
    scaled = apart / np.sqrt((apart**2).mean(axis=2, keepdims=True) + float(said.get("epsilon", 1e-5)))
    by_channel = (-1, *(1,) * (x.ndim - 2))
    y = scaled.reshape(channels.shape) * invocation.required(1).reshape(by_channel)
    y = y + invocation.required(2).reshape(by_channel)
    return np.moveaxis(y * logistic(y) if said.get("activation") else y, 1, axis)


def skip_group_norm(invocation: Invocation) -> Outputs:
    """Evaluates SkipGroupNorm: s = x + skip + bias, then GroupNorm of s; s itself is the second output.

    Maps X [N, H, W, C], gamma, beta, skip of X's shape, [N, 1, 1, C] or [N, C], bias [C] or None → Y, S.
    """
    x, skip, bias = invocation.required(0), invocation.required(3), invocation.input(4)
    total = x.astype(np.float64) + (skip[:, None, None] if skip.ndim == 2 else skip) + (0.0 if bias is None else bias)
    return (by_group(invocation, total).astype(x.dtype), total.astype(x.dtype))


OPERATORS: Mapping[str, Evaluate] = {
    "LayerNormalization": layer_normalization,
    "SimplifiedLayerNormalization": simplified_layer_normalization,
    "SkipLayerNormalization": skip_layer_normalization,
    "SkipSimplifiedLayerNormalization": skip_simplified_layer_normalization,
    "EmbedLayerNormalization": embed_layer_normalization,
    "QEmbedLayerNormalization": qembed_layer_normalization,
    "GroupNorm": group_norm,
    "SkipGroupNorm": skip_group_norm,
}
