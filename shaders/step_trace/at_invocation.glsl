// Says where the log begins: in one invocation of a dispatch.

uniform highp uvec3 u_trace_invocation;

void trace_begin() {
    trace_here = gl_GlobalInvocationID == u_trace_invocation;
    trace_at = trace_here ? 0u : u_trace_room;
    trace_on = trace_here && u_trace_first == 0u;
}
