"""Tests that a target reaches another process complete."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.bench.timing import as_text, caches_in, target_of_text
from texelscope.pipeline.quotas import Quotas
from texelscope.pipeline.target import OpenOptions, Target


def test_a_target_goes_to_another_process_with_all_its_options() -> None:
    options = OpenOptions(
        "row_major_rgba",
        "float16",
        {"x": (1, 3, 8, 8)},
        trust=True,
        conventions={"LRN": "tensorflow"},
        quotas=Quotas(nodes=7),
    )
    target = Target("m.onnx", options, {"": "ramp"}, ("oracle",))
    assert target_of_text(as_text(target)) == target
    assert target_of_text(as_text(Target("m.onnx"))) == Target("m.onnx")


def test_trust_in_files_goes_along() -> None:
    told = target_of_text(as_text(Target("m.toml", OpenOptions(trust=frozenset({"ab"})))))
    assert told.options.trust == ["ab"]


def test_every_cache_lies_in_the_folder(tmp_path: Path) -> None:
    places = [each for each in caches_in(tmp_path).values() if each != "1"]
    assert all(Path(each).is_relative_to(tmp_path) for each in places)
    assert {"MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH", "XDG_CACHE_HOME"} <= set(caches_in(tmp_path))
