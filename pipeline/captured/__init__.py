"""Captures from elsewhere: what another program dumped of its tensors, read and judged as if it had run here."""
