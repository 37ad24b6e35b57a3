"""Cases of products of matrices, of distances, and of what moves elements."""

from __future__ import annotations

import numpy as np

from tests.conformance.contrib.case import Case, Numbers, scalar

_N = Numbers(4)

CASES = (
    Case("FusedMatMul", (_N.real(2, 3, 5), _N.real(2, 5, 4)), {"alpha": 0.25}, given=(0, 1)),
    Case("FusedMatMul", (_N.real(2, 5, 3), _N.real(4, 5)), {"transA": 1, "transB": 1}),
    Case("FusedMatMul", (_N.real(3, 2, 4, 5), _N.real(2, 4, 5, 6)), {"transBatchA": 1}),
    Case("FusedMatMul", (_N.real(3, 2, 4, 5), _N.real(3, 2, 4, 6)), {"transBatchA": 1, "transA": 1, "transBatchB": 1}),
    Case("TransposeMatMul", (_N.real(2, 3, 5), _N.real(2, 4, 5)), {"transB": 1, "alpha": 2.0}),
    Case("Trilu", (_N.real(2, 4, 5),)),
    Case("Trilu", (_N.real(2, 4, 5), scalar(-1, "int64")), {"upper": 0}),
    Case("ExpandDims", (_N.real(3, 5), scalar(1, "int32"))),
    Case("ExpandDims", (_N.real(3, 5), scalar(-1, "int32"))),
    Case("Pad", (_N.real(3, 5), np.array([1, 0, 0, 2], np.int64), scalar(0.5))),
    Case("Pad", (_N.real(3, 5), np.array([[1, -1, 2, 2]], np.int64), np.array([2.0], np.float32))),
    Case("Pad", (_N.real(3, 5), np.array([1, 2, 1, 0], np.int64)), {"mode": "reflect"}),
    Case("Pad", (_N.real(3, 5), np.array([0, 2, 1, 0], np.int64)), {"mode": "edge"}),
    Case("GridSample", (_N.real(1, 2, 5, 6), _N.real(1, 3, 4, 2)), given=(0, 1), slack=1e-4),
    Case(
        "GridSample",
        (_N.real(1, 2, 5, 6), _N.real(1, 3, 4, 2)),
        {"mode": "nearest", "padding_mode": "border", "align_corners": 1},
    ),
    Case("GridSample", (_N.real(1, 2, 5, 6), _N.real(1, 3, 4, 2)), {"padding_mode": "reflection"}, slack=1e-4),
    Case("ConvTransposeWithDynamicPads", (_N.real(1, 3, 4, 5), _N.real(3, 2, 3, 3), np.array([1, 1, 0, 1], np.int64))),
    Case(
        "ConvTransposeWithDynamicPads",
        (_N.real(1, 3, 4, 5), _N.real(3, 2, 3, 3), np.array([1, 1, 1, 1], np.int64), _N.real(2)),
        {"strides": [2, 2], "output_padding": [1, 1]},
    ),
    Case("CDist", (_N.real(4, 3), _N.real(5, 3)), given=(0, 1)),
    Case("CDist", (_N.real(4, 3), _N.real(5, 3)), {"metric": "euclidean"}),
    Case("GatherND", (_N.real(4, 3, 2), _N.whole(0, 3, 5, 2))),
    Case("GatherND", (_N.real(4, 3), _N.whole(0, 3, 2, 1, 2).astype(np.int64))),
    Case("Unique", (np.array([2, 1, 1, 3, 4, 3], np.float32),), given=(), outputs=(True, True, True)),
    Case("Inverse", (_N.real(3, 2, 2) + 2 * np.eye(2, dtype=np.float32),), slack=1e-4),
    Case("Inverse", (_N.real(2, 3, 3) + 3 * np.eye(3, dtype=np.float32),), slack=1e-4),
    Case("Inverse", (_N.real(4, 4) + 3 * np.eye(4, dtype=np.float32),), slack=1e-4),
    Case("Range", (scalar(1.5), scalar(4.0), scalar(0.5)), given=()),
    Case("Range", (np.array([2], np.int64), np.array([7], np.int64)), given=()),
    Case("GatedAdd", (_N.real(2, 3, 4), _N.real(2, 3, 4), _N.real(2, 3, 1)), given=(0, 1, 2)),
    Case(
        "GatherBlockQuantized",
        (_N.uint8(7, 16), _N.whole(0, 7, 2, 3), _N.real(7, 2)),
        {"bits": 4, "block_size": 16, "quantize_axis": 1},
        given=(1,),
    ),
    Case(
        "GatherBlockQuantized",
        (_N.uint8(7, 32), _N.whole(0, 7, 3), _N.real(7, 2), _N.uint8(7, 2)),
        {"bits": 8, "block_size": 16, "quantize_axis": 1},
        given=(1,),
    ),
)
