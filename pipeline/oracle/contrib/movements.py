"""Evaluates operators that move, select or lay out elements: ONNX's own, with other inputs or defaults."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.fast import sampling
from texelscope.pipeline.oracle.fast.forms import padded

_DEFAULTS = {"mode": "bilinear", "padding_mode": "zeros", "align_corners": 0}


def expand_dims(invocation: Invocation) -> Outputs:
    """Evaluates ExpandDims: X with an axis of size 1 more; a negative one is counted from behind the last."""
    return (np.expand_dims(invocation.required(0), int(invocation.required(1).reshape(()))),)


def gather_nd(invocation: Invocation) -> Outputs:
    """Maps X and indices […, k] → […, the axes of X from k on]: the elements or slices of X at tuples of indices."""
    return (invocation.required(0)[tuple(np.moveaxis(invocation.required(1), -1, 0))],)


def grid_sample(invocation: Invocation) -> Outputs | None:
    """Evaluates GridSample: X [N, C, H, W] at grid [N, h, w, 2] in −1 … 1, by default bilinear and zero outside."""
    return sampling.grid_sample(dataclasses.replace(invocation, attributes={**_DEFAULTS, **invocation.attributes}))


def pad(invocation: Invocation) -> Outputs:
    """Evaluates Pad of com.microsoft: elements added, or with negative pads taken away, at the ends of each axis.

    Maps X, pads [2 · rank] or [1, 2 · rank], value or None → X with other sizes.
    """
    x, value = invocation.required(0), invocation.input(2)
    begin, end = invocation.required(1).reshape(2, -1).tolist()
    filler = 0 if value is None else value.reshape(())[()]
    return (padded(x, begin, end, invocation.attributes.get("mode", "constant"), filler),)


def range_of_numbers(invocation: Invocation) -> Outputs:
    """Evaluates Range: numbers [count] from start up to and without limit, delta apart, 1 unless given."""
    start, limit, delta = (None if x is None else x.reshape(()) for x in (invocation.input(i) for i in range(3)))
    assert start is not None
    assert limit is not None
    step = np.ones((), start.dtype) if delta is None else delta
    count = max(0, int(np.ceil((float(limit) - float(start)) / float(step))))
    return (start + step * np.arange(count, dtype=start.dtype),)


def trilu(invocation: Invocation) -> Outputs:
    """Evaluates Trilu: the upper (by default) or lower triangle of X […, rows, columns] from diagonal k, else zeros."""
    x, k = invocation.required(0), invocation.input(1)
    triangle = np.triu if invocation.attributes.get("upper", 1) else np.tril
    return (triangle(x, 0 if k is None else int(k.reshape(()))),)


def unique(invocation: Invocation) -> Outputs:
    """Evaluates Unique: of X [k] the distinct elements as they come, which of them each of X is, and their counts."""
    x = invocation.required(0)
    _, first, places, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    rank = np.argsort(order)
    return (x[first[order]], rank[places.reshape(-1)].astype(np.int64), counts[order].astype(np.int64))


OPERATORS: Mapping[str, Evaluate] = {
    "ExpandDims": expand_dims,
    "GatherND": gather_nd,
    "GridSample": grid_sample,
    "Pad": pad,
    "Range": range_of_numbers,
    "Trilu": trilu,
    "Unique": unique,
}
