"""Networks as demo coders write them: terse passes, literal weights, automata, styles, small generators, denoisers."""
