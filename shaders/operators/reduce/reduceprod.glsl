// ReduceProd: y = Π_k x_k

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float product = 1.0;
    for (int k = 0; k < REDUCED_COUNT; k++) product *= X_linear(first + place_of(k));
    return product;
}
