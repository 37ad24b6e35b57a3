// Helpers for dense tensors of four axes, outermost first.

/// The distance in elements between neighbours along each axis of a dense tensor.
ivec4 dense_strides(ivec4 shape) {
    ivec4 strides;
    strides.w = 1;
    strides.z = shape.w;
    strides.y = shape.w * shape.z;
    strides.x = shape.w * shape.z * shape.y;
    return strides;
}

/// The number of elements of a tensor.
int element_count(ivec4 shape) {
    return shape.x * shape.y * shape.z * shape.w;
}

/// Where along each axis the element with that number is.
ivec4 unravel(int index, ivec4 shape) {
    ivec4 position;
    position.w = index % shape.w;
    index /= shape.w;
    position.z = index % shape.z;
    index /= shape.z;
    position.y = index % shape.y;
    position.x = index / shape.y;
    return position;
}

/// The number of the element at a position.
int ravel(ivec4 position, ivec4 strides) {
    ivec4 product = position * strides;
    return product.x + product.y + product.z + product.w;
}
