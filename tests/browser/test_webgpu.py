"""Pages that compute with WebGPU, recorded in a browser: dispatches run here, match, and a wrong edit is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.errors import TexelscopeError

RECORDER = ROOT / "examples" / "webgpu" / "recorder.js"
THREE_LAYERS = Path(__file__).parent / "webgpu_pages" / "three_layers.js"


def page_of(folder: Path, *scripts: Path) -> Path:
    """Returns a page of those scripts, the recorder first."""
    folder.mkdir(exist_ok=True)
    names = []
    for script in (RECORDER, *scripts):
        shutil.copyfile(script, folder / script.name)
        names.append(f"<script src='{script.name}'></script>")
    page = folder / "page.html"
    page.write_text("<!DOCTYPE html><meta charset='utf-8'><body></body>" + "".join(names), encoding="utf-8")
    return page


def returned(chromium: Chromium, page: Path, run: str) -> Any:
    """Opens a page anew and returns what the statements return in it."""
    chromium.open(page)
    return chromium.evaluate(f"(async () => {{ {run} }})()")


def recorded(chromium: Chromium, page: Path, name: str, run: str) -> tuple[Path, Any]:
    """Returns the archive that the page lets one download, and the `result` that the statements leave."""
    start, end = "const recorder = recordWebGPU();", f"await recorder.save('{name}.webgpu.zip'); return result;"
    result = returned(chromium, page, f"{start} {run} {end}")
    return chromium.downloaded(f"{name}.webgpu.zip"), result


def compared(target: Path) -> Report:
    """Returns the report of a recording."""
    with pipeline.open(target) as session:
        session.run()
        return session.compare()


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the page of three layers."""
    return page_of(tmp_path_factory.mktemp("layers"), THREE_LAYERS)


@pytest.fixture(scope="module")
def recording(chromium: Chromium, layers: Path) -> tuple[Path, Any]:
    """Returns the archive of three layers, and what the page computed while it was recorded."""
    return recorded(chromium, layers, "layers", "const result = await threeLayers();")


def test_a_recorded_page_computes_what_it_computes_without_the_recorder(
    chromium: Chromium, layers: Path, recording: tuple[Path, Any]
) -> None:
    plain = returned(chromium, layers, "return await threeLayers();")
    assert plain == recording[1]
    assert plain["errors"] == []
    assert plain["usage"]
    assert len(set(plain["values"])) == 6


def test_every_dispatch_runs_here_with_its_uniforms_and_overrides_and_matches(recording: tuple[Path, Any]) -> None:
    plan = pipeline.plan_of(recording[0])
    assert not plan.warnings
    assert [each.operator for each in plan.passes] == ["Box", "Affine", "Program2"]
    assert [each.dispatch.groups for each in plan.passes if each.dispatch] == [(2, 2, 1), (2, 1, 1), (6, 1, 1)]
    assert plan.passes[0].uniforms == {
        "sizes_block.columns": 8, "sizes_block.rows": 6, "sizes_block.scale": (0.25, -0.125),
    }  # fmt: skip
    assert ("overrides", "FLOOR = 0.0625") in plan.passes[0].notes
    # The second layer is computed in place, with the part of the uniforms that a dynamic offset chooses.
    assert plan.passes[1].reads == ("dispatch0",)
    assert plan.passes[1].uniforms == {"affine_block.gain": (2, 0.5, -1, 3), "affine_block.bias": 0.25}
    assert plan.recorded is not None
    assert plan.recorded.values["dispatch2"].ravel().tolist() == recording[1]["values"]
    assert [(each.name, each.verdict) for each in compared(recording[0]).passes] == [
        ("dispatch0", "match"), ("dispatch1", "match"), ("dispatch2", "match"),
    ]  # fmt: skip


EDITS = [
    ("000_Box.wgsl", "dx = -1; dx <= 1", "dx = -1; dx <= 0", "dispatch0"),
    ("001_Affine.wgsl", "affine.gain * values[id.x]", "affine.gain.yxzw * values[id.x]", "dispatch1"),
    ("002_program.wgsl", "row.x * columns + i", "row.x + i * 6u", "dispatch2"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "culprit"), EDITS)
def test_a_wrong_edit_of_a_recorded_text_is_the_first_wrong_pass(
    recording: tuple[Path, Any], tmp_path: Path, file: str, right: str, wrong: str, culprit: str
) -> None:
    shutil.unpack_archive(recording[0], tmp_path, "zip")
    path = tmp_path / "programs" / file
    assert right in path.read_text()
    path.write_text(path.read_text().replace(right, wrong))
    assert compared(tmp_path).culprit == culprit


def test_a_text_that_was_edited_to_no_wgsl_is_an_error_at_its_line(recording: tuple[Path, Any], tmp_path: Path) -> None:
    shutil.unpack_archive(recording[0], tmp_path, "zip")
    path = tmp_path / "programs" / "002_program.wgsl"
    path.write_text(path.read_text().replace("var total = 0.0;", "var total = unknown;"))
    with pytest.raises(TexelscopeError, match=r"^'programs/002_program\.wgsl' line 7: expected .*unknown"):
        pipeline.plan_of(tmp_path)


def test_what_cannot_be_recorded_is_said_in_one_line_each(chromium: Chromium, layers: Path) -> None:
    notes = "await recorder.archive(); return recorder.notes;"
    assert returned(
        chromium, layers, f"const recorder = recordWebGPU({{ mostBytes: 2000 }}); await threeLayers(); {notes}"
    ) == ["The recording is cut short: it may hold 2000 bytes. Allow more with mostBytes."]
    late = returned(
        chromium, layers,
        f"""const own = navigator.gpu.requestAdapter.bind(navigator.gpu);
            const adapter = await own(), device = await adapter.requestDevice();
            const buffer = device.createBuffer({{ size: 16, usage: GPUBufferUsage.STORAGE }});
            const code = '@group(0) @binding(0) var<storage, read_write> x : array<f32>;'
                + '@compute @workgroup_size(1) fn main() {{ x[0] = 1.0; }}';
            const module = device.createShaderModule({{ code }});
            const recorder = recordWebGPU();
            const run = (module, buffer) => {{
                const pipeline = device.createComputePipeline({{ layout: 'auto', compute: {{ module }} }});
                const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
                pass.setPipeline(pipeline);
                pass.setBindGroup(0, device.createBindGroup({{
                    layout: pipeline.getBindGroupLayout(0), entries: [{{ binding: 0, resource: {{ buffer }} }}] }}));
                pass.dispatchWorkgroups(1);
                pass.end();
                device.queue.submit([encoder.finish()]);
            }};
            run(module, buffer);
            run(device.createShaderModule({{ code }}), buffer);
            {notes}""",
    )  # fmt: skip
    assert late == [
        "A pipeline or its module was made before the recording began: its dispatches are not recorded.",
        "A buffer was made before the recording began: what it holds is not recorded.",
    ]


def test_a_page_that_dispatches_nothing_says_so_when_it_is_opened(chromium: Chromium, layers: Path) -> None:
    archive, _ = recorded(chromium, layers, "empty", "const result = 0;")
    with pytest.raises(TexelscopeError, match="expected 1 to 10000 dispatches, got 0; No WebGPU device was asked for"):
        pipeline.plan_of(archive)


def test_two_runs_on_two_devices_are_one_recording_with_every_content_once(
    chromium: Chromium, layers: Path, recording: tuple[Path, Any], tmp_path: Path
) -> None:
    archive, results = recorded(chromium, layers, "twice", "const result = [await threeLayers(), await threeLayers()];")
    assert results == [recording[1]] * 2
    plan = pipeline.plan_of(archive)
    assert [each.reads for each in plan.passes[4:]] == [("dispatch3",), ("dispatch4",)]
    shutil.unpack_archive(archive, tmp_path / "twice", "zip")
    shutil.unpack_archive(recording[0], tmp_path / "once", "zip")
    for kind in ("buffers", "programs"):
        once, twice = ({each.read_bytes() for each in (tmp_path / name / kind).iterdir()} for name in ("once", "twice"))
        assert once == twice
        assert len(twice) == len([*(tmp_path / "twice" / kind).iterdir()])
    assert {each.verdict for each in compared(archive).passes} == {"match"}


_TIMED = """
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'] }), errors = [];
  device.addEventListener('uncapturederror', ({ error }) => errors.push(error.message));
  const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ, STORAGE } = GPUBufferUsage;
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
  const resolved = device.createBuffer({ size: 16, usage: QUERY_RESOLVE | COPY_SRC });
  const read = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
  const code = `@group(0) @binding(0) var<storage, read_write> x : array<f32>;
    @compute @workgroup_size(1) fn main() { for (var i = 0; i < 100000; i++) { x[0] += 1.0; } }`;
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const buffer = device.createBuffer({ size: 16, usage: STORAGE });
  const layout = pipeline.getBindGroupLayout(0), entries = [{ binding: 0, resource: { buffer } }];
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass({
    timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
  });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
  encoder.copyBufferToBuffer(resolved, 0, read, 0, 16);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const [start, end] = new BigUint64Array(read.getMappedRange());
  const result = { errors, passed: end > start && start > 0n };
"""


def test_a_pass_that_measures_its_time_still_does_so(chromium: Chromium, layers: Path) -> None:
    archive, result = recorded(chromium, layers, "timed", _TIMED)
    assert result == {"errors": [], "passed": True}
    assert len(pipeline.plan_of(archive).passes) == 1


def test_contents_are_those_that_a_dispatch_had(recording: tuple[Path, Any], tmp_path: Path) -> None:
    shutil.unpack_archive(recording[0], tmp_path, "zip")
    about = json.loads((tmp_path / "dispatches.json").read_text())
    dispatches = [each for each in about["commands"] if each["kind"] == "dispatch"]
    used = {each.get(name) for one in dispatches for each in one["bindings"] for name in ("before", "after")}
    used |= {one.get("indirect") for one in dispatches}
    assert {each["id"] for each in about["contents"]} == used - {None}
