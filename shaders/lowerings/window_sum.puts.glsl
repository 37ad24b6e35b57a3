// Stores the sum over a window: pixels are those of one parity, consecutive through all images.

void put(int parity, int group, int pixel, vec4 sum) {
    int area = u_places.x * u_places.y;
    int rest = pixel % area;
    ivec2 place = ivec2(rest % u_places.y, rest / u_places.y) * u_steps.wz + u_parities[parity].wz;
    if (place.x >= u_y.y || place.y >= u_y.x) return;
    begin(pixel / area, group, 0);
    finish(place, sum);
}
