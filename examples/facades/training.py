"""What the trainers of the facade examples share: pairs on the device, loss, clock and contact sheet."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from examples.facades.classes import PALETTE

HELD_OUT = 64
"""The last pairs of a data set are never trained on; the reported loss is theirs."""


@dataclass(frozen=True)
class Pairs:
    """Class indices [n, height, width] and pictures [n, 3, height, width], uint8, on the training device."""

    labels: Tensor
    pictures: Tensor

    @classmethod
    def load(cls, path: Path, device: torch.device, *, step: int = 1) -> Pairs:
        """Read the .npz file of `generate.py`; `step` = 2 halves height and width (pictures are averaged)."""
        with np.load(path) as file:
            labels = torch.from_numpy(file["labels"][:, ::step, ::step].copy())
            pictures = torch.from_numpy(file["pictures"]).permute(0, 3, 1, 2)
        if step > 1:
            chunks = pictures.split(512)
            small = [torch.nn.functional.avg_pool2d(chunk.float(), step).round().byte() for chunk in chunks]
            pictures = torch.cat(small)
        return cls(labels.to(device), pictures.contiguous().to(device))

    def pick(self, index: Tensor) -> tuple[Tensor, Tensor]:
        """Return coloured label maps and pictures, both float32 [n, 3, height, width] in [0, 1]."""
        palette = torch.from_numpy(PALETTE).to(self.labels.device).float() / 255
        labels = palette[self.labels[index].int()].permute(0, 3, 1, 2).contiguous()
        return labels, self.pictures[index].float() / 255

    def random_batch(self, count: int) -> tuple[Tensor, Tensor]:
        trained = len(self.labels) - HELD_OUT
        return self.pick(torch.randint(trained, (count,), device=self.labels.device))

    def held_out(self) -> tuple[Tensor, Tensor]:
        count = len(self.labels)
        return self.pick(torch.arange(count - HELD_OUT, count, device=self.labels.device))


class Clock:
    """Says how much of a training run's time is over; the learning rate falls with it along half a cosine."""

    def __init__(self, minutes: float) -> None:
        self._start = time.monotonic()
        self._seconds = minutes * 60

    @property
    def share(self) -> float:
        """The share of the time that is over, 0..1."""
        return min((time.monotonic() - self._start) / self._seconds, 1.0)

    def set_learning_rate(self, optimiser: torch.optim.Optimizer, highest: float) -> None:
        """Rise to `highest` over the first fiftieth of the time, then fall to almost nothing."""
        warm_up = min(0.02 + self.share / 0.02, 1.0)
        cosine = 0.005 + 0.995 * (1 + math.cos(math.pi * self.share)) / 2
        for group in optimiser.param_groups:
            group["lr"] = highest * warm_up * cosine


def picture_loss(output: Tensor, target: Tensor) -> Tensor:
    """Return the mean absolute error of the pixels plus half that of their differences to the next ones."""
    rows = (output.diff(dim=2) - target.diff(dim=2)).abs().mean()
    columns = (output.diff(dim=3) - target.diff(dim=3)).abs().mean()
    return (output - target).abs().mean() + 0.5 * (rows + columns)


def save_contact_sheet(path: Path, *rows: Tensor, columns: int = 8) -> None:
    """Write pictures [n, 3, height, width] in [0, 1] as one PNG, a row of `columns` for each argument."""
    bands = [torch.cat(list(row[:columns].float().cpu()), dim=2) for row in rows]
    sheet = torch.cat(bands, dim=1).clamp(0, 1).permute(1, 2, 0)
    Image.fromarray((sheet.numpy() * 255 + 0.5).astype(np.uint8)).save(path)
