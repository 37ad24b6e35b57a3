// MaxPool, second output: the place of the (first) largest x, counted through the whole input

bool seen;
float largest;
ivec3 found;

void start() {
    seen = false;
    found = ivec3(0);
}

void see(float x, ivec3 place) {
    if (seen && !(x > largest) && !(is_nan(largest) && !is_nan(x))) return;
    seen = true;
    largest = x;
    found = place;
}

void end_row() {}

float result(int channel, int taps) {
    int place = COLUMN_MAJOR
        ? (found.z * HEIGHT + found.y) * DEPTH + found.x
        : (found.x * HEIGHT + found.y) * WIDTH + found.z;
    return float(channel * DEPTH * HEIGHT * WIDTH + place);
}
