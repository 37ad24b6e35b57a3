"""A radiance field along rays, in numpy. Tensors are [1, channels, rays, samples]."""

from typing import Any

import numpy as np

Values = Any

# Weights as the shader has them.
_W0 = """
    -0.445 0.078 0.496 -0.627 -0.255 -0.302 0.035 0.068 -0.503 0.107 0.273 0.738 -0.035 0.459
    -0.101 -0.526 0.220 -0.553 0.229 0.194 0.404 -0.361 0.060 -0.097 0.395 0.688 -0.076 -0.583
    -0.326 -0.043 -0.589 0.868 0.958 -0.202 0.359 0.157 0.476 0.670 -0.058 0.594 -0.415 -0.026
    0.821 -0.299 -0.392 -0.294 -0.234 0.086 0.023 0.184 -0.021 0.010 -0.027 -0.009 -0.214 0.334
    1.330 -0.109 0.333 -0.199 -0.422 -0.928 0.371 -0.020 -0.551 0.198 0.765 -0.146 -0.404 -0.297
    0.152 1.134 -0.040 0.610 -0.498 -0.482 -0.348 -0.307 0.160 0.739 0.568 -0.183 -0.030 0.093
    -0.066 -0.135 0.854 -0.140 0.543 0.020 0.308 -0.120 0.765 0.520 0.517 -0.061 0.431 -0.425
    -0.466 0.133 0.057 -0.349 -0.060 0.459 -0.631 -0.225 -0.010 -0.900 -0.196 0.519 -0.397 -0.006
    -0.395 0.242 0.234 0.254 0.546 -0.436 0.497 0.529 -0.298 0.020 -0.400 -0.400 -0.076 0.010
"""
_B0 = """
    -0.022 -0.414 0.104 0.111 0.362 0.363
"""
_W1 = """
    0.153 0.646 -0.341 1.082 -0.784 -0.770 -0.503 -0.926 -0.824 0.087 1.837 -0.352 0.477 0.163
    1.271 1.122 -0.568 0.243 1.733 1.034 -1.162 -1.113 -0.192 -0.235
"""
_B1 = """
    0.414 0.540 0.307 0.579
"""
W0 = np.array(_W0.split(), float).reshape(6, 21)
B0 = np.array(_B0.split(), float)
W1 = np.array(_W1.split(), float).reshape(4, 6)
B1 = np.array(_B1.split(), float)


def encode(P: Values) -> Values:
    parts = [P]
    for octave in range(3):
        parts += [np.sin(2**octave * P), np.cos(2**octave * P)]
    return np.concatenate(parts, axis=1)


def field(E: Values) -> Values:
    hidden = np.maximum(np.einsum("oc,nchw->nohw", W0, E) + B0.reshape(1, 6, 1, 1), 0)
    out = np.einsum("oc,nchw->nohw", W1, hidden) + B1.reshape(1, 4, 1, 1)
    colour = 1 / (1 + np.exp(-out[:, :3]))
    density = np.log(1 + np.exp(out[:, 3:]))
    return np.concatenate([colour, density], axis=1)


def march(F: Values, G: Values, sky: Values) -> Values:
    """Channels are red, green, blue and depth."""
    alpha = 1 - np.exp(-F[:, 3] * G[:, 0])
    left = np.ones((1, F.shape[2]))
    total = np.zeros((1, 3, F.shape[2]))
    depth = np.zeros((1, F.shape[2]))
    at = np.zeros((1, F.shape[2]))
    for i in range(F.shape[3]):
        weight = left * alpha[:, :, i]
        at = at + G[:, 0, :, i]
        total = total + weight[:, None] * F[:, :3, :, i]
        depth = depth + weight * at
        left = left * (1 - alpha[:, :, i])
    total = total + left[:, None] * np.reshape(sky, (1, 3, 1))
    return np.concatenate([total, depth[:, None]], axis=1)[:, :, :, None]
