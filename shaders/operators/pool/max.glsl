// MaxPool: y = max x, a NaN only where there is nothing else

bool seen;
float largest;

void start() {
    seen = false;
    largest = LOWEST;
}

void see(float x, ivec3 place) {
    if (!seen || x > largest || is_nan(largest)) largest = x;
    seen = true;
}

void end_row() {}

float result(int channel, int taps) {
    return largest;
}
