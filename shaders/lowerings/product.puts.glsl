// Stores four neighbours of a row of a product: y = α · sum + β · c, c repeated along its axes of 1.

void put(int batch, int group, int row, vec4 sum) {
    int first = (batch * u_places.z + row) * COLUMNS_OF_Y + 4 * group;
    int count = min(COLUMNS_OF_Y - 4 * group, 4);
    vec4 y = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        if (i >= count) continue;
        y[i] = ALPHA * sum[i];
#ifdef HAS_C
        y[i] += BETA * C_linear(min(row, C_shape.z - 1) * C_shape.w + min(4 * group + i, C_shape.w - 1));
#endif
    }
#ifdef Y_IN_FOURS
    imageStore(i_Y, Y_place(first), y);
#else
    for (int i = 0; i < count; i++) imageStore(i_Y, Y_place(first + i), vec4(y[i], 0.0, 0.0, 0.0));
#endif
}
