"""Measures how long a target takes: whole runs side by side, every pass, the first result; and how much memory."""
