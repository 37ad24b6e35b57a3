"""Random mouse and keys, files good and bad, shaders saved beside it: does the window live, answer, stay as small?"""
