// An index into an axis of `count` elements; negative ones count from its end
int wrapped(float index, int count) {
    int i = int(index);
    return i < 0 ? i + count : i;
}
