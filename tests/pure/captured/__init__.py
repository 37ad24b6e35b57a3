"""Captures from elsewhere: manifests and files, sound and broken, without GL."""
