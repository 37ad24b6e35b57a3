"""An engine's kernel over images of three dimensions gets tiles in one column, in which it matches."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.writing import write_draft
from texelscope.pipeline.gl.context import headless_context, limits_of

KERNEL = """\
layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
layout(location = 1) uniform mediump sampler3D uInput;
layout(location = 2) uniform ivec4 imgSize;
layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;
void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (all(lessThan(pos, imgSize.xyz))) imageStore(uOutput, pos, max(texelFetch(uInput, pos, 0), vec4(0)));
}
"""


def test_a_kernel_over_volumes_matches_its_model(tmp_path: Path) -> None:
    if limits_of(headless_context()).work_groups is None:
        pytest.skip("the driver has no compute shaders")
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 8, 16, 24]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    model = tmp_path / "relu.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), model)
    shader = tmp_path / "relu.comp"
    shader.write_text(KERNEL)
    written = write_draft([shader], tmp_path / "drafted", DraftRequest(), model)
    assert written.matched == ("relu",)
    assert 'output.layout = { name = "channel_tiles_rgba", columns = 1 }' in written.file.read_text()
