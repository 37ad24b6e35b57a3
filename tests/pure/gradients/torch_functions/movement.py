"""Elements that are moved, picked, repeated or left out."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812

from tests.pure.gradients.torch_node import NothingAlikeError, Tensor, TorchNode


def picked(x: Tensor, axis: int, places: object) -> Tensor:
    """Elements at `places` along an axis, negative ones counted from its end."""
    index = torch.from_numpy(np.array(places, dtype=np.int64)) % x.shape[axis]
    return torch.index_select(x, axis, index)


def _axes(node: TorchNode, position: int, count: int) -> list[int]:
    """The axes said by an input or attribute; the first ones where none are."""
    said = node.whole(position) if node.has(position) else node.said("axes")
    return [int(axis) % node.rank for axis in (range(count) if said is None else said)]


def _pad(node: TorchNode) -> Tensor:
    x, pads = node[0], node.whole(1) if node.has(1) else list(node.said("pads"))
    count = len(pads) // 2
    axes = _axes(node, 3, count)
    before, after = ([0] * node.rank for _ in range(2))
    for place, axis in enumerate(axes):
        before[axis], after[axis] = pads[place], pads[count + place]
    mode = node.said("mode")
    if mode == "constant":
        flat = [side for axis in reversed(range(node.rank)) for side in (before[axis], after[axis])]
        value = node[2].reshape(()) if node.has(2) else torch.zeros((), dtype=x.dtype)
        inside = F.pad(torch.ones_like(x), flat)
        return F.pad(x, flat) + value * (1.0 - inside)
    for axis in range(node.rank):
        cut = np.arange(x.shape[axis])[max(-before[axis], 0) : x.shape[axis] + min(after[axis], 0)]
        places = np.pad(cut, (max(before[axis], 0), max(after[axis], 0)), mode=mode)
        x = picked(x, axis, places)
    return x


def _slice(node: TorchNode) -> Tensor:
    x = node[0]
    starts, ends = (node.whole(at) if node.has(at) else node.said(name) for at, name in ((1, "starts"), (2, "ends")))
    steps = node.whole(4) if node.has(4) else [1] * len(starts)
    for axis, start, end, step in zip(_axes(node, 3, len(starts)), starts, ends, steps, strict=True):
        stop = None if step < 0 and end < -x.shape[axis] else end
        x = picked(x, axis, np.arange(x.shape[axis])[start:stop:step])
    return x


def _split(node: TorchNode) -> Tensor:
    size, parts = node[0].shape[node.axis], node.case.outputs
    each = -(-size // parts)
    even = [each] * (parts - 1) + [size - each * (parts - 1)]
    sizes = node.whole(1) if node.has(1) else node.said("split", even)
    return torch.split(node[0], list(sizes), node.axis)


def _compress(node: TorchNode) -> Tensor:
    axis = node.said("axis")
    x = node[0].reshape(-1) if axis is None else node[0]
    return picked(x, 0 if axis is None else node.axis, np.flatnonzero(node.value(1)))


def _gather(node: TorchNode) -> Tensor:
    axis, index = node.axis, node[1]
    taken = picked(node[0], axis, node.value(1).reshape(-1))
    return taken.reshape(*node[0].shape[:axis], *index.shape, *node[0].shape[axis + 1 :])


def _gather_nd(node: TorchNode) -> Tensor:
    batch, index = int(node.said("batch_dims")), node[1]
    # Along each batch axis the place itself.
    sizes = index.shape[:-1]
    lead = [torch.arange(size).reshape(-1, *(1,) * (len(sizes) - 1 - at)) for at, size in enumerate(sizes[:batch])]
    return node[0][(*lead, *index.unbind(-1))]


_REDUCTIONS = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}


def _scattered(x: Tensor, axis: int, index: Tensor, updates: Tensor, reduction: str) -> Tensor:
    index = index % x.shape[axis]
    if reduction == "none":
        return torch.scatter(x, axis, index, updates)
    return torch.scatter_reduce(x, axis, index, updates, _REDUCTIONS[reduction])


def _scatter_nd(node: TorchNode) -> Tensor:
    """Over the indexed axes as one."""
    x, index, updates = node[0], node[1], node[2]
    depth = index.shape[-1]
    flat = x.reshape(-1, *x.shape[depth:])
    place = torch.zeros(index.shape[:-1], dtype=torch.int64)
    for axis in range(depth):
        place = place * x.shape[axis] + index[..., axis] % x.shape[axis]
    updates = updates.reshape(-1, *x.shape[depth:])
    spread = place.reshape(-1, *(1,) * (flat.ndim - 1)).expand(updates.shape)
    return _scattered(flat, 0, spread, updates, node.said("reduction", "none")).reshape(x.shape)


def _one_hot(node: TorchNode) -> Tensor:
    depth = node.whole(1)[0]
    index, places = node[0].unsqueeze(-1), torch.arange(depth)
    hot = (index == places) | (index + depth == places)
    hot = hot.to(node[2].dtype).movedim(-1, int(node.said("axis")))
    return node[2][0] + (node[2][1] - node[2][0]) * hot


def _depth_to_space(node: TorchNode) -> Tensor:
    block = int(node.said("blocksize"))
    if node.said("mode") == "CRD":
        return F.pixel_shuffle(node[0], block)
    n, c, h, w = node[0].shape
    parts = node[0].reshape(n, block, block, c // block**2, h, w)
    return parts.permute(0, 3, 4, 1, 5, 2).reshape(n, c // block**2, h * block, w * block)


def _space_to_depth(node: TorchNode) -> Tensor:
    block = int(node.said("blocksize"))
    n, c, h, w = node[0].shape
    if node.said("mode", "DCR") == "CRD":
        return F.pixel_unshuffle(node[0], block)
    parts = F.pixel_unshuffle(node[0], block).reshape(n, c, block * block, h // block, w // block)
    return parts.transpose(1, 2).reshape(n, c * block * block, h // block, w // block)


def _tile(node: TorchNode) -> Tensor:
    if node.case.opset >= 6:
        return node[0].repeat(*node.whole(1))
    repeats = [1] * node.rank
    repeats[node.whole(2)[0]] = node.whole(1)[0]
    return node[0].repeat(*repeats)


def _running(node: TorchNode) -> Tensor:
    """Exclusive: behind the neutral element, without the last."""
    is_sum = node.case.op_type == "CumSum"
    axis = node.whole(1)[0]
    x = node[0].flip(axis) if node.said("reverse") else node[0]
    if node.said("exclusive"):
        first = torch.full_like(x.narrow(axis, 0, 1), 0.0 if is_sum else 1.0)
        x = torch.cat([first, x.narrow(axis, 0, x.shape[axis] - 1)], axis)
    x = torch.cumsum(x, axis) if is_sum else torch.cumprod(x, axis)
    return x.flip(axis) if node.said("reverse") else x


def _grid_sample(node: TorchNode) -> Tensor:
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(node.said("mode"), node.said("mode"))
    corners = bool(node.said("align_corners"))
    return F.grid_sample(node[0], node[1], mode, node.said("padding_mode"), align_corners=corners)


def _interpolated(node: TorchNode) -> Tensor:
    """Resizes by F.interpolate where it means the same; from a scale, or from the output's size."""
    scales = {"Resize": 2 if node.case.opset > 10 else 1, "Upsample": 1}[node.case.op_type]
    ratio = node.value(scales).reshape(-1) if node.has(scales) and node.value(scales).size else None
    is_whole = ratio is None or bool(np.all(ratio == np.round(ratio)))
    mode, place = node.said("mode"), node.said("coordinate_transformation_mode", "asymmetric")
    plain = node.rank > 2 and is_whole and not node.said("antialias", 0) and node.shape[:2] == node[0].shape[:2]
    if plain and mode == "nearest" and place == "asymmetric" and node.said("nearest_mode", "floor") == "floor":
        return F.interpolate(node[0], node.shape[2:], mode="nearest")
    if plain and mode == "linear" and place in ("half_pixel", "align_corners"):
        name = ("linear", "bilinear", "trilinear")[node.rank - 3]
        return F.interpolate(node[0], node.shape[2:], mode=name, align_corners=place == "align_corners")
    raise NothingAlikeError


def _top_k(node: TorchNode) -> Tensor:
    count = node.whole(1)[0] if node.has(1) else int(node.said("k"))
    return torch.topk(
        node[0], count, node.axis if "axis" in node.case.attributes else -1, bool(node.said("largest", 1))
    )


def _trilu(node: TorchNode) -> Tensor:
    triangle = torch.triu if node.said("upper") else torch.tril
    return triangle(node[0], node.whole(1)[0] if node.has(1) else 0)


def _reshaped(node: TorchNode) -> Tensor:
    return node[0].reshape(node.shape)


FUNCTIONS = {
    "AffineGrid": lambda node: F.affine_grid(node[0], node.whole(1), align_corners=bool(node.said("align_corners"))),
    "Compress": _compress,
    "Concat": lambda node: torch.cat(node.tensors, int(node.said("axis", 1))),
    "CumProd": _running,
    "CumSum": _running,
    "DepthToSpace": _depth_to_space,
    "Expand": lambda node: torch.broadcast_to(node[0], node.shape),
    "Flatten": _reshaped,
    "Gather": _gather,
    "GatherElements": lambda node: torch.gather(node[0], node.axis, node[1] % node[0].shape[node.axis]),
    "GatherND": _gather_nd,
    "GridSample": _grid_sample,
    "OneHot": _one_hot,
    "Pad": _pad,
    "Reshape": _reshaped,
    "Resize": _interpolated,
    "Scatter": lambda node: _scattered(node[0], node.axis, node[1], node[2], "none"),
    "ScatterElements": lambda node: _scattered(node[0], node.axis, node[1], node[2], node.said("reduction")),
    "ScatterND": _scatter_nd,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "Squeeze": _reshaped,
    "Tile": _tile,
    "TopK": _top_k,
    "Transpose": lambda node: node[0].permute(*node.said("perm", reversed(range(node.rank)))),
    "Trilu": _trilu,
    "Unsqueeze": _reshaped,
    "Upsample": _interpolated,
}
