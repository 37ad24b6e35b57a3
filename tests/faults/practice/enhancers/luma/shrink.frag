#version 330 core

uniform sampler2D u_a;
uniform sampler2D u_b;

out vec4 shrink;

const vec4 SLOPE = vec4(0.2025, 0.4118, 0.4293, 0.2984);

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 lo = texelFetch(u_a, p, 0);
    vec4 hi = texelFetch(u_b, p, 0);
    vec4 s = mat4(-0.2284, -0.3884, -0.1136, 0.8485, 0.4379, 0.3960, -0.1417, 0.0454, -0.1743, -0.1479, -0.1851, 0.7925, 0.4456, 0.2157, 0.1084, -0.2903) * lo
           + mat4(-0.1506, 0.2726, 0.8425, -0.2962, 0.0938, -0.5689, -0.0313, -0.4461, 0.1390, 0.5017, -0.4348, -0.3673, -0.1983, 0.0605, -0.0919, -0.0158) * hi
           + vec4(0.0212, -0.2617, -0.1540, -0.1194);
    shrink = mix(SLOPE * s, s, greaterThan(s, vec4(0.0)));
}
