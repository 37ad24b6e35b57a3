"""Makes a page that runs a target's passes in any browser, without this program, and judges them there."""
