// Gives a position in slices, or in a buffer, the two numbers that a log has room for.

// Slices of height H lie one below the other, each with a row above it and one below for positions outside: the row of
// y in slice z is (z + 1) · (H + 2) + y + 1, with z from -1 to the number of slices and y from -1 to H.
highp vec2 tap_stacked(highp vec2 at, highp float z, highp ivec3 size) {
    highp float height = float(size.y);
    highp float slice = clamp(floor(z), -1.0, float(size.z)) + 1.0;
    return vec2(at.x, slice * (height + 2.0) + clamp(at.y, -1.0, height + 0.75) + 1.0);
}

// The texels of a buffer lie in rows of 4096.
highp vec2 tap_in_rows(highp int at) {
    return vec2(at & 4095, at >> 12) + 0.5;
}
