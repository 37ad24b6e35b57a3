"""Gives each frame the keys, text and clicks that it can tell apart, in the order in which they came.

A widget asks once a frame which keys went down, and takes the first that it knows: of End and Return in one frame it
would lose one. It also takes the frame's text either before its keys or after them. And a click, Tab or Return moves
the keyboard to another field only in a later frame. However long a frame takes, what is typed must do the same.
"""

from __future__ import annotations

import enum
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

# A field that a key or a click opens has the keyboard after this many frames more.
FRAMES_TO_FOCUS = 2
# In the frame after its caret was moved, the text editor takes no edit.
FRAMES_TO_MOVE = 1
# Letters that follow each other within this many seconds are one text, even if its field goes away meanwhile.
TEXT_SECONDS = 1.0


class Kind(enum.Enum):
    """What a stroke is. A modifier is Ctrl, Shift, Alt or Super; a letter is a key that also types a character."""

    MODIFIER = enum.auto()
    KEY = enum.auto()
    LETTER = enum.auto()
    RELEASE = enum.auto()
    TEXT = enum.auto()
    BUTTON = enum.auto()
    POINTER = enum.auto()


@dataclass(frozen=True)
class KeyStroke:
    """One event; `deliver` passes it on, and `key` identifies the key that goes down or up.

    After it, further keys and letters wait for `rest` frames. `leaves` says that it may move the keyboard to another
    field, or out of all: after it, letters wait. `at` is when it came, in seconds.
    """

    kind: Kind
    deliver: Callable[[], None]
    key: int = 0
    rest: int = 0
    leaves: bool = False
    at: float = field(default_factory=time.monotonic)


@dataclass
class _Frame:
    """What one frame has taken, and may still take: `last` is the newest stroke, `changed` the keys that moved."""

    takes_keys: bool
    takes_letters: bool
    last: KeyStroke | None = None
    has_key: bool = False
    has_text: bool = False
    changed: set[int] = field(default_factory=set)
    rest: int = 0
    leaves: bool = False

    def waits(self, stroke: KeyStroke, *, as_text: bool) -> bool:
        """Returns whether the stroke must wait for a later frame; `as_text` says that a letter is only typed."""
        match stroke.kind:
            case Kind.MODIFIER:  # imgui checks modifiers once a frame: G must not lose its Ctrl
                return self.last is not None and self.last.kind is not Kind.MODIFIER
            case Kind.RELEASE:
                return stroke.key in self.changed
            case Kind.BUTTON:
                return self.has_key or self.has_text
            case Kind.POINTER:
                return False
            case Kind.TEXT if self.last is not None and self.last.kind in (Kind.KEY, Kind.LETTER):
                return False  # what that key types
            case Kind.KEY:
                return not self.takes_keys or self.has_text or stroke.key in self.changed
        if not (self.takes_keys and self.takes_letters):
            return True
        return not as_text and stroke.kind is Kind.LETTER and (self.has_text or stroke.key in self.changed)

    def take(self, stroke: KeyStroke, *, as_text: bool) -> None:
        """Records a stroke that the frame gets."""
        self.last = stroke
        self.has_text |= stroke.kind is Kind.TEXT
        if as_text or stroke.kind in (Kind.MODIFIER, Kind.POINTER, Kind.TEXT):
            return
        self.changed.add(stroke.key)
        if stroke.kind is not Kind.RELEASE:
            self.takes_keys = self.takes_letters = False
            self.has_key |= stroke.kind is not Kind.BUTTON
            self.rest, self.leaves = max(self.rest, stroke.rest), self.leaves or stroke.leaves


class KeyStrokes:
    """Keeps events in the order in which they came, until a frame can take them."""

    def __init__(self) -> None:
        self._waiting: deque[KeyStroke] = deque()
        self._down: set[int] = set()
        self._rest = self._letters_rest = 0
        self._typed_at = float("-inf")

    def __len__(self) -> int:
        """Returns how many events wait."""
        return len(self._waiting)

    def add(self, stroke: KeyStroke) -> None:
        """Appends an event."""
        self._waiting.append(stroke)

    def deliver_one_frame(self, *, is_typing: bool) -> None:
        """Passes on what one frame may take; `is_typing` says that a text field has the keyboard.

        A letter is then passed on as text alone. So is one that belongs to a text whose field has gone away: the rest
        of a word must not run commands.
        """
        frame = _Frame(takes_keys=not self._rest, takes_letters=not self._letters_rest)
        self._rest, self._letters_rest = max(self._rest - 1, 0), max(self._letters_rest - 1, 0)
        while self._waiting:
            stroke = self._waiting[0]
            in_word = stroke.at - self._typed_at < TEXT_SECONDS
            as_text = stroke.kind is Kind.LETTER and (is_typing or in_word)
            is_over = stroke.kind is Kind.RELEASE and stroke.key not in self._down  # of what was only typed
            if not is_over and frame.waits(stroke, as_text=as_text):
                break
            self._waiting.popleft()
            if is_over:
                continue
            frame.take(stroke, as_text=as_text)
            if as_text:
                self._typed_at = stroke.at
                continue
            self._note(stroke)
            stroke.deliver()
        self._rest = max(self._rest, frame.rest)
        if frame.leaves:
            self._letters_rest, self._typed_at = FRAMES_TO_FOCUS, float("-inf")

    def _note(self, stroke: KeyStroke) -> None:
        """Records which keys are down."""
        if stroke.kind in (Kind.KEY, Kind.LETTER):
            self._down.add(stroke.key)
        elif stroke.kind is Kind.RELEASE:
            self._down.discard(stroke.key)
