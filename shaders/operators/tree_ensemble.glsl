// y[n,t] = Σ over trees of the weights for target t of the leaf that x[n,·] falls into; or their mean, least or largest
//
// NODES has a column for each node: feature, mode, value, the next node if it holds and if not, whether NaN holds, and
// the first and the number of a leaf's columns in WEIGHTS (target, weight) or of a set's places in MEMBERS.

float entry(int row, int node) {
    return NODES(ivec4(0, 0, row, node));
}

bool is_member(float x, int node) {
    int first = int(entry(6, node));
    int count = int(entry(7, node));
    for (int i = 0; i < count; i++)
        if (MEMBERS_linear(first + i) == x) return true;
    return false;
}

bool holds(float x, int mode, int node) {
    float value = entry(2, node);
    if (is_nan(x) && entry(5, node) > 0.5) return true;
    if (mode == 1) return x <= value;
    if (mode == 2) return x < value;
    if (mode == 3) return x >= value;
    if (mode == 4) return x > value;
    if (mode == 5) return x == value;
    if (mode == 6) return x != value;
    return is_member(x, node);
}

int leaf(int row, int root) {
    int node = root;
    for (int step = 0; step < DEPTH; step++) {
        int mode = int(entry(1, node));
        if (mode == 0) break;
        node = int(entry(holds(X(ivec4(0, 0, row, int(entry(0, node)))), mode, node) ? 3 : 4, node));
    }
    return node;
}

float compute(ivec4 at) {
    float total = 0.0;
    bool is_first = true;
    for (int tree = 0; tree < TREES; tree++) {
        int node = leaf(at.z, int(ROOTS_linear(tree)));
        int first = int(entry(6, node));
        int count = int(entry(7, node));
        for (int i = 0; i < count; i++) {
            if (int(WEIGHTS(ivec4(0, 0, 0, first + i))) != at.w) continue;
            float weight = WEIGHTS(ivec4(0, 0, 1, first + i));
            total = AGGREGATE < 2 ? total + weight
                  : is_first ? weight
                  : AGGREGATE == 2 ? min(total, weight) : max(total, weight);
            is_first = false;
        }
    }
    return AGGREGATE == 1 ? total / float(TREES) : total;
}
