"""Networks as effects of Magpie and ReShade, in the form in which such networks are published, with other weights."""
