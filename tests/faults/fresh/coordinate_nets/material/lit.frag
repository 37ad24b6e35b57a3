#version 330 core

uniform sampler2D uMaps;
uniform sampler2D uSun;

out vec4 oColor;

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int wide = textureSize(uMaps, 0).x / 2;
    vec4 surface = texelFetch(uMaps, px, 0);
    vec3 relief = texelFetch(uMaps, px + ivec2(wide, 0), 0).rgb;

    vec3 albedo = surface.rgb;
    float rough = surface.a;
    vec3 n = normalize(vec3(relief.xy, sqrt(max(1.0 - dot(relief.xy, relief.xy), 0.04))));
    vec3 l = normalize(texelFetch(uSun, ivec2(0), 0).xyz);

    float cosine = max(dot(n, l), 0.0);
    float hollow = 1.0 / (1.0 + exp(-relief.z));
    float highlight = 0.3 * pow(cosine, mix(8.0, 1.0, rough));
    vec3 light = albedo * (0.15 + cosine * hollow) + highlight;
    oColor = vec4(pow(light, vec3(1.0 / 2.2)), 1.0);
}
