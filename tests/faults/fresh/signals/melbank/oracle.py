"""What the passes of the filter bank make: rows are frames."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def wave(sound: Array) -> Array:
    before = np.concatenate([sound[:, :1], sound[:, :-1]], axis=1)
    return sound - 0.95 * before


def frames(wave: Array) -> Array:
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(60) / 60)
    cut = np.stack([wave[0, 32 * t : 32 * t + 60] for t in range(12)])
    return (cut - cut.mean(axis=1, keepdims=True)) * window


def re(frames: Array, cosines: Array) -> Array:
    return frames @ cosines


def im(frames: Array, sines: Array) -> Array:
    return frames @ sines


def mel(re: Array, im: Array, bank: Array) -> Array:
    return (re * re + im * im) @ bank / 60


def loud(mel: Array) -> Array:
    decibels = 10 * np.log(np.maximum(mel, 1e-4)) / np.log(10)
    return decibels - decibels.mean(axis=0, keepdims=True)


def cepstrum(loud: Array, dct: Array) -> Array:
    lifter = 1 + 11 * np.sin(np.pi * np.arange(7) / 22)
    return loud @ dct * lifter


def delta(cepstrum: Array) -> Array:
    held = np.concatenate([cepstrum[:1], cepstrum[:1], cepstrum, cepstrum[-1:], cepstrum[-1:]], axis=0)
    return (held[3:-1] - held[1:-3] + 2 * (held[4:] - held[:-4])) / 10
