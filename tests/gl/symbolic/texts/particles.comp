#version 430
// an array of structures; pulls between all of them, with inout parameters
layout(local_size_x = 8) in;
struct Particle { vec3 place; float mass; vec2 spin; };
layout(std430) readonly buffer In { Particle particles[]; };
layout(std430) buffer Out { vec4 dst[]; };
uniform int count;

void pull(in Particle a, const in Particle b, inout vec3 force, out float near) {
    vec3 d = b.place - a.place;
    near = dot(d, d) + 0.5;
    force += d * (b.mass / (near * sqrt(near)));
}

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= count) return;
    Particle own = particles[i];
    vec3 force = vec3(0.0);
    float closest = 1e9, near;
    for (int j = 0; j < count; ++j) {
        if (j == i) continue;
        pull(own, particles[j], force, near);
        closest = min(closest, near);
    }
    own.spin.yx += force.xy;
    dst[i] = vec4(force.xy * own.mass, own.spin.x, closest);
}
