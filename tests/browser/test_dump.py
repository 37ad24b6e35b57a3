"""The JavaScript of docs/captures.md, as it stands there, dumps what a page drew."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from tests.pure.pipeline_file.folders import INPUT, write_folder
from texelscope.pipeline.commands.captured import diff_captured
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions, Target

SHADER = """\
#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D u_image;
out vec4 result;

void main() {
    result = 2.0 * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0);
}
"""

PIPELINE = f"""\
[pipeline]
oracle = "oracle.py"
{INPUT}
[[pass]]
name = "double"
shader = "double.frag"
output = {{ shape = [1, 3, 8, 8], layout = "channel_tiles" }}
textures.u_image = "image"
"""

# What a person's own page does: uploads a picture of floats, draws one pass, dumps it.
PAGE = """
function draw(gl, fragment, texels, width, height) {
  gl.getExtension("EXT_color_buffer_float");
  const program = gl.createProgram();
  const vertex = `#version 300 es
    void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  const texture = (data) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, width, height, 0, gl.RED, gl.FLOAT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return made;
  };
  const target = texture(null);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
  texture(new Float32Array(texels));
  gl.viewport(0, 0, width, height);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}
"""


def test_it_runs_as_it_stands_and_its_file_is_a_capture(chromium: Chromium, tmp_path: Path) -> None:
    document = (ROOT / "docs" / "captures.md").read_text(encoding="utf-8")
    found = re.search(r"```js\n(?P<text>.*?)```", document, re.DOTALL)
    assert found is not None
    file = write_folder(
        tmp_path, PIPELINE, double_frag=SHADER, oracle_py="def double(u_image):\n    return 2.0 * u_image\n"
    )
    target = Target(str(file), OpenOptions(trust=True))
    plan = plan_of(file, target.options)
    texels = plan.textures["image"].layout.encode(plan.initial_inputs["image"])
    height, width, _ = texels.shape
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html><body><script>{found['text']}{PAGE}</script>", encoding="utf-8")
    chromium.open(page)
    numbers = json.dumps(texels.reshape(-1).astype(float).tolist())
    chromium.evaluate(
        f"""(() => {{
            const gl = document.createElement("canvas").getContext("webgl2");
            draw(gl, {json.dumps(SHADER)}, {numbers}, {width}, {height});
            dump(gl, "double", {width}, {height});
            save(gl);
        }})()"""
    )
    capture = chromium.downloaded("capture.json")
    report = diff_captured(target, capture).report
    capture.unlink()
    assert [each.verdict for each in report.passes] == ["match"]
    assert "SwiftShader" in report.device.renderer
