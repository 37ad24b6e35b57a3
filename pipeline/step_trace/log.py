"""Parses the log of a traced fragment: entries of four words, as `shaders/step_trace/log.glsl` writes them.

Reads are converted to texels and elements: the plan's layouts map positions, as for taps. A log is skipped without
making its steps by finding the state that a later window begins with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import Pass, Sampler, StoredTensor
from texelscope.pipeline.planning.sampler_views import is_tensor_of
from texelscope.pipeline.read_trace.expected import texels_behind
from texelscope.pipeline.read_trace.recording import ReadSite
from texelscope.pipeline.step_trace.rewriting.sites import LANES, MORE_TYPE, READ_TYPE, TYPES, TraceSite, What
from texelscope.pipeline.step_trace.trace import Number, TexelRead

WORDS = 4
_FLOATS = np.array([False, *(name.startswith(("float", "vec", "mat")) for name in TYPES)])
_SIGNED = np.array([False, *(name.startswith(("int", "ivec")) for name in TYPES)])
_BOOLS = np.array([False, *(name.startswith("b") for name in TYPES)])
Places = NDArray[np.int64]
_NONE: Places = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class TraceLog:
    """Holds entries in order, each with a site, a kind, a part and its first word in `words` [entries, 3].

    A kind is a type's number, 0 without a value, or `READ_TYPE`; a part is of a struct, or of a read lanes and sampler.
    """

    sites: NDArray[np.int64]
    kinds: NDArray[np.int64]
    parts: NDArray[np.int64]
    starts: NDArray[np.int64]
    words: NDArray[np.uint32]

    @staticmethod
    def of(entries: NDArray[np.uint32]) -> TraceLog:
        """Parses entries [entries, 4] as the driver wrote them."""
        heads = entries[:, 0]
        starts = np.flatnonzero(heads >> 26 != MORE_TYPE)
        first = heads[starts].astype(np.int64)
        return TraceLog(first & 0xFFFF, first >> 26, first >> 16 & 0x3FF, starts, np.ascontiguousarray(entries[:, 1:]))

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def is_read(self) -> NDArray[np.bool_]:
        """Which of them are reads."""
        return np.asarray(self.kinds == READ_TYPE)

    @cached_property
    def values(self) -> list[tuple[Number, ...]]:
        """The values of each entry, lane by lane; empty for reads and where there are none."""
        found: list[tuple[Number, ...]] = [()] * len(self)
        flat = self.words.reshape(-1)
        for kind in np.unique(self.kinds[~self.is_read]).tolist():
            if kind == 0:
                continue
            which = np.flatnonzero(self.kinds == kind)
            words = flat[3 * self.starts[which][:, None] + np.arange(LANES[kind - 1])]
            numbers = _typed(words, kind).tolist()
            for entry, value in zip(which.tolist(), numbers, strict=True):
                found[entry] = tuple(value)
        return found

    def value(self, entry: int) -> tuple[Number, ...]:
        """Returns the value of one entry, as in `values`."""
        kind, start = int(self.kinds[entry]), 3 * int(self.starts[entry])
        words = self.words.reshape(-1)[start : start + LANES[kind - 1]] if kind else self.words[:0, 0]
        return tuple(_typed(words, kind).tolist())

    @cached_property
    def read_numbers(self) -> NDArray[np.float32]:
        """The position and the four values of each read [reads, 6]."""
        starts = self.starts[self.is_read]
        words = self.words.reshape(-1)[3 * starts[:, None] + np.arange(6)]
        numbers: NDArray[np.float32] = words.view(np.float32)
        return numbers


def _typed(words: NDArray[np.uint32], kind: int) -> NDArray[np.generic]:
    if _FLOATS[kind]:
        return words.view(np.float32)
    if _SIGNED[kind]:
        return words.view(np.int32)
    return words != 0 if _BOOLS[kind] else words


def reads_of(
    log: TraceLog,
    samplers: tuple[str, ...],
    sites: tuple[ReadSite, ...],
    shader_pass: Pass,
    textures: Mapping[str, StoredTensor],
) -> list[list[TexelRead]]:
    """Returns the texels of each read of a log, in order: one with nearest filtering, up to four with linear."""
    which = np.flatnonzero(log.is_read)
    found: list[list[TexelRead]] = [[] for _ in range(len(which))]
    numbers = log.parts[which] >> 4
    for number, uniform in enumerate(samplers):
        own = np.flatnonzero(numbers == number)
        for sampler in (each for each in shader_pass.readers if each.uniform == uniform):
            reads: list[list[TexelRead]] = [[] for _ in found]
            _fill(reads, own, log, sites, sampler, textures[sampler.key])
            for place, each in enumerate(reads):
                found[place] += [one for one in each if is_tensor_of(shader_pass, sampler, *one.texel, textures)]
    return found


def _fill(
    found: list[list[TexelRead]],
    own: np.ndarray[tuple[int], np.dtype[np.int64]],
    log: TraceLog,
    sites: tuple[ReadSite, ...],
    sampler: Sampler,
    stored: StoredTensor,
) -> None:
    """Adds the reads of one sampler, numbers `own` among the log's reads, to `found`."""
    which = np.flatnonzero(log.is_read)[own]
    positions = log.read_numbers[own, :2].astype(np.float64)
    is_somewhere = np.asarray((np.abs(positions) < 2**31).all(axis=1))
    rows, wrapped, inside = texels_behind(np.where(is_somewhere[:, None], positions, 0.5), sampler, stored)
    inside &= is_somewhere[rows]
    lanes = np.arange(stored.layout.lanes)
    used = log.parts[which][rows][:, None] >> np.arange(4) & 1
    indices = stored.layout.indices_at(stored.shape, wrapped[:, :1], wrapped[:, 1:], lanes[None, :])
    held = np.where(used[:, : len(lanes)], indices, -1)
    is_known = (held >= 0) & is_somewhere[rows][:, None]
    values = log.read_numbers[own, 2:].tolist()
    if sampler.kind.form != "2D":  # positions in slices stand for their texels
        positions = (wrapped + 0.5).astype(np.float64)
    at, texts = positions.tolist(), [sites[number].text for number in log.sites[which].tolist()]
    masks = [tuple(lane for lane in range(4) if mask >> lane & 1) for mask in range(16)]
    used_masks = (log.parts[which] & 15).tolist()
    columns = zip(
        rows.tolist(), wrapped.tolist(), held.tolist(), is_known.tolist(), inside.tolist(), own[rows].tolist(),
        strict=True,
    )  # fmt: skip
    for row, (tx, ty), elements, known, is_inside, number in columns:
        there = tuple(index for index, holds in zip(elements, known, strict=True) if holds)
        x, y, z, w = values[row]
        place = (at[row][0], at[row][1])
        found[number].append(
            TexelRead(sampler.uniform, sampler.key, (tx, ty), place, masks[used_masks[row]], there, (x, y, z, w),
                      texts[row], outside=not is_inside)
        )  # fmt: skip


@dataclass(frozen=True)
class LastAssignment:
    """A variable's last assignment: its entry, its site, the steps begun by then, the values of its indices.

    `call` is the number in `enters` of its function's call; -1 for one before the log.
    """

    entry: int
    site: int
    begun: int
    call: int
    indices: tuple[int, ...]


class LogEnd:
    """Queries a log about its end.

    `later` are struct parts that another of the same precedes, `known` the values of indices before the log, by site.
    """

    def __init__(
        self, log: TraceLog, sites: Sequence[TraceSite], later: frozenset[int], known: Mapping[int, Number]
    ) -> None:
        self._log, self._sites, self._known = log, sites, known
        self._whole = ~np.isin(log.parts, sorted(later)) | log.is_read
        self._own = ~log.is_read

    def _of(self, flags: Sequence[bool]) -> NDArray[np.bool_]:
        """Returns which entries are of a site with that flag."""
        return np.asarray(np.array(flags, np.bool_)[self._log.sites] & self._own)

    @cached_property
    def _begins(self) -> NDArray[np.bool_]:
        return np.asarray(self._of([site.what == "step" or site.begins for site in self._sites]) & self._whole)

    @cached_property
    def _begun(self) -> Places:
        return np.cumsum(self._begins)

    @property
    def steps(self) -> int:
        """Counts the steps that began."""
        return int(self._begun[-1]) if len(self._log) else 0

    @cached_property
    def enters(self) -> Places:
        """The entries where calls began."""
        return np.flatnonzero(self._of([site.what == "enter" for site in self._sites]))

    @cached_property
    def _depths(self) -> Places:
        ends = self._of([site.what == "exit" for site in self._sites])
        ends |= self._of([site.what == "return" for site in self._sites]) & self._whole
        change = -ends.astype(np.int64)
        change[self.enters] += 1
        return np.cumsum(change)

    @property
    def left(self) -> int:
        """Counts earlier calls that ended."""
        return -min(int(self._depths.min()), 0) if len(self._log) else 0

    def open_calls(self) -> tuple[int, ...]:
        """Returns numbers in `enters` of the calls that began and are under way still, outermost first."""
        found, within = [], self._depths[self.enters]
        lowest = np.minimum.accumulate(self._depths[::-1])[::-1] if len(self._log) else self._depths
        for number, (entry, depth) in enumerate(zip(self.enters.tolist(), within.tolist(), strict=True)):
            if lowest[entry] >= depth:
                found.append(number)
        return tuple(found)

    def turns(self, loop: int, start: int) -> tuple[bool, int]:
        """Returns whether a loop was entered since entry `start`, and how many turns it has begun since then."""
        entered = self._since(self._places(loop, "enters"), start)
        begun = self._since(self._places(loop, "turns"), int(entered[-1]) if len(entered) else start)
        return len(entered) > 0, len(begun)

    def _places(self, loop: int, what: str) -> Places:
        return np.flatnonzero(self._of([getattr(site, what) == loop for site in self._sites]) & self._whole)

    def _since(self, places: Places, start: int) -> Places:
        return places[np.searchsorted(places, start) :]

    @cached_property
    def _by_site(self) -> dict[int, Places]:
        """Entries of each site that was there, in order."""
        own = np.flatnonzero(self._own)
        order = own[np.argsort(self._log.sites[own], kind="stable")]
        numbers, starts = np.unique(self._log.sites[order], return_index=True)
        parts = np.split(order, starts[1:])
        return dict(zip(numbers.tolist(), parts, strict=True))

    def entries(self, site: int) -> Places:
        """Returns the entries of a site."""
        return self._by_site.get(site, _NONE)

    def last(self, what: What) -> Iterator[tuple[int, int]]:
        """Yields each site of a kind that was there, and its last entry."""
        for number, entries in self._by_site.items():
            if self._sites[number].what == what:
                yield number, int(entries[-1])

    def _numbers(self, entries: Places) -> NDArray[np.int64]:
        words = self._log.words[self._log.starts[entries], 0]
        return np.asarray(words.view(np.int32)).astype(np.int64)

    def assignments(self) -> list[LastAssignment]:
        """Returns the last assignment to each variable, element and member, in order."""
        found = []
        for number, entries in self._by_site.items():
            site = self._sites[number]
            if site.what == "assign":
                for entry, indices in self._last_of_each(entries, site.indices):
                    found.append(
                        LastAssignment(
                            entry, number, int(self._begun[entry]), self._call(site.definition, entry), indices
                        )
                    )
        return sorted(found, key=lambda each: each.entry)

    def _call(self, definition: int, entry: int) -> int:
        """Returns the newest call of a function at an entry, as a number in `enters`."""
        entries = self.entries(definition) if definition >= 0 else _NONE
        place = int(np.searchsorted(entries, entry, side="right")) - 1
        return int(np.searchsorted(self.enters, entries[place])) if place >= 0 else -1

    def _last_of_each(self, entries: Places, indices: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yields of one site's entries the last with each part and each value of its indices."""
        columns = [self._log.parts[entries]]
        for index in indices:
            known = self.entries(index)
            places = np.searchsorted(known, entries) - 1
            own = np.full(len(entries), self._known.get(index, 0), np.int64)
            own[places >= 0] = self._numbers(known)[places[places >= 0]]
            columns.append(own)
        rows = np.stack(columns, axis=1)[::-1]
        _, first = np.unique(rows, axis=0, return_index=True)
        for place in first.tolist():
            yield int(entries[len(entries) - 1 - place]), tuple(rows[place, 1:].tolist())
