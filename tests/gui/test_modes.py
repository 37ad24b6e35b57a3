"""A shader of ncnn opens in the window; its modes and packs stand side by side, and a click opens one of them."""

from __future__ import annotations

from pathlib import Path

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop
from tests.ncnn_shaders import relu, write_relu


def test_all_modes_are_seen_and_one_that_is_wrong_is_opened(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    path = write_relu(tmp_path)
    wrong = relu(4).replace("    v = max", "#if NCNN_fp16_packed\n    v = v.yxzw;\n#endif\n    v = max")
    (tmp_path / "relu_pack8.comp").unlink()
    (tmp_path / "relu_pack4.comp").write_text(wrong, encoding="utf-8")
    window = launch(path, "--param", "channels=8")
    desktop.wait_for(window, lambda seen: bool(seen) and seen["verdicts"] == {"relu": "match"}, "the shader matches")
    desktop.wait_for(window, lambda seen: "mode fp16_packed 4" in seen["places"], "the table")
    assert any("Only wrong in fp16_packed and fp16_packed_image with pack 4." in line for line in window.seen()["log"])
    desktop.click_on(window, "mode fp16_packed 4")
    desktop.wait_for(window, lambda seen: seen["verdicts"] == {"relu_pack4": "mismatch"}, "the wrong one is open")
    assert "mode fp32 1" in window.seen()["places"], "the table stays"
