"""Small recordings of WebGPU, with shaders of our own, written as the recorder of a page writes them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# y = max(the sum of x and of its neighbour at the left, 0), in rows of `columns`.
SUM = """struct Sizes { columns : u32, count : u32 }
@group(0) @binding(0) var<uniform> sizes : Sizes;
@group(0) @binding(1) var<storage, read> x : array<f32>;
@group(0) @binding(2) var<storage, read_write> y : array<f32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
    if (id.x >= sizes.count) { return; }
    var left = 0.0;
    if (id.x % sizes.columns > 0u) { left = x[id.x - 1u]; }
    y[id.x] = max(x[id.x] + left, 0.0);
}
"""
# z = gain · y, in place.
SCALE = """override GAIN : f32 = 1.0;
@group(0) @binding(0) var<storage, read_write> values : array<vec4<f32>>;
@compute @workgroup_size(4)
fn scaled(@builtin(global_invocation_id) id : vec3<u32>) {
    if (id.x < arrayLength(&values)) { values[id.x] = GAIN * values[id.x]; }
}
"""
ROWS, COLUMNS = 4, 6


@dataclass
class WebgpuPage:
    """Imitates a page's recording; `write` makes it a folder."""

    about: dict[str, Any] = field(
        default_factory=lambda: {
            "format": "texelscope-webgpu", "version": 1, "agent": "a browser", "notes": [], "contents": [],
            "devices": [{"lost": False, "vendor": "a vendor", "architecture": "a card"}], "programs": [],
            "commands": [],
        }
    )  # fmt: skip
    files: dict[str, bytes] = field(default_factory=dict)

    def content(self, numbers: NDArray[Any], **more: Any) -> int:
        """One more content of a buffer; returns its number."""
        number, data = len(self.about["contents"]), numbers.tobytes()
        path = f"buffers/{number}.bin"
        self.files[path] = data
        sha256 = hashlib.sha256(data).hexdigest()
        self.about["contents"].append({"id": number, "bytes": len(data), "values": path, "sha256": sha256, **more})
        return number

    def program(self, text: str, label: str = "") -> int:
        """One more program; returns its number."""
        number = len(self.about["programs"])
        path = f"programs/{number:03d}.wgsl"
        self.files[path] = text.encode()
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        self.about["programs"].append({"text": path, "label": label, "sha256": sha256})
        return number

    def bound(self, place: tuple[int, int], buffer: int, before: int, after: int | None = None) -> dict[str, Any]:
        """Returns an entry of a whole buffer at a group and a binding, with its contents' numbers."""
        size = self.about["contents"][before]["bytes"]
        found = {"group": place[0], "binding": place[1], "buffer": buffer, "offset": 0, "size": size, "before": before}
        return found if after is None else {**found, "after": after}

    def dispatch(self, program: int, groups: list[int], bindings: list[dict[str, Any]], **more: Any) -> None:
        """One more dispatch; `more` are other fields of its entry."""
        self.about["commands"].append({
            "kind": "dispatch", "program": program, "entry": "", "label": "", "constants": {}, "groups": groups,
            "bindings": bindings, **more,
        })  # fmt: skip

    def write(self, folder: Path) -> Path:
        """Returns the recording as a folder."""
        for name, data in {"dispatches.json": json.dumps(self.about).encode(), **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder


def numbers(seed: int = 1, count: int = ROWS * COLUMNS) -> NDArray[np.float32]:
    """Draws noise, [count]."""
    return np.random.default_rng(seed).standard_normal(count).astype(np.float32)


def summed(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """What `SUM` writes."""
    given = x.reshape(ROWS, COLUMNS)
    left = np.zeros_like(given)
    left[:, 1:] = given[:, :-1]
    result: NDArray[np.float32] = np.maximum(given + left, np.float32(0.0)).ravel()
    return result


def two_dispatches() -> WebgpuPage:
    """A sum, and its double in place: buffers 0 (sizes), 1 (x) and 2 (y, then z)."""
    page, x = WebgpuPage(), numbers()
    y = summed(x)
    sizes, given = page.content(np.array([COLUMNS, ROWS * COLUMNS], np.uint32)), page.content(x)
    empty, first, second = page.content(np.zeros_like(y)), page.content(y), page.content(np.float32(2.0) * y)
    bindings = [page.bound((0, 0), 0, sizes), page.bound((0, 1), 1, given), page.bound((0, 2), 2, empty, first)]
    page.about["commands"].append({"kind": "write", "buffer": 1, "offset": 0, "size": 4 * x.size})
    page.dispatch(page.program(SUM, "Sum"), [3, 1, 1], bindings)
    bindings = [page.bound((0, 0), 2, first, second)]
    page.dispatch(page.program(SCALE), [2, 1, 1], bindings, entry="scaled", label="Scale", constants={"GAIN": 2})
    return page
