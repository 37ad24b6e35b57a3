"""Writes models and constants of the right pipelines: `python -m tests.faults.fresh.demos._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_BUNNY = """bunny (float[1, 3, 11, 7] points) => (float[1, 3, 11, 7] ink)
<float soft = {1.4}, float half = {0.5}, int64[8] rim = {0, 0, 1, 1, 0, 0, 1, 1}, int64[2] yx = {2, 3},
 int64[2] up = {0, 1}, int64[2] up_end = {11, 8}, int64[2] down = {2, 1}, int64[2] down_end = {13, 8},
 int64[2] left = {1, 0}, int64[2] left_end = {12, 7}, int64[2] right = {1, 2}, int64[2] right_end = {12, 9},
 float none = {0}, float six = {-6}, float rings = {15}, float one = {1}, float low = {0.8}, float swing = {0.2},
 int64[1] c = {1}, float high = {0.3}, float lit = {0.7}>
{
    a0 = Conv (points, w0, b0)
    waves = Sin (a0)
    a1 = Conv (waves, w1, b1)
    s1 = Sin (a1)
    mixed = Add (s1, waves)
    a2 = Conv (mixed, w2, b2)
    s2 = Sin (a2)
    q2 = Div (s2, soft)
    h2 = Add (q2, mixed)
    dist = Conv (h2, w3, b3)
    padded = Pad <mode = "edge"> (dist, rim)
    n = Slice (padded, up, up_end, yx)
    s = Slice (padded, down, down_end, yx)
    w = Slice (padded, left, left_end, yx)
    e = Slice (padded, right, right_end, yx)
    ew = Sub (e, w)
    sn = Sub (s, n)
    both = Concat <axis = 1> (ew, sn)
    slope = Mul (both, half)
    outside = Greater (dist, none)
    base = Where (outside, orange, blue)
    away = Abs (dist)
    faded = Mul (away, six)
    glow = Exp (faded)
    shade = Sub (one, glow)
    angle = Mul (dist, rings)
    ring = Cos (angle)
    swung = Mul (ring, swing)
    band = Add (swung, low)
    shaded = Mul (base, shade)
    banded = Mul (shaded, band)
    squares = Mul (slope, slope)
    steep = ReduceSum (squares, c)
    raised = Add (steep, high)
    length = Sqrt (raised)
    lamp = Mul (slope, light)
    towards = ReduceSum (lamp, c)
    above = Add (towards, lit)
    lambert = Div (above, length)
    ink = Mul (banded, lambert)
}
"""

_MOSS = """moss (float[1, 12, 9, 13] state, float[1, 1, 9, 13] dice) => (float[1, 3, 9, 13] view)
<int64[1] y = {2}, int64[1] x = {3}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] last = {-1},
 int64[1] all = {99}, int64[1] c = {1}, int64[1] a = {3}, int64[1] a_end = {4}, float chance = {0.6},
 float life = {1.9}, float rate = {0.7}, float none = {0}, float full = {1}>
{
    bottom = Slice (state, last, all, y)
    top = Slice (state, zero, one, y)
    tall = Concat <axis = 2> (bottom, state, top)
    rightmost = Slice (tall, last, all, x)
    leftmost = Slice (tall, zero, one, x)
    torus = Concat <axis = 3> (rightmost, tall, leftmost)
    gx = Conv <group = 12> (torus, sobel_x)
    gy = Conv <group = 12> (torus, sobel_y)
    lap = Conv <group = 12> (torus, laplace)
    sense = Concat <axis = 1> (state, gx, gy, lap)
    thought = Conv (sense, w0, b0)
    think = Relu (thought)
    change = Conv (think, w1, b1)
    fires = Less (dice, chance)
    fired = Cast <to = 1> (fires)
    slow = Mul (change, rate)
    masked = Mul (slow, fired)
    grow = Add (state, masked)
    alpha = Slice (grow, a, a_end, c)
    abottom = Slice (alpha, last, all, y)
    atop = Slice (alpha, zero, one, y)
    atall = Concat <axis = 2> (abottom, alpha, atop)
    aright = Slice (atall, last, all, x)
    aleft = Slice (atall, zero, one, x)
    atorus = Concat <axis = 3> (aright, atall, aleft)
    most = MaxPool <kernel_shape = [3, 3]> (atorus)
    lives = Greater (most, life)
    living = Cast <to = 1> (lives)
    alive = Mul (grow, living)
    rgb = Slice (alive, zero, a, c)
    cover = Slice (alive, a, a_end, c)
    opaque = Clip (cover, none, full)
    clear = Sub (full, opaque)
    view = Add (rgb, clear)
}
"""

_POSTCARD = """postcard (float[1, 3, 10, 14] photo, float[1, 1, 1, 1] blend) => (float[1, 3, 10, 14] postcard)
<int64[8] two = {0, 0, 2, 2, 0, 0, 2, 2}, int64[8] one = {0, 0, 1, 1, 0, 0, 1, 1}, int64[2] yx = {2, 3},
 float eps = {0.01}, float full = {1}, float[4] twice = {1, 1, 2, 2},
 float contrast = {0.6}, float middle = {0.5}>
{
    framed = Pad <mode = "reflect"> (photo, two)
    stem = Conv (framed, stem_w, stem_b)
    mean = ReduceMean (stem, yx)
    away = Sub (stem, mean)
    squares = Mul (away, away)
    variance = ReduceMean (squares, yx)
    safe = Add (variance, eps)
    deviation = Sqrt (safe)
    spread = Reciprocal (deviation)
    stem_stats = Concat <axis = 3> (mean, spread)
    unit = Mul (away, spread)
    scaled = Mul (unit, gamma)
    shifted = Add (scaled, beta)
    stem_norm = Relu (shifted)
    framed2 = Pad <mode = "reflect"> (stem_norm, one)
    down = Conv <strides = [2, 2]> (framed2, down_w, down_b)
    mean2 = ReduceMean (down, yx)
    away2 = Sub (down, mean2)
    squares2 = Mul (away2, away2)
    variance2 = ReduceMean (squares2, yx)
    safe2 = Add (variance2, eps)
    deviation2 = Sqrt (safe2)
    unit2 = Div (away2, deviation2)
    rest = Sub (full, blend)
    ga = Mul (gamma_a, rest)
    gb = Mul (gamma_b, blend)
    gammas = Add (ga, gb)
    ba = Mul (beta_a, rest)
    bb = Mul (beta_b, blend)
    betas = Add (ba, bb)
    styled = Mul (unit2, gammas)
    restyled = Add (styled, betas)
    lush = Elu <alpha = 0.8> (restyled)
    large = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">
        (lush, , twice)
    framed3 = Pad <mode = "reflect"> (large, one)
    painted = Conv (framed3, up_w, up_b)
    squashed = Tanh (painted)
    strong = Mul (squashed, contrast)
    postcard = Add (strong, middle)
}
"""

_FIGURINE = """figurine (float[1, 18] z, float[1, 1, 6, 10] noise) => (float[1, 3, 6, 10] rgb)
<int64[1] axis = {1}, float eps = {0.05}, int64[4] small = {1, 10, 3, 5}, float[4] twice = {1, 1, 2, 2},
 float gain = {1.3}>
{
    zz = Mul (z, z)
    power = ReduceMean (zz, axis)
    safe = Add (power, eps)
    root = Sqrt (safe)
    unit = Div (z, root)
    dense = Gemm (unit, seed_w, seed_b)
    folded = Reshape (dense, small)
    seed = LeakyRelu <alpha = 0.2> (folded)
    low = Conv (seed, low_w, low_b)
    large = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">
        (seed, , twice)
    sums = Conv <pads = [1, 1, 1, 1]> (large, block_w, block_b)
    grain = Mul (noise, strength)
    noisy = Add (sums, grain)
    block = LeakyRelu <alpha = 0.2> (noisy)
    bb = Mul (block, block)
    power2 = ReduceMean (bb, axis)
    safe2 = Add (power2, eps)
    root2 = Sqrt (safe2)
    pixels = Div (block, root2)
    skip = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (low, , twice)
    fine = Conv (pixels, rgb_w, rgb_b)
    sum = Add (fine, skip)
    louder = Mul (sum, gain)
    rgb = Tanh (louder)
}
"""


def _write(folder: str, text: str, weights: dict[str, np.ndarray]) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, _HERE / folder / "model.onnx")


def noise(random: np.random.Generator, shape: tuple[int, ...], scale: float, middle: float = 0.0) -> np.ndarray:
    """Numbers of three decimals, as they are written in a shader."""
    return np.round(middle + scale * random.standard_normal(shape), 3).astype(np.float32)


def bunny() -> dict[str, np.ndarray]:
    """The weights that bunny's shaders have as literals."""
    random = np.random.default_rng(61)
    return {
        "w0": noise(random, (8, 3, 1, 1), 1.4),
        "b0": noise(random, (8,), 1.1),
        "w1": noise(random, (8, 8, 1, 1), 0.6),
        "b1": noise(random, (8,), 0.8),
        "w2": noise(random, (8, 8, 1, 1), 0.5),
        "b2": noise(random, (8,), 0.8),
        "w3": noise(random, (1, 8, 1, 1), 0.3),
        "b3": np.array([0.158], np.float32),
        "orange": np.array([0.9, 0.6, 0.3], np.float32).reshape(1, 3, 1, 1),
        "blue": np.array([0.65, 0.85, 1.0], np.float32).reshape(1, 3, 1, 1),
        "light": np.array([0.6, -0.45], np.float32).reshape(1, 2, 1, 1),
    }


def cloud() -> dict[str, np.ndarray]:
    """The weights that cloud's shader and oracle have as literals."""
    random = np.random.default_rng(65)
    return {
        "w0": noise(random, (6, 21), 0.4),
        "b0": noise(random, (6,), 0.3),
        "w1": noise(random, (4, 6), 0.8),
        "b1": noise(random, (4,), 0.4),
    }


def _filters(kernel: list[list[float]], count: int) -> np.ndarray:
    return np.tile(np.array(kernel, np.float32) / 8, (count, 1, 1, 1))


def main() -> None:
    """Writes every model and constant."""
    _write("bunny", _BUNNY, bunny())
    random = np.random.default_rng(62)
    _write(
        "moss",
        _MOSS,
        {
            "sobel_x": _filters([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], 12),
            "sobel_y": _filters([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], 12),
            "laplace": _filters([[1, 2, 1], [2, -12, 2], [1, 2, 1]], 12),
            "w0": noise(random, (18, 48, 1, 1), 0.3),
            "b0": noise(random, (18,), 0.3),
            "w1": noise(random, (12, 18, 1, 1), 0.3),
            "b1": noise(random, (12,), 0.3),
        },
    )
    random = np.random.default_rng(63)
    _write(
        "postcard",
        _POSTCARD,
        {
            "stem_w": noise(random, (6, 3, 5, 5), 0.25),
            "stem_b": noise(random, (6,), 0.4),
            "gamma": noise(random, (6, 1, 1), 0.4, 1.0),
            "beta": noise(random, (6, 1, 1), 0.4),
            "down_w": noise(random, (9, 6, 3, 3), 0.25),
            "down_b": noise(random, (9,), 0.4),
            "gamma_a": noise(random, (9, 1, 1), 0.4, 1.0),
            "gamma_b": noise(random, (9, 1, 1), 0.6, 0.7),
            "beta_a": noise(random, (9, 1, 1), 0.4),
            "beta_b": noise(random, (9, 1, 1), 0.5),
            "up_w": noise(random, (3, 9, 3, 3), 0.15),
            "up_b": noise(random, (3,), 0.3),
        },
    )
    random = np.random.default_rng(64)
    _write(
        "figurine",
        _FIGURINE,
        {
            "seed_w": noise(random, (18, 150), 0.3),
            "seed_b": noise(random, (150,), 0.3),
            "low_w": noise(random, (3, 10, 1, 1), 0.25),
            "low_b": noise(random, (3,), 0.3),
            "block_w": noise(random, (7, 10, 3, 3), 0.2),
            "block_b": noise(random, (7,), 0.3),
            "strength": noise(random, (7, 1, 1), 0.4),
            "rgb_w": noise(random, (3, 7, 1, 1), 0.4),
            "rgb_b": noise(random, (3,), 0.3),
        },
    )
    random = np.random.default_rng(66)
    np.save(_HERE / "grain" / "taps_w.npy", noise(random, (9, 3, 3, 3), 0.4))
    np.save(_HERE / "grain" / "guide_w.npy", noise(random, (9, 5), 0.4))
    np.save(_HERE / "grain" / "taps_b.npy", noise(random, (9,), 0.4))


if __name__ == "__main__":
    main()
