"""A failing target becomes the smallest pipeline that fails as it does: one pass, cut down as far as it goes."""
