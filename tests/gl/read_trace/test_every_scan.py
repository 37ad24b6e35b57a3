"""Without storage buffers the same reads are recorded, over shipped shaders in every layout."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults import models
from tests.faults.subjects import generated
from tests.gl.read_trace.scanning import check, opened
from tests.gl.shipped_shaders import MORE
from tests.gl.shipped_shaders import Subject as Shipped
from tests.gl.shipped_shaders import subject_of as shipped
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load

LAYOUTS = ("channel_tiles", "channel_tiles_rgba", "tfjs_packed")
MODELS = (
    models.conv(), models.conv(group=5, outputs=5), models.conv_transpose(), models.pool("AveragePool"),
    models.batch_norm(), models.instance_norm(), models.softmax(), models.concat(), models.gemm(), models.prelu(),
    models.resize(mode="linear"), models.pad(mode="reflect"), models.binary("Sub"), models.pointwise("Sigmoid"),
)  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.title)
def test_shipped_shaders_record_the_same(
    model: models.Model, layout: str, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = generated(model, layout)
    with opened(subject, gl) as session:
        check(session, subject.name, monkeypatch)


@pytest.mark.parametrize(("node", "layout"), MORE, ids=str)
def test_shaders_of_more_axes_record_the_same(
    node: object, layout: str, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject: Shipped = shipped(node, load(node.model()), layout, limits_of(gl))  # type: ignore[attr-defined,arg-type]
    with subject.opened(gl) as session:
        check(session, subject.plan.passes[-1].name, monkeypatch)
