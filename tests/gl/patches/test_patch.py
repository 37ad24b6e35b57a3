"""`diff --fix`: the repairs of all wrong passes in one patch, tried as a whole, and why something is not in it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.gl.commands.running import Run, run
from tests.pure.models import model, node, value
from tests.sarif_reader import apply_fix, place_of, results_of

__all__ = ["run"]

SHADER = """#version 330
uniform sampler2D t_x;
out vec4 colour;

void main() {
    float x = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0).r;
    float alpha = ALPHA;
    colour = vec4(x > 0.0 ? x : x * alpha);
}
"""
PIPELINE = """[pipeline]
name = "leaks"
model = "model.onnx"

[[input]]
name = "image"
shape = [1, 2, 5, 6]
source = "image.npy"
layout = "channel_tiles"
"""
PASS = """
[[pass]]
name = "{name}"
shader = "leak.frag"
output = {{ shape = [1, 2, 5, 6], layout = "channel_tiles" }}
textures.t_x = "{reads}"
defines.ALPHA = {alpha}
"""


def folder(path: Path, shader: bytes) -> Path:
    """Two passes of one shader, which are LeakyRelu by 0.25 and by 0.5."""
    nodes = [node("LeakyRelu", "image", "a", "first", alpha=0.25), node("LeakyRelu", "a", "b", "second", alpha=0.5)]
    path.mkdir()
    values = np.random.default_rng(3).standard_normal((1, 2, 5, 6))
    np.save(path / "image.npy", values.astype(np.float32))
    onnx.save(model(nodes, [value("image", (1, 2, 5, 6))], [value("b", (1, 2, 5, 6))]), path / "model.onnx")
    passes = (PASS.format(name="a", reads="image", alpha=0.25), PASS.format(name="b", reads="a", alpha=0.5))
    (path / "pipeline.toml").write_text("".join((PIPELINE, *passes)))
    (path / "leak.frag").write_bytes(shader)
    return path


def test_one_patch_mends_both_passes_of_a_shader_and_the_tools_take_it(run: Run, tmp_path: Path) -> None:
    shader = SHADER.replace("x * alpha", "x / alpha").replace("\n", "\r\n").encode()
    leaks = folder(tmp_path / "leaks", shader)
    patch, report = tmp_path / "p.patch", tmp_path / "r.json"
    assert run("diff", leaks / "pipeline.toml", "--fix", patch, "--json", report) == 1
    changed = "8 - colour = vec4(x > 0.0 ? x : x / alpha);\n      8 + colour = vec4(x > 0.0 ? x : x * alpha);\n"
    assert changed in run.out.replace("(x * alpha)", "x * alpha")
    assert run.err.startswith(
        f"texelscope: --fix {patch}: 1 line of 1 file for 2 of 2 wrong passes; with that 2 of 2 passes match."
    )
    found = json.loads(report.read_text())["passes"][0]
    assert found["repairs"][0] == found["findings"][0]["repair"]
    assert found["repairs"][0]["diff"].startswith("--- a/leak.frag\n+++ b/leak.frag\n@@ -5,")
    assert (leaks / "leak.frag").read_bytes() == shader  # nothing is changed by itself
    subprocess.run(["git", "init", "-q", tmp_path], check=True, timeout=20)
    subprocess.run(["git", "apply", patch], cwd=leaks, check=True, timeout=20)
    mended = (leaks / "leak.frag").read_bytes().replace(b"(x * alpha)", b"x * alpha")
    assert mended == shader.replace(b"x / alpha", b"x * alpha")
    subprocess.run(["patch", "-R", "-p1", "-s", "-i", patch], cwd=leaks, check=True, timeout=20)
    subprocess.run(["patch", "-p1", "-s", "-i", patch], cwd=leaks, check=True, timeout=20)
    assert run("diff", leaks / "pipeline.toml", "--fix", "-") == 0
    assert (run.out, run.err) == ("", "texelscope: --fix: No pass is wrong: the patch is empty.\n")


def test_what_would_make_another_pass_wrong_is_no_repair(run: Run, tmp_path: Path) -> None:
    leaks = folder(tmp_path / "leaks", SHADER.replace("ALPHA", "0.25").encode())
    file = leaks / "pipeline.toml"
    file.write_text("".join(line for line in file.read_text().splitlines(True) if "ALPHA" not in line))
    for asked in ((), ("--diagnose-seconds", 0)):
        assert run("diff", file, "--fix", "-", *asked) == 1
        assert run.out == ""
        assert run.err == "texelscope: --fix: No repair was found for 'b'. The patch is empty.\n"


def test_what_is_defined_for_each_pass_and_never_used_mends_one_and_leaves_the_other(run: Run, tmp_path: Path) -> None:
    leaks = folder(tmp_path / "leaks", SHADER.replace("ALPHA", "0.25").encode())
    assert run("diff", leaks / "pipeline.toml", "--fix", "-") == 1
    assert "ALPHA" in run.out
    assert "with that 2 of 2 passes match" in run.err


def test_a_patch_is_of_a_run_here(run: Run) -> None:
    for other in (["--golden", "g.npz"], ["--against-layout", "linear"], ["--sensitivity"], ["--captured", "d"]):
        assert f"--fix: expected no {other[0].partition('-l')[0]} beside it, got both." in run.refusal(
            "diff", "x.onnx", "--fix", "p", *other
        )
    assert "expected one report on standard output" in run.refusal("diff", "x.onnx", "--fix", "-", "--json", "-")


def test_a_review_gets_the_line_and_a_fix_that_makes_both_passes_right(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path / "leaks", SHADER.replace("x * alpha", "x / alpha").encode())
    monkeypatch.chdir(tmp_path)  # the root of the checkout, where a build runs
    assert run("diff", "leaks/pipeline.toml", "--diagnose-seconds", 60, "--fix", "p.patch", "--sarif", "s.sarif") == 1
    first, *_ = [each for each in results_of(Path("s.sarif").read_text()) if each["level"] == "error"]
    assert place_of(first) == ("leaks/leak.frag", 8)
    apply_fix(tmp_path, first["fixes"][0])
    assert run("diff", "leaks/pipeline.toml", "--sarif", "-") == 0
    assert results_of(run.out) == []
