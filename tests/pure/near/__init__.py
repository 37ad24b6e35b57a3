"""How the tests near a change are found."""
