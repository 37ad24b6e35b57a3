// AveragePool: y = Σ x / k  for k elements inside the input, or k taps inside the input and its padding

float sum;
float row;
int count;

void start() {
    sum = 0.0;
    row = 0.0;
    count = 0;
}

void see(float x, ivec3 place) {
    row += x;
    count++;
}

// Rows are summed by themselves: rounding then grows with their length and number, not with the product.
void end_row() {
    sum += row;
    row = 0.0;
}

float result(int channel, int taps) {
    return sum / float(COUNT_PADDING ? taps : count);
}
