"""An option that a target does not use is refused in a line: dropped in silence, it would pass for tried."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from texelscope import command_line, pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import applicable
from texelscope.pipeline.target import OpenOptions

OWN_SHADERS = ROOT / "examples" / "webgl_cnn" / "fixed.toml"
MODEL = ROOT / "examples" / "facades" / "facades.onnx"


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--precision", "float16"), "--precision float16"),
        (("--layout", "channel_tiles"), "--layout channel_tiles"),
        (("--backend", "compute"), "--backend compute"),
        (("--against-precision", "float16"), "--precision float16"),
        (("--against-layout", "channel_tiles"), "--layout channel_tiles"),
    ],
)
def test_what_a_pipeline_file_says_itself_cannot_be_chosen(
    words: tuple[str, str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["diff", str(OWN_SHADERS), *words]) == 2
    assert capsys.readouterr().err.strip() == (
        f"texelscope: {option}: expected a target that leaves that open, such as a model, "
        "got 'fixed.toml', which says it itself. Leave it out, or change it there."
    )


@pytest.mark.parametrize("options", [{"precision": "float16"}, {"layout": "channel_tiles"}])
def test_the_api_refuses_it_as_well(options: dict[str, Any]) -> None:
    with pytest.raises(TexelscopeError, match="expected a target that leaves that open"):
        pipeline.plan_of(OWN_SHADERS, **options)


def test_the_ending_of_a_model_decides_nothing_by_its_case(tmp_path: Path) -> None:
    loud = tmp_path / "M.ONNX"
    loud.write_bytes(MODEL.read_bytes())
    assert pipeline.plan_of(loud, precision="float16", layout="channel_tiles").passes


def test_a_target_to_compare_with_takes_what_it_can_of_the_first_ones_options() -> None:
    chosen = OpenOptions("channel_tiles", "float16", backend="compute")
    assert applicable(MODEL, chosen) == chosen
    assert applicable(OWN_SHADERS, chosen) == OpenOptions(backend="compute")
