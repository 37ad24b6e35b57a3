"""What the passes of linear attention have to make."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def phi(t_in: Array) -> Array:
    made: Array = np.where(t_in > 0.0, t_in + 1.0, np.exp(t_in))
    return made


def state(phi_k: Array, v: Array, s_old: Array, decay: Array) -> Array:
    made: Array = decay.reshape(1, 3, 1, 1) * s_old + np.einsum("bhti,bhtj->bhij", phi_k, v)
    return made


def ksum(phi_k: Array) -> Array:
    made: Array = phi_k.sum(axis=2, keepdims=True)
    return made


def attend(phi_q: Array, state: Array, ksum: Array, u_eps: float) -> Array:
    made: Array = (phi_q @ state) / ((phi_q * ksum).sum(axis=3, keepdims=True) + u_eps)
    return made


def merge(attend: Array, wo: Array, bo: Array) -> Array:
    made: Array = attend[0].transpose(1, 0, 2).reshape(13, 15) @ wo + bo
    return made
