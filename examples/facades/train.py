"""Trains the facade generator on pairs from `generate.py` and writes it as ONNX.

    python -m examples.facades.generate --count 24000 --to out/pairs.npz
    python -m examples.facades.train --data out/pairs.npz --to out/facades

Needs PyTorch, which the application does not. The time is set, not the number of steps: five minutes on a
data centre GPU are plenty, a CPU wants some hours. Since a label map decides almost every pixel of its
picture, differences of pixels teach enough; the discriminator of pix2pix was tried and only added noise.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from examples.facades.network import Generator, export_onnx
from examples.facades.training import Clock, Pairs, picture_loss, save_contact_sheet

LEARNING_RATE = 2e-3
NORMS_FIXED_FROM = 0.8
"""From here on batch statistics no longer move, so the network trains as it will run."""


class Trainer:
    """The network, its optimiser and the data of one run."""

    def __init__(self, pairs: Pairs, device: torch.device, batch: int) -> None:
        self.generator = Generator().to(device, memory_format=torch.channels_last)
        self._optimiser = torch.optim.AdamW(self.generator.parameters(), betas=(0.9, 0.99))
        self._pairs = pairs
        self._device = device
        self._batch = batch

    def step(self, clock: Clock) -> None:
        """Train on one batch."""
        clock.set_learning_rate(self._optimiser, LEARNING_RATE)
        self.generator.train()
        if clock.share > NORMS_FIXED_FROM:
            self.generator.norms.eval()
        labels, target = self._pairs.random_batch(self._batch)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            output = self.generator(labels.contiguous(memory_format=torch.channels_last))
        loss = picture_loss(output.float(), target)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()

    @torch.no_grad()
    def held_out(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return label maps, the network's pictures and the painted ones of the held-out pairs."""
        self.generator.eval()
        labels, target = self._pairs.held_out()
        return labels, self.generator(labels), target


def run(trainer: Trainer, clock: Clock) -> Iterator[int]:
    """Train until the time is over; yields the step number after every thousandth step and at the end."""
    step = 0
    while clock.share < 1:
        trainer.step(clock)
        step += 1
        if step % 1000 == 0:
            yield step
    yield step


def main() -> None:
    """Read the command line, train and export."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="pairs written by generate.py (.npz)")
    parser.add_argument("--to", type=Path, required=True, help="folder for facades.onnx and samples.png")
    parser.add_argument("--minutes", type=float, default=5, help="training time (default: 5)")
    parser.add_argument("--batch", type=int, default=64, help="pairs per step (default: 64)")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    trainer = Trainer(Pairs.load(arguments.data, device), device, arguments.batch)
    clock = Clock(arguments.minutes)
    arguments.to.mkdir(parents=True, exist_ok=True)
    for step in run(trainer, clock):
        labels, output, target = trainer.held_out()
        error = functional.l1_loss(output, target).item()
        print(f"step {step}, {clock.share:.0%} of the time, held-out error {error:.4f}", flush=True)
    save_contact_sheet(arguments.to / "samples.png", labels, output, target)
    export_onnx(trainer.generator.cpu(), arguments.to / "facades.onnx")


if __name__ == "__main__":
    main()
