// y = Σ over work groups that shared a sum of their parts from `window_sum.comp.glsl` or `few_pixels.comp.glsl`

layout(std430, binding = 0) readonly buffer Parts { vec4 b_parts[]; }; // [share, parity, group of y, pixel]

void main() {
    int i = int(gl_GlobalInvocationID.x);
    int count = u_places.w * u_y.w * u_places.z;
    if (i >= count) return;
    vec4 sum = vec4(0.0);
    for (int share = 0; share < u_split.x; share++) sum += b_parts[share * count + i];
    write(i / u_places.z / u_y.w, i / u_places.z % u_y.w, i % u_places.z, 0, sum);
}
