// Y[0, 0, y, x] = 0.2126 R + 0.7152 G + 0.0722 B, ITU-R BT.709-6, section 3.
vec4 hook() {
    return vec4(dot(picture_tex(picture_pos).rgb, vec3(0.2126, 0.7152, 0.0722)));
}
