"""Tools that build, install and check this program; none of them is part of it."""
