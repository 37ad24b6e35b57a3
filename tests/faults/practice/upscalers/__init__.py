"""Upscalers in the manner of user shaders of a video player: RGBA passes with weights in the text."""
