"""Trains the network of the WebGL CNN example on facades at 64x64 and writes it as ONNX.

    python -m examples.facades.generate --count 24000 --to out/pairs.npz
    python -m examples.webgl_cnn.train --data out/pairs.npz --to out/webgl_cnn

Needs PyTorch, which the application does not. The network is fully convolutional, without skips: three 4x4
convolutions of stride 2, then three of stride 1/2. A stride of 1/2 means that output pixel x reads the
half-size tensor at (x + 0.5) / 2 + o for the four offsets o = -0.75, -0.25, 0.25, 0.75 (in its pixels,
nearest neighbour, zeros outside). Those positions lie in the pixels floor((x + 0.5 + 2 o) / 2), which is
floor((x + k) / 2) for k = -1, 0, 1, 2: just what a 4x4 convolution reads that looks at x - 1 to x + 2 of the
tensor doubled by nearest neighbour. Hence the ONNX form: Resize by 2, then Conv with pads 1, 1, 2, 2. (Half
of the positions fall exactly on the edge between two pixels. The formula gives them to the pixel that begins
there; a GPU's rounding may not.)
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from examples.facades.network import DOWN_PADS, UP_PADS, pad
from examples.facades.onnx_writer import OnnxWriter
from examples.facades.training import Clock, Pairs, picture_loss, save_contact_sheet

CHANNELS = {
    "down1": (3, 16),
    "down2": (16, 36),
    "down3": (36, 64),
    "up1": (64, 36),
    "up2": (36, 16),
    "up3": (16, 3),
}
LAST = "up3"
LEARNING_RATE = 3e-3


class Autoencoder(nn.Module):
    """Label maps [n, 3, height, width] in [0, 1] to pictures of the same shape; sides are multiples of 8."""

    def __init__(self) -> None:
        super().__init__()
        self.convs = nn.ModuleDict()
        for name, (inputs, outputs) in CHANNELS.items():
            self.convs[name] = nn.Conv2d(inputs, outputs, 4, stride=2 if name.startswith("down") else 1)
            nn.init.kaiming_normal_(self.convs[name].weight, nonlinearity="relu")
            nn.init.zeros_(self.convs[name].bias)

    def forward(self, x: Tensor) -> Tensor:
        """Return the picture of each label map, values in [0, 1]."""
        for name, conv in self.convs.items():
            if name.startswith("up"):
                x = functional.interpolate(x, scale_factor=2, mode="nearest")
            x = conv(pad(x, UP_PADS if name.startswith("up") else DOWN_PADS))
            x = torch.sigmoid(x) if name == LAST else functional.relu(x)
        return x


def export_onnx(network: Autoencoder, path: Path) -> None:
    """Write the network as ONNX: input `image`, output `picture`, float32 [1, 3, height, width] in [0, 1].

    Height and width are free: the weights do not depend on them.
    """
    writer = OnnxWriter()
    x = "image"
    for name, conv in network.convs.items():
        weight, bias = conv.weight.detach().cpu().numpy(), conv.bias.detach().cpu().numpy()
        up = name.startswith("up")
        if up:
            x = writer.double(f"{name}_resize", x)
        x = writer.conv(name, x, weight, bias, stride=1 if up else 2, pads=UP_PADS if up else DOWN_PADS)
        is_last = name == LAST
        x = writer.node("Sigmoid", "picture", [x]) if is_last else writer.node("Relu", f"{name}_act", [x])
    shape = [1, 3, "height", "width"]
    writer.save(path, "webgl_cnn", inputs={"image": shape}, outputs={"picture": shape})


def train(network: Autoencoder, pairs: Pairs, clock: Clock, batch: int) -> None:
    """Train until the time is over, printing the held-out error now and then."""
    optimiser = torch.optim.AdamW(network.parameters(), betas=(0.9, 0.99))
    step = 0
    while clock.share < 1:
        clock.set_learning_rate(optimiser, LEARNING_RATE)
        labels, target = pairs.random_batch(batch)
        loss = picture_loss(network(labels), target)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        if step % 2000 == 0 or clock.share >= 1:
            with torch.no_grad():
                labels, target = pairs.held_out()
                error = functional.l1_loss(network(labels), target).item()
            print(f"step {step}, {clock.share:.0%} of the time, held-out error {error:.4f}", flush=True)


def main() -> None:
    """Read the command line, train and export."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="pairs written by generate.py (.npz)")
    parser.add_argument("--to", type=Path, required=True, help="folder for model.onnx and samples.png")
    parser.add_argument("--minutes", type=float, default=5, help="training time (default: 5)")
    parser.add_argument("--batch", type=int, default=64, help="pairs per step (default: 64)")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pairs = Pairs.load(arguments.data, device, step=2)
    network = Autoencoder().to(device)
    train(network, pairs, Clock(arguments.minutes), arguments.batch)
    arguments.to.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        labels, target = pairs.held_out()
        save_contact_sheet(arguments.to / "samples.png", labels, network(labels), target)
    export_onnx(network, arguments.to / "model.onnx")


if __name__ == "__main__":
    main()
