"""Small edits of a wrong shader, tried on GL: which single line, written otherwise, makes every value right?"""
