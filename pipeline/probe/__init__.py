"""A page that runs a target's passes in a browser that cannot run this program, and judges them there."""
