"""Expands attention with a cache, and the rotation of pairs of numbers that encodes a token's place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.model_file.contrib.attention import Heads, added, joined, never, scores, split
from texelscope.pipeline.model_file.contrib.writer import Write, Writer

_INT64 = 7  # TensorProto.INT64


def rotated(node: Writer, x: str, size: int, cos: str, sin: str, turning: int, *, interleaved: bool) -> str:
    """Rotates the first `turning` numbers of x [B, N, S, size]; cosines and sines [B, 1, S, turning / 2].

    (a, b) becomes (a·cos − b·sin, b·cos + a·sin). Pairs are neighbours if `interleaved`, else the halves.
    """
    last, half = node.whole(-1, label="axes"), turning // 2

    def part(start: int, end: int, step: int = 1) -> str:
        bounds = (node.whole(start), node.whole(end), last, node.whole(step))
        return node.add("Slice", x, *bounds, label="part")

    first = part(0, turning, 2) if interleaved else part(0, half)
    second = part(1, turning, 2) if interleaved else part(half, turning)
    ahead = node.add("Sub", node.add("Mul", first, cos), node.add("Mul", second, sin), label="first/turned")
    behind = node.add("Add", node.add("Mul", second, cos), node.add("Mul", first, sin), label="second/turned")
    if interleaved:
        pairs = [node.add("Unsqueeze", each, last) for each in (ahead, behind)]
        both = node.reshape(node.add("Concat", *pairs, axis=-1), 0, 0, 0, turning, label="pairs")
        parts = [both]
    else:
        parts = [ahead, behind]
    if turning < size:
        parts.append(part(turning, size))
    return node.add("Concat", *parts, axis=-1, label="rotated") if len(parts) > 1 else parts[0]


def angles(node: Writer, table: str, places: str, label: str) -> str:
    """Returns the rows [B, S, k] of a table of cosines or sines for places [B, S], as [B, 1, S, k]."""
    rows = node.add("Gather", table, places, axis=0, label=label)
    return node.add("Unsqueeze", rows, node.whole(1, label="axes"), label=f"{label}/heads")


def rotary_embedding(node: Writer) -> None:
    """Expands RotaryEmbedding of com.microsoft: pairs of numbers rotated by angles that grow with their place.

    Takes X [B, S, N · h] or [B, N, S, h], the first place [1] or all [B, S], cosines and sines by place.
    """
    given, places = node.given(0), node.given(1)
    if node.attribute("is_packed_batching", 0) or float(node.attribute("scale", 1.0)) != 1.0:
        got = "is_packed_batching" if node.attribute("is_packed_batching", 0) else "a scale, which ONNX Runtime ignores"
        raise node.refusal("batches of one length, not scaled", got)
    apart = given.rank == 4
    batch, length = given.shape[0], given.shape[2 if apart else 1]
    ids = places.name
    if places.shape != (batch, length):
        count = node.constant(np.arange(length)[None].repeat(batch, axis=0), "int64", "counted")
        ids = node.add("Add", places.name, count, label="places")
    turning = int(node.attribute("rotary_embedding_dim", 0)) or 2 * node.given(2).shape[1]
    if apart:
        x, size = given.name, given.shape[3]
    else:
        heads = int(node.attribute("num_heads", 0)) or given.shape[2] // turning
        x, size = split(node, given.name, batch, length, heads), given.shape[2] // heads
    cos, sin = angles(node, node.x(2), ids, "cosines"), angles(node, node.x(3), ids, "sines")
    y = rotated(node, x, size, cos, sin, turning, interleaved=node.attribute("interleaved", 0) == 1)
    node.result(0, y if apart else joined(node, y, batch, length))


@dataclass(frozen=True)
class _Cache:
    """Describes the cache's length: `given` before and `kept` after, `total` tokens in it, the last `new` of them now.

    `before` [B, 1] int64 counts the earlier tokens, a tensor if that is known only in the run.
    """

    given: int
    kept: int
    total: int
    new: int
    before: str

    @property
    def starts(self) -> bool:
        """Reports whether these are the first tokens."""
        return self.total == self.new


def group_query_attention(node: Writer) -> None:
    """Expands GroupQueryAttention: attention with a cache, where several heads of queries share one of keys and values.

    Takes query, key, value, past key and value [B, M, P, h], lengths − 1 [B], their largest, cosines and sines …
    """
    _check(node)
    query, key, value, size = _heads(node)
    count, shared = int(node.required("num_heads")), int(node.required("kv_num_heads"))
    batch, length = node.given(0).shape[:2]
    cache = _cache(node, batch, length)
    if node.attribute("do_rotary", 0) == 1:
        places = _places(node, cache, batch)
        cos, sin = angles(node, node.x(7), places, "cosines"), angles(node, node.x(8), places, "sines")
        said = {"interleaved": node.attribute("rotary_interleaved", 0) == 1}
        turning = 2 * node.given(7).shape[1]
        query = rotated(node, query, size, cos, sin, turning, **said)
        key = rotated(node, key, size, cos, sin, turning, **said)
    key, value = _kept(node, 3, key, cache, batch, "key"), _kept(node, 4, value, cache, batch, "value")
    node.result(1, key)
    node.result(2, value)
    # Heads that share keys are adjacent, so that keys need not be repeated.
    together = node.reshape(query, batch, shared, -1, size, label="query/groups")
    weighed = scores(node, together, key, Heads(batch, count, length, cache.kept, size))
    weighed = node.reshape(weighed, batch, count, length, cache.kept, label="scores/heads")
    cap = float(node.attribute("softcap", 0.0))
    if cap:
        limit = node.constant(cap, label="softcap")
        weighed = node.add("Mul", node.add("Tanh", node.add("Div", weighed, limit)), limit, label="scores/capped")
    weighed = added(node, weighed, node.x(10) if node.has(10) else "", _hidden(node, cache))
    shares = _shares(node, weighed, batch, count, length)
    shares = node.reshape(shares, batch, shared, -1, cache.kept, label="shares/groups")
    sums = node.reshape(node.add("MatMul", shares, value, label="sums"), batch, count, length, size, label="sums/heads")
    node.result(0, joined(node, sums, batch, length))


def _check(node: Writer) -> None:
    for position, what in ((12, "a quantised cache"), (13, "a quantised cache"), (14, "norms of query and key")):
        if node.has(position):
            raise node.refusal("a plain cache and plain queries", what, "Export it without.")
    if node.attribute("sliding_window_cache", 0) or node.wants(3):
        got = "output_qk" if node.wants(3) else "sliding_window_cache"
        raise node.refusal("a cache of all tokens, and no scores as output", got, "Export it without.")


def _heads(node: Writer) -> tuple[str, str, str, int]:
    """Returns query [B, N, S, h], key and value [B, M, S, h], and h."""
    batch, length, width = node.given(0).shape
    count, shared = int(node.required("num_heads")), int(node.required("kv_num_heads"))
    if node.has(1):
        size = width // count
        parts = (node.x(0), node.x(1), node.x(2))
    else:
        size = width // (count + 2 * shared)
        sizes = node.whole(count * size, shared * size, shared * size)
        query, key, value = node.add_several("Split", node.x(0), sizes, labels=("query", "key", "value"), axis=-1)
        parts = (query, key, value)
    query, key, value = (
        split(node, part, batch, length, heads, label)
        for part, heads, label in zip(parts, (count, shared, shared), ("query", "key", "value"), strict=True)
    )
    return query, key, value, size


def _cache(node: Writer, batch: int, length: int) -> _Cache:
    given = node.given(3).shape[2] if node.has(3) else 0
    if given or node.given(6).value is not None:
        total = int(node.value(6, "the total sequence length").reshape(()))
    else:
        total = length
    if total == length:
        before = node.constant([[0]] * batch, "int64", "before")
    else:
        last = node.reshape(node.add("Cast", node.x(5), to=_INT64, label="last"), batch, 1)
        before = node.add("Add", last, node.constant(1 - length, "int64", "new"), label="before")
    return _Cache(given, max(given, total), total, length, before)


def _places(node: Writer, cache: _Cache, batch: int) -> str:
    """Returns the place of each new token [B, S]."""
    if node.has(9) and not cache.starts:
        return node.x(9)
    first = cache.before
    if node.has(9):  # of a first prompt, only the first counts
        first = node.add("Slice", node.x(9), *(node.whole(*each) for each in ((0, 0), (1, 1), (0, 1))), label="first")
    counted = node.constant(np.arange(cache.new)[None].repeat(batch, axis=0), "int64", "counted")
    return node.add("Add", first, counted, label="places")


def _kept(node: Writer, position: int, new: str, cache: _Cache, batch: int, label: str) -> str:
    """Returns the cache after the new tokens [B, M, kept, h]: old ones, then these, then zeros."""
    more = cache.kept - cache.new
    if cache.starts:
        return _padded(node, new, more, label) if more else new
    lengths = node.given(5).value
    if lengths is not None and (lengths == cache.total - 1).all() and cache.given + cache.new == cache.total:
        return node.add("Concat", node.x(position), new, axis=2, label=f"{label}/kept")
    if batch > 1 and cache.new > 1:
        raise node.refusal("one new token for each of a batch", str(cache.new))
    old = node.x(position)
    old = _padded(node, old, cache.kept - cache.given, f"{label}/old") if cache.kept > cache.given else old
    before = node.reshape(cache.before, batch, 1, 1, 1, label=f"{label}/before")
    places = node.constant(np.arange(cache.kept).reshape(1, 1, -1, 1), "int64", "places")
    since = node.add("Sub", places, before, label=f"{label}/since")
    if cache.new > 1:
        limits = (node.constant(0, "int64", "low"), node.constant(cache.new - 1, "int64", "high"))
        which = node.reshape(node.add("Clip", since, *limits), -1, label="which")
        new = node.add("Gather", new, which, axis=2, label=f"{label}/new")
    is_old = node.add("Less", since, node.constant(0, "int64", "none"), label=f"{label}/is_old")
    is_new = node.add("Less", since, node.constant(cache.new, "int64", "new"), label=f"{label}/is_new")
    tail = node.add("Where", is_new, new, node.constant(0.0, label="zero"), label=f"{label}/tail")
    return node.add("Where", is_old, old, tail, label=f"{label}/kept")


def _padded(node: Writer, x: str, more: int, label: str) -> str:
    return node.add("Pad", x, node.whole(0, 0, 0, 0, 0, 0, more, 0, label="pads"), label=f"{label}/padded")


def _hidden(node: Writer, cache: _Cache) -> str:
    """Returns the addend to scores [B, 1, S, kept] that hides keys after their query, or before its window."""
    query = node.constant(np.arange(cache.new).reshape(1, 1, -1, 1), "int64", "queries")
    key = node.constant(np.arange(cache.kept).reshape(1, 1, 1, -1), "int64", "keys")
    at = node.add("Add", node.add("Unsqueeze", cache.before, node.whole(2, 3, label="axes")), query, label="at")
    if node.attribute("causal", 1):
        hidden = node.add("Greater", key, at, label="ahead")
    else:
        end = node.add("Cast", node.x(5), to=_INT64, label="last")
        hidden = node.add("Greater", key, node.reshape(end, -1, 1, 1, 1), label="ahead")
    window = int(node.attribute("local_window_size", -1))
    if window > 0:
        first = node.add("Sub", at, node.constant(window, "int64", "window"), label="before_window")
        hidden = node.add("Or", hidden, node.add("LessOrEqual", key, first, label="too_early"), label="hidden")
    return node.add(
        "Where", hidden, node.constant(never(node), label="never"), node.constant(0.0, label="zero"), label="mask"
    )


def _shares(node: Writer, weighed: str, batch: int, count: int, length: int) -> str:
    """Returns the softmax of scores; a sink takes a share that is dropped."""
    if int(node.attribute("smooth_softmax", -1)) != 1 and not node.has(11):
        return node.add("Softmax", weighed, axis=-1, label="shares")
    sink = node.reshape(node.x(11), 1, count, 1, 1) if node.has(11) else node.constant(np.zeros((1, 1, 1, 1)))
    column = node.add("Expand", sink, node.whole(batch, count, length, 1), label="sink")
    both = node.add("Softmax", node.add("Concat", column, weighed, axis=-1), axis=-1, label="shares")
    bounds = (node.whole(1), node.whole(np.iinfo(np.int64).max), node.whole(-1))
    return node.add("Slice", both, *bounds, label="shares/kept")


OPERATORS: Mapping[str, Write] = {
    "RotaryEmbedding": rotary_embedding,
    "GroupQueryAttention": group_query_attention,
}
