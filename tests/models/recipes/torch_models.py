"""Models as PyTorch exports them: by TorchScript in training mode, and by its newer exporter."""

from __future__ import annotations

import io

import onnx
import torch
from torch import nn

from tests.models.recipes.written import write


class Classifier(nn.Module):
    """Builds convolutions with batch normalisation, a shortcut, and a linear layer behind a mean."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU())
        self.block = nn.Sequential(nn.Conv2d(8, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU6())
        self.down = nn.Sequential(nn.Conv2d(8, 12, 3, 2, 1, groups=4), nn.LeakyReLU(0.1))
        self.head = nn.Linear(12, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        x = self.down(x + self.block(x))
        return self.head(x.mean((2, 3)))


class Encoder(nn.Module):
    """Builds one layer of a transformer over patches of a picture."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 4, 4)
        self.norm = nn.LayerNorm(16)
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.inner = nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return torch.softmax((x + self.inner(x)).mean(1), -1)


class Upscaler(nn.Module):
    """Maps picture to picture: a convolution, pixels from channels, and a bilinear shortcut."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1, padding_mode="reflect")
        self.slope = nn.PReLU(8)
        self.last = nn.Conv2d(8, 12, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = nn.functional.pixel_shuffle(self.last(self.slope(self.first(x))), 2)
        return torch.clamp(y + nn.functional.interpolate(x, scale_factor=2, mode="bilinear"), 0, 1)


class Branching(nn.Module):
    """Branches on the values of the picture."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.mean() > 0, lambda y: torch.relu(y) + 1, lambda y: torch.tanh(y) * 2, (x,))


class Repeating(nn.Module):
    """A state that is changed as often as its values demand."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def smaller(state: torch.Tensor) -> torch.Tensor:
            return state * 0.5 + 0.01

        return torch.while_loop(lambda state: state.abs().max() > 0.3, smaller, (x,))[0]


def training() -> onnx.ModelProto:
    """The classifier as it is trained, opset 9: batch normalisation has outputs that nobody reads."""
    memory = io.BytesIO()
    torch.onnx.export(
        Classifier().train(),
        (torch.randn(2, 3, 16, 16),),
        memory,
        dynamo=False,
        training=torch.onnx.TrainingMode.TRAINING,
        do_constant_folding=False,
        opset_version=9,
        input_names=["image"],
        output_names=["scores"],
    )
    return onnx.load_from_string(memory.getvalue())


def scripted(model: nn.Module, *inputs: torch.Tensor, opset: int) -> onnx.ModelProto:
    """Exports by the exporter that records a run."""
    memory = io.BytesIO()
    torch.onnx.export(
        model.eval(), inputs, memory, dynamo=False, opset_version=opset, input_names=["image"], output_names=["result"]
    )
    return onnx.load_from_string(memory.getvalue())


def exported(model: nn.Module, *inputs: torch.Tensor) -> onnx.ModelProto:
    """Exports by the newer exporter."""
    program = torch.onnx.export(model.eval(), inputs, dynamo=True, input_names=["image"], output_names=["result"])
    return program.model_proto


def main() -> None:
    torch.manual_seed(5)
    write(training(), "torch_training_opset9")
    write(scripted(Classifier(), torch.randn(1, 3, 16, 16), opset=13), "torch_classifier_opset13")
    write(scripted(Upscaler(), torch.rand(1, 3, 8, 10), opset=11), "torch_upscaler_opset11")
    write(exported(Encoder(), torch.randn(1, 3, 16, 16)), "torch_dynamo_encoder")
    write(exported(Upscaler(), torch.rand(1, 3, 8, 10)), "torch_dynamo_upscaler")
    write(exported(Branching(), torch.randn(1, 2, 4, 4)), "torch_dynamo_if")
    write(exported(Repeating(), torch.randn(1, 2, 4, 4)), "torch_dynamo_loop")


if __name__ == "__main__":
    main()
