// Edges of the camera's picture.
float luma(vec3 c) { return dot(c, vec3(0.25, 0.5, 0.25)); }

void mainImage( out vec4 fragColor, in vec2 fragCoord )
{
    vec2 uv = fragCoord/iResolution.xy;
    vec2 px = 1.0/iResolution.xy;
    float l = luma(texture(iChannel0, uv - vec2(px.x, 0.0)).rgb);
    float r = luma(texture(iChannel0, uv + vec2(px.x, 0.0)).rgb);
    vec3 col = texture(iChannel0, uv).rgb;
    fragColor = vec4(col * abs(r - l), 1.0);
}
