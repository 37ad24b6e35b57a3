// y[…,i,j] = Σ_k a[…,i,k] · b[…,k,j],  each batch axis (…) of a and b repeated where it is 1; a vector is a matrix of
// one row (a) or one column (b)

// The operand's own number of the matrix that the output's matrix `batch` is made from.
int matrix_of(int batch, int strides[BATCH_AXES]) {
    int matrix = 0;
    for (int axis = BATCH_AXES - 1; axis >= 0; axis--) {
        matrix += batch % BATCH_SHAPE[axis] * strides[axis];
        batch /= BATCH_SHAPE[axis];
    }
    return matrix;
}

// `row` and `column` are those of a and b at k = 0.
float product(ivec4 row, ivec4 column, int k) {
    return A(row + ivec4(0, 0, 0, k)) * B(B_IS_VECTOR ? ivec4(0, 0, 0, k) : column + ivec4(0, 0, k, 0));
}

float compute(ivec4 at) {
    int index = Y_index(at);
    int batch = index / (ROWS * COLUMNS);
    int a = matrix_of(batch, A_STRIDES);
    int b = matrix_of(batch, B_STRIDES);
    ivec4 row = ivec4(a / A_shape.y, a % A_shape.y, index / COLUMNS % ROWS, 0);
    ivec4 column = ivec4(b / B_shape.y, b % B_shape.y, 0, index % COLUMNS);
    float sum = 0.0;

    // Four at a time: software drivers end a fragment's loops after 65,535 turns.
    int k = 0;
    for (; k + 4 <= INNER_COUNT; k += 4)
        sum += product(row, column, k) + product(row, column, k + 1) + product(row, column, k + 2) + product(row, column, k + 3);
    for (; k < INNER_COUNT; k++)
        sum += product(row, column, k);
    return sum;
}
