#version 330 core
// A tile of 16 x 16 for each window and head: tile number window * HEADS + head. A head is one texel deep.
uniform sampler2D q;
uniform sampler2D k;
uniform sampler2D table;

out vec4 prob;

const int H = 8;
const int W = 12;
const int WINDOW = 4;
const int CELLS = WINDOW * WINDOW;
const int WINDOWS_ACROSS = W / WINDOW;
const int WINDOWS = WINDOWS_ACROSS * (H / WINDOW);
const int HEADS = 3;
const int TILES_ACROSS = 2;      // of the features
const int COLUMNS = 5;           // of this target

ivec2 place(int head, int window, int cell) {
    ivec2 corner = ivec2(window % WINDOWS_ACROSS, window / WINDOWS_ACROSS) * WINDOW;
    ivec2 inside = ivec2(cell % WINDOW, cell / WINDOW);
    ivec2 tile = ivec2(head % TILES_ACROSS, head / TILES_ACROSS);
    return tile * ivec2(W, H) + corner + inside;
}

float relative(int head, int a, int b) {
    int dy = a / WINDOW - b / WINDOW + WINDOW - 1;
    int dx = a % WINDOW - b % WINDOW + WINDOW - 1;
    return texelFetch(table, ivec2(head, dy * (2 * WINDOW - 1) + dx), 0).r;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int tile = p.y / CELLS * COLUMNS + p.x / CELLS;
    int window = tile / HEADS;
    int head = tile % HEADS;
    int row = p.y % CELLS;
    int col = p.x % CELLS;
    if (window >= WINDOWS) {
        prob = vec4(0.0);
        return;
    }

    vec4 query = texelFetch(q, place(head, window, row), 0) * 0.5;
    float logits[CELLS];
    float peak = -1e30;
    for (int c = 0; c < CELLS; c++) {
        logits[c] = dot(query, texelFetch(k, place(head, window, c), 0)) + relative(head, row, c);
        peak = max(peak, logits[c]);
    }
    float total = 0.0;
    for (int c = 0; c < CELLS; c++) {
        total += exp(logits[c] - peak);
    }
    prob = vec4(exp(logits[col] - peak) / total);
}
