"""Passes run untranslated, on a device of WebGPU."""
