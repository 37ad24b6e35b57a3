"""The tests: pure (no GL), gl (a software driver, off screen), gui (a real window on a virtual display)."""
