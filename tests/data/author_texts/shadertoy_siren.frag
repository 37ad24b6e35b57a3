// A small network that was trained to draw.
void mainImage(out vec4 fragColor, vec2 fragCoord) {
    vec2 q = 2.0 * fragCoord / iResolution.xy - 1.0;
    vec4 h0 = sin(q.x * vec4(1.5, -0.5, 2.0, 0.25) + q.y * vec4(-1.0, 1.75, 0.5, -0.75) + vec4(0.1, 0.2, -0.3, 0.4));
    vec4 h1 = sin(mat4(0.5, -0.25, 0.75, 0.1, -0.3, 0.6, 0.2, -0.8, 0.9, 0.15, -0.45, 0.35, 0.05, -0.65, 0.55, 0.7)
        * h0 + vec4(-0.2, 0.3, 0.1, -0.1));
    float y = dot(h1, vec4(0.4, -0.7, 0.2, 0.6)) + 0.05 * iTime;
    fragColor = vec4(vec3(y), y * y);
}
