"""Reads tensors that another program dumped, and judges them as if it had run here."""
