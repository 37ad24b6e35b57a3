"""Defines cases of activations, alone and behind a convolution or product."""

from __future__ import annotations

import numpy as np

from tests.conformance.contrib.case import Case, Numbers

_N = Numbers(1)
_X, _W, _B = _N.real(1, 4, 6, 5), _N.real(6, 4, 3, 3), _N.real(6)

CASES = (
    Case("Gelu", (_N.real(2, 3, 7),)),
    Case("BiasGelu", (_N.real(2, 3, 7), _N.real(7)), given=(0, 1)),
    Case("FastGelu", (_N.real(2, 3, 7),)),
    Case("FastGelu", (_N.real(2, 3, 7), _N.real(7))),
    Case("QuickGelu", (_N.real(2, 3, 7),)),
    Case("QuickGelu", (_N.real(2, 3, 7),), {"alpha": 1.0}),
    Case("ScaledSiLU", (_N.real(2, 3, 7),), {"alpha": 0.5}),
    Case("ScaledSiLU", (_N.real(2, 3, 7), np.array(1.5, np.float32))),
    Case("FusedConv", (_X, _W), {"activation": "Relu", "pads": [1, 1, 1, 1]}),
    Case("FusedConv", (_X, _W, _B), {"activation": "LeakyRelu", "activation_params": [0.1], "strides": [2, 2]}),
    Case("FusedConv", (_X, _W, _B), {"activation": "Clip", "activation_params": [0.0, 6.0], "auto_pad": "SAME_UPPER"}),
    Case("FusedConv", (_X, _W, _B), {"activation": "HardSigmoid", "activation_params": [0.2, 0.4]}),
    Case("FusedConv", (_X, _N.real(8, 2, 3, 1), _N.real(8)), {"activation": "Tanh", "group": 2, "dilations": [2, 1]}),
    Case("FusedConv", (_X, _W, _B, _N.real(1, 6, 6, 5)), {"activation": "Relu", "pads": [1, 1, 1, 1]}, given=(0, 3)),
    Case("FusedConv", (_X, _W, None, _N.real(1, 6, 6, 5)), {"activation": "Sigmoid", "pads": [1, 1, 1, 1]}),
    Case("FusedGemm", (_N.real(3, 5), _N.real(5, 4), _N.real(4)), {"activation": "Relu"}),
    Case(
        "FusedGemm",
        (_N.real(5, 3), _N.real(4, 5), _N.real(3, 1)),
        {"activation": "LeakyRelu", "activation_alpha": 0.3, "transA": 1, "transB": 1, "alpha": 0.5, "beta": 2.0},
    ),
    Case("FusedGemm", (_N.real(3, 5), _N.real(5, 4)), {"activation": "Tanh"}),
    Case("FusedGemm", (_N.real(3, 5), _N.real(5, 4)), {"activation": "Elu", "activation_alpha": 0.5}),
    *(Case(name, (_N.real(2, 3, 7).astype(np.float16),), slack=2e-3) for name in ("Gelu", "QuickGelu", "FastGelu")),
)
