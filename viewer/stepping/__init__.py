"""Stepping through one fragment: where in its trace one stands, how one moves there, what each variable holds then."""
