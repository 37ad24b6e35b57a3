#version 330
// an array of slices, a volume between its texels, and whole numbers
uniform sampler2DArray u_array;
uniform sampler3D u_volume;
uniform isampler2D u_places;
uniform samplerBuffer u_table;
in vec2 v_uv;
out vec4 result;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int slice = at.x % textureSize(u_array, 0).z;
    vec4 array = texelFetch(u_array, ivec3(at, slice), 0) + texture(u_array, vec3(v_uv, 1.6));
    vec4 volume = texture(u_volume, vec3(v_uv.yx * 1.1, 0.37));
    int place = texelFetch(u_places, at % textureSize(u_places, 0), 0).r;
    result = array + 2.0 * volume + texelFetch(u_table, place % textureSize(u_table)).r;
}
