"""One shader in every mode and pack that its dialect has, side by side: where alone is it wrong?"""
