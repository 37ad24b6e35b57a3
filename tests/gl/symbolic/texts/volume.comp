#version 430
// a volume as an image and as a sampler; what is outside is zero
layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;
layout(rgba32f) readonly uniform image3D u_image;
uniform sampler3D u_sampled;
layout(rgba32f) writeonly uniform image3D u_result;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(u_image);
    if (any(greaterThanEqual(at, size))) return;
    vec4 own = imageLoad(u_image, at) + imageLoad(u_image, at + ivec3(0, 0, 1));
    vec4 mirrored = texelFetch(u_sampled, size - 1 - at, 0);
    imageStore(u_result, at, own * 0.5 - mirrored + float(textureSize(u_sampled, 0).z));
}
