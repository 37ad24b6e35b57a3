// Stores a sum in dispatches that multiply matrices: in its place, or for another step.

#ifdef PARTS_BINDING
layout(std430, binding = PARTS_BINDING) writeonly buffer Parts { vec4 b_parts[]; }; // [share, parity, group of y, pixel]
#endif

void write(int parity, int group, int pixel, int share, vec4 sum) {
    if (group >= u_y.w || pixel >= u_places.z) return;
#ifdef PARTS_BINDING
    b_parts[((share * u_places.w + parity) * u_y.w + group) * u_places.z + pixel] = sum;
#else
    put(parity, group, pixel, sum);
#endif
}
