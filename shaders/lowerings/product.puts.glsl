// Stores four neighbours of a row of a product: y = α · sum + β · c, c repeated along its axes of 1.

void put(int batch, int group, int row, vec4 sum) {
    int first = (batch * ROWS_OF_Y + row) * COLUMNS_OF_Y + 4 * group;
    ivec4 columns = 4 * group + ivec4(0, 1, 2, 3);
    vec4 y = ALPHA * sum;
#ifdef HAS_C
    int row_of_c = min(row, C_shape.z - 1) * C_shape.w;
    ivec4 at = row_of_c + min(columns, ivec4(C_shape.w - 1));
    y += BETA * vec4(C_linear(at.x), C_linear(at.y), C_linear(at.z), C_linear(at.w));
#endif
    y = mix(y, vec4(0.0), greaterThanEqual(columns, ivec4(COLUMNS_OF_Y)));
#ifdef HAS_FINISH
    y = finished(Y_place(first), y);
#endif
#ifdef Y_IN_FOURS
    imageStore(i_Y, Y_place(first), y);
#else
    imageStore(i_Y, Y_place(first), vec4(y.x, 0.0, 0.0, 0.0));
    if (columns.y < COLUMNS_OF_Y) imageStore(i_Y, Y_place(first + 1), vec4(y.y, 0.0, 0.0, 0.0));
    if (columns.z < COLUMNS_OF_Y) imageStore(i_Y, Y_place(first + 2), vec4(y.z, 0.0, 0.0, 0.0));
    if (columns.w < COLUMNS_OF_Y) imageStore(i_Y, Y_place(first + 3), vec4(y.w, 0.0, 0.0, 0.0));
#endif
}
