"""Defines cases of normalisations and of the operators before them."""

from __future__ import annotations

import numpy as np

from tests.conformance.contrib.case import Case, Numbers, scalar

_N = Numbers(3)
_X, _SKIP, _GAMMA, _BETA, _BIAS = _N.real(2, 3, 8), _N.real(2, 3, 8), _N.real(8), _N.real(8), _N.real(8)
_FIRST_AND_SUM = (True, False, False, True)
_WORDS, _SEGMENTS, _MASK = _N.whole(0, 11, 2, 4), _N.whole(0, 2, 2, 4), _N.whole(0, 2, 2, 4)
_TABLES = (_N.real(11, 8), _N.real(6, 8), _N.real(2, 8))
_CODES = (_N.uint8(11, 8), _N.uint8(6, 8), _N.uint8(2, 8), _N.uint8(8), _N.uint8(8))
_ZEROS = tuple(scalar(zero, "uint8") for zero in (120, 130, 110, 100, 125))

CASES = (
    Case("SkipLayerNormalization", (_X, _SKIP, _GAMMA, _BETA, _BIAS), given=(0, 1)),
    Case("SkipLayerNormalization", (_X, _SKIP, _GAMMA), {"epsilon": 1e-5}, outputs=_FIRST_AND_SUM),
    Case("SkipLayerNormalization", (_X, _N.real(3, 8), _GAMMA, _BETA)),
    Case("SkipSimplifiedLayerNormalization", (_X, _SKIP, _GAMMA), given=(0, 1), outputs=_FIRST_AND_SUM),
    Case("SkipSimplifiedLayerNormalization", (_X, _SKIP, _GAMMA, _BIAS), {"epsilon": 1e-5}),
    Case("SimplifiedLayerNormalization", (_X, _GAMMA), domain=""),
    Case("SimplifiedLayerNormalization", (_X, _N.real(3, 8)), {"axis": 1, "epsilon": 1e-3}, domain=""),
    Case("LayerNormalization", (_X, _GAMMA, _BETA), {"epsilon": 1e-5}, domain="", opset=14),
    Case("LayerNormalization", (_X, _N.real(3, 8)), {"axis": 1}, domain="", opset=14, outputs=(True, True, True)),
    Case(
        "EmbedLayerNormalization",
        (_WORDS, _SEGMENTS, *_TABLES, _GAMMA, _BETA, _MASK),
        given=(0, 1, 7),
        outputs=(True, True, True),
    ),
    Case(
        "EmbedLayerNormalization",
        (_WORDS, None, *_TABLES[:2], None, _GAMMA, _BETA, None, _N.whole(0, 6, 2, 4)),
        {"epsilon": 1e-5},
        given=(0, 8),
        outputs=(True, True),
    ),
    Case(
        "QEmbedLayerNormalization",
        (_WORDS, _SEGMENTS, *_CODES, _MASK, *(scalar(0.02 + 0.01 * i) for i in range(5)), *_ZEROS),
        given=(0, 1, 7),
        outputs=(True, True),
    ),
    Case(
        "QEmbedLayerNormalization",
        (
            *(_WORDS, None, *_CODES[:2], None, *_CODES[3:], None, scalar(0.02), scalar(0.03), None),
            *(scalar(0.01), scalar(0.02), *_ZEROS[:2], None, *_ZEROS[3:]),
        ),
        {"epsilon": 1e-5},
        outputs=(True, True),
    ),
    Case(
        "SkipLayerNormalization",
        tuple(x.astype(np.float16) for x in (_X, _SKIP, _GAMMA, _BETA)),
        {"epsilon": 1e-5},
        slack=4e-3,
    ),
    Case("SimplifiedLayerNormalization", (_X.astype(np.float16), _GAMMA.astype(np.float16)), domain="", slack=4e-3),
)
