// What becomes of a sum, for dispatches that sum over a window: it is finished, or left for another step.

#ifdef IS_PARTIAL
layout(std430, binding = 1) writeonly buffer Parts { vec4 b_parts[]; }; // [share, parity, group of y, pixel]
#endif

void write(int parity, int group, int pixel, int share, vec4 sum) {
    if (group >= u_y.w || pixel >= u_places.z) return;
#ifdef IS_PARTIAL
    b_parts[((share * u_places.w + parity) * u_y.w + group) * u_places.z + pixel] = sum;
#else
    int area = u_places.x * u_places.y;
    int rest = pixel % area;
    ivec2 place = ivec2(rest % u_places.y, rest / u_places.y) * u_steps.wz + u_parities[parity].wz;
    if (place.x >= u_y.y || place.y >= u_y.x) return;
    begin(pixel / area, group, 0);
    finish(place, sum);
#endif
}
