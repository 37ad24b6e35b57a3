"""Reads recordings of any page, as untrusted data: their files, the entries of their manifests, textures' numbers."""
