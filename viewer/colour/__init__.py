"""Which value has which colour, as plain data: ranges kept by layer, channels as red, green and blue, names of maps."""
