"""Which file is whose: each kind of target becomes a plan, one module a kind."""
