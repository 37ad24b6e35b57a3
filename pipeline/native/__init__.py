"""Runs passes in WGSL as they are, without translation, on a device of WebGPU."""
