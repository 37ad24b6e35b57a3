"""Shared memory while edits are tried: indices held inside its arrays, barriers only where all come by."""
