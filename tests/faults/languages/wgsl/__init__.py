"""Ten kernels in the styles of two web engines, compared with models, and bugs planted in them."""
