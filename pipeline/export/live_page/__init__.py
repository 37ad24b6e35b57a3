"""Packs what a comparison knows into the page that people debug in: values, reads and traces, within a budget."""
