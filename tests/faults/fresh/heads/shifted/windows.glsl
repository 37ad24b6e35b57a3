// Windows of two rows by three columns over a picture of six by nine that was rolled by one row and one column.

const ivec2 PICTURE = ivec2(9, 6);
const int WINDOW_H = 2;
const int WINDOW_W = 3;
const int WINDOWS_ACROSS = 3;
const int TOKENS = WINDOW_H * WINDOW_W;
const int SHIFT = 1;

// Where token `token` of window `window` lies in the rolled picture: (x, y).
ivec2 placeInRolled(int window, int token) {
    int y = (window / WINDOWS_ACROSS) * WINDOW_H + token / WINDOW_W;
    int x = (window % WINDOWS_ACROSS) * WINDOW_W + token % WINDOW_W;
    return ivec2(x, y);
}

// Where what lies at `rolled` came from.
ivec2 placeBeforeRoll(ivec2 rolled) {
    return (rolled + SHIFT) % PICTURE;
}
