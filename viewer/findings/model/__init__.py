"""Diagnoses the wrong passes of the open document, without drawing anything."""
