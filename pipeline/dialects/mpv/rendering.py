"""mpv's renderer as far as a shader sees it: from planes to the window, hook point after hook point."""

from __future__ import annotations

from texelscope.pipeline.dialects.mpv.passes import PassMaker
from texelscope.pipeline.dialects.mpv.pictures import SOURCE, StoredPicture

_PLANES = ("LUMA", "CHROMA")
_RGB = ("RGB", "NATIVE", "MAINPRESUB", "MAIN", "PREKERNEL")
_SCALED = ("POSTKERNEL", "SCALED", "PREOUTPUT", "OUTPUT")
# Hook points that a picture without alpha, scaled as it is, never comes to.
_NEVER = {
    "ALPHA": "the picture has no alpha",
    "ALPHA_SCALED": "the picture has no alpha",
    "XYZ": "the picture is no XYZ video",
    "CHROMA_SCALED": "planes of different sizes become RGB in one pass here",
    "LINEAR": "pictures are not scaled in linear light here",
    "SIGMOID": "pictures are not scaled in linear light here",
}


class Rendering:
    """Goes through the hook points in order; `maker` makes the passes."""

    def __init__(self, maker: PassMaker, source: str, channels: int, size: tuple[int, int]) -> None:
        self._maker = maker
        self.source = maker.store_input(StoredPicture(source, size[0], size[1], channels))
        self._rgb: StoredPicture | None = self.source if source == "MAIN" else None
        self._planes: dict[str, StoredPicture] = {}
        if source == "LUMA":
            self._planes["LUMA"] = self.source
        elif source == SOURCE:
            maker.names[SOURCE] = self.source
            luma = StoredPicture("LUMA", size[0], size[1], 1)
            half = StoredPicture("CHROMA", -(-size[0] // 2), -(-size[1] // 2), 2)
            self._planes = {"LUMA": maker.own("LUMA", "luma", (SOURCE,), luma)}
            self._planes["CHROMA"] = maker.own("CHROMA", "chroma", (SOURCE,), half)
        self._scaled: StoredPicture | None = None

    def come_to(self, stage: str) -> None:
        """Runs the blocks that hook in at `stage`."""
        if stage in _NEVER:
            self._maker.skip_stage(stage, _NEVER[stage])
        elif stage in _PLANES:
            if stage in self._planes:
                self._planes[stage] = self._hooked(stage, self._planes[stage])
        elif stage == "RGB" and self._rgb is None:
            self._maker.skip_stage(
                stage, "the picture is taken for a video of luma and chroma, which other blocks read"
            )
        elif stage in _RGB:
            if len(self._planes) != 1:  # luma alone never becomes a picture of three colours
                self._rgb = self._hooked(stage, self._merged())
        elif stage in _SCALED and self._maker.hooks(stage):
            self._scaled = self._hooked(stage, self._scaled or self._window())

    def finish(self) -> StoredPicture:
        """The last picture."""
        if self._scaled is not None:
            return self._scaled
        return self._planes["LUMA"] if len(self._planes) == 1 else self._merged()

    def _hooked(self, stage: str, picture: StoredPicture) -> StoredPicture:
        self._maker.names[stage] = picture
        if stage == "MAINPRESUB":  # another name for the same time in libplacebo
            self._maker.names["MAIN"] = picture
        return self._maker.run_stage(stage)

    def _merged(self) -> StoredPicture:
        if self._rgb is None:
            luma, chroma = self._planes["LUMA"], self._planes["CHROMA"]
            self._maker.names.update(LUMA=luma, CHROMA=chroma)
            target = StoredPicture("MAIN", luma.width, luma.height, 3)
            self._rgb = self._maker.own("MAIN", "merge", _PLANES, target)
        return self._rgb

    def _window(self) -> StoredPicture:
        """The picture at the window's size, sampled linearly."""
        self._maker.names["PREKERNEL"] = self._merged()
        width, height = self._maker.window
        return self._maker.own("POSTKERNEL", "scale", ("PREKERNEL",), StoredPicture("POSTKERNEL", width, height, 3))
