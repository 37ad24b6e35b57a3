"""Defines cases of attention and of the rotation in front of it."""

from __future__ import annotations

import numpy as np

from tests.conformance.contrib.case import Array, Case, Numbers, scalar

_N = Numbers(5)
_X, _W, _B = _N.real(2, 4, 6), _N.real(6, 24), _N.real(24)
_Q, _K, _V = _N.real(2, 4, 8), _N.real(2, 5, 8), _N.real(2, 5, 8)
_MASK = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)
_HEADS = {"num_heads": 2}
_PLACES = np.array([[0, 1, 2, 3], [2, 3, 4, 5]], np.int64)
_COS, _SIN = np.cos(_N.real(9, 2)), np.sin(_N.real(9, 2))

_GROUPS = {"num_heads": 4, "kv_num_heads": 2}
_ANGLES = _N.real(16, 8)
_TURNS = (np.cos(_ANGLES), np.sin(_ANGLES))


def _grouped() -> tuple[Case, ...]:
    """Of heads of sixteen numbers: four of queries, two of keys."""
    first = (_N.real(2, 5, 64), _N.real(2, 5, 32), _N.real(2, 5, 32), None, None)
    next_one = (_N.real(2, 1, 64), _N.real(2, 1, 32), _N.real(2, 1, 32), _N.real(2, 2, 6, 16), _N.real(2, 2, 6, 16))
    several = (_N.real(1, 2, 64), _N.real(1, 2, 32), _N.real(1, 2, 32), _N.real(1, 2, 6, 16), _N.real(1, 2, 6, 16))
    five, seven = np.array([4, 4], np.int32), np.array([6, 6], np.int32)
    all_three, lengths = (True, True, True), np.array([6, 3], np.int32)

    half = tuple(None if x is None else x.astype(np.float16) for x in first)

    def case(inputs: tuple[Array | None, ...], *given: int, slack: float = 2e-5, **attributes: object) -> Case:
        read = (0, 1, 2, 3, 4, *given)
        return Case("GroupQueryAttention", inputs, {**_GROUPS, **attributes}, read, all_three, slack=slack)

    return (
        case((*first, five, scalar(5, "int32"))),
        case((*first, five, scalar(5, "int32"), *_TURNS), 5, do_rotary=1),
        case(
            (_N.real(2, 5, 128), None, None, None, None, five, scalar(5, "int32"), *_TURNS),
            do_rotary=1,
            rotary_interleaved=1,
        ),
        case((*next_one, seven, scalar(7, "int32"), *_TURNS), do_rotary=1),
        case((*next_one, lengths, scalar(7, "int32"), *_TURNS), 5, do_rotary=1),
        case((*several, np.array([4], np.int32), scalar(5, "int32"), *_TURNS), 5, do_rotary=1),
        case((*next_one, seven, scalar(7, "int32"), None, None, None, _N.real(1, 4, 1, 7)), 10, softcap=2.0),
        case((*first, five, scalar(5, "int32")), local_window_size=2, scale=0.2),
        case((*first, five, scalar(5, "int32")), smooth_softmax=1),
        case((*first, five, scalar(5, "int32"), None, None, None, None, _N.real(4))),
        case((*first, five, scalar(5, "int32")), causal=0),
        case((*half, five, scalar(5, "int32"), *(x.astype(np.float16) for x in _TURNS)), do_rotary=1, slack=8e-3),
    )


CASES = (
    Case("Attention", (_X, _W, _B), _HEADS),
    Case("Attention", (_X, _W, _B, _MASK), {**_HEADS, "unidirectional": 1}, given=(0, 3)),
    Case("Attention", (_X, _W, _B, np.array([3, 2], np.int32)), {**_HEADS, "scale": 0.3}, given=(0, 3)),
    Case("Attention", (_X, _W, _B, np.array([4, 3, 1, 0], np.int32)), _HEADS, given=(0, 3)),
    Case("Attention", (_X, _W, _B, _N.whole(0, 2, 2, 4, 4) | np.eye(4, dtype=np.int32)), _HEADS, given=(0, 3)),
    Case("Attention", (_X, _N.real(6, 20), _N.real(20)), {**_HEADS, "qkv_hidden_sizes": [8, 8, 4]}),
    Case(
        "Attention",
        (_X, _W, _B, None, _N.real(2, 2, 2, 3, 4)),
        {**_HEADS, "unidirectional": 1},
        given=(0, 4),
        outputs=(True, True),
    ),
    Case(
        "Attention",
        (_X, _W, _B, _N.whole(0, 2, 2, 7) | np.eye(1, 7, dtype=np.int32), _N.real(2, 2, 2, 3, 4)),
        {**_HEADS, "unidirectional": 1, "mask_filter_value": -5.0},
        given=(0, 3, 4),
        outputs=(True, True),
    ),
    Case(
        "MultiHeadAttention",
        (
            *(_Q, _N.real(2, 4, 8), _N.real(2, 4, 8), None, _N.whole(0, 2, 2, 4, 7) | np.eye(1, 7, dtype=np.int32)),
            *(None, _N.real(2, 2, 3, 4), _N.real(2, 2, 3, 4)),
        ),
        _HEADS,
        given=(0, 1, 2, 4, 6, 7),
        outputs=(True, True, True),
    ),
    Case(
        "QAttention",
        (
            _N.uint8(2, 4, 6),
            _N.int8(6, 24),
            _B,
            scalar(0.02),
            scalar(0.02),
            _MASK,
            scalar(120, "uint8"),
            scalar(0, "int8"),
        ),
        _HEADS,
    ),
    Case(
        "QAttention",
        (
            _N.uint8(1, 4, 6),
            _N.int8(6, 24),
            _B,
            scalar(0.02),
            _N.real(24) ** 2 * np.float32(0.02),
            None,
            scalar(120, "uint8"),
            np.zeros(24, np.int8),
        ),
        {**_HEADS, "unidirectional": 1},
    ),
    Case("MultiHeadAttention", (_Q, _K, _V), _HEADS, given=(0, 1, 2)),
    Case("MultiHeadAttention", (_Q, _N.real(2, 5, 8), _N.real(2, 5, 4), _N.real(20)), _HEADS, given=(0, 1, 2)),
    Case("MultiHeadAttention", (_N.real(2, 4, 2, 3, 4),), _HEADS, has_kernel=False),
    Case("MultiHeadAttention", (_Q, _N.real(2, 5, 2, 2, 4)), _HEADS, given=(0, 1), has_kernel=False),
    Case("MultiHeadAttention", (_Q, _N.real(2, 2, 5, 4), _N.real(2, 2, 5, 4)), _HEADS, given=(0, 1, 2)),
    Case(
        "MultiHeadAttention",
        (_Q, _K, _V, None, np.array([[1, 1, 1, 1, 0], [1, 1, 0, 1, 1]], np.int32), _N.real(1, 2, 4, 5)),
        {**_HEADS, "scale": 0.4},
        given=(0, 1, 2, 4),
    ),
    Case(
        "MultiHeadAttention",
        (_Q, _N.real(2, 4, 8), _N.real(2, 4, 8), None, None, None, _N.real(2, 2, 3, 4), _N.real(2, 2, 3, 4)),
        {**_HEADS, "unidirectional": 1},
        given=(0, 1, 2, 6, 7),
        outputs=(True, True, True),
    ),
    Case("MultiHeadAttention", tuple(x.astype(np.float16) for x in (_Q, _K, _V)), _HEADS, slack=4e-3),
    Case("RotaryEmbedding", (_N.real(2, 4, 8), _PLACES, _COS, _SIN), given=(0, 1)),
    Case("RotaryEmbedding", (_N.real(2, 4, 8), np.array([3], np.int64), _COS, _SIN), {"interleaved": 1}, given=(0, 1)),
    Case("RotaryEmbedding", (_N.real(2, 3, 4, 4), _PLACES, _COS, _SIN), {"interleaved": 1}),
    Case("RotaryEmbedding", (_N.real(2, 4, 12), _PLACES, _COS, _SIN), {"rotary_embedding_dim": 4, "num_heads": 2}),
    *_grouped(),
)
