"""Lets editors step through a fragment by the Debug Adapter Protocol: framing, the walk, and the requests."""
