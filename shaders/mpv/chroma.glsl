// Y[0, :, y, x] = ((B - Y) / 1.8556 + 0.5, (R - Y) / 1.5748 + 0.5), ITU-R BT.709-6, section 3; of 2x2 texels at once.
vec4 hook() {
    vec3 rgb = picture_tex(picture_pos).rgb;
    float y = dot(rgb, vec3(0.2126, 0.7152, 0.0722));
    return vec4((rgb.b - y) / 1.8556 + 0.5, (rgb.r - y) / 1.5748 + 0.5, 0.0, 1.0);
}
