#version 330
// 6 to 3 channels, 1x1, added to the picture
uniform sampler2D MAIN;
uniform sampler2D MIXED;
uniform ivec2 MAIN_size;
out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 low = texelFetch(MIXED, at, 0);
    vec4 high = texelFetch(MIXED, at + ivec2(MAIN_size.x, 0), 0);
    vec4 correction = mat4(0.0708, 0.2087, 0.1918, 0.0, -0.001, -0.1072, -0.051, 0.0, -0.1063, 0.4459, 0.045, 0.0, -0.4553, 0.3887, 0.244, 0.0) * low;
    correction += mat4(0.0037, -0.0456, 0.2379, 0.0, 0.1855, -0.031, -0.106, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0) * high;
    correction.rgb += vec3(-0.0578, -0.0906, 0.0346);
    vec4 picture = texelFetch(MAIN, at, 0);
    color = clamp(picture + correction, 0.0, 1.0);
}
