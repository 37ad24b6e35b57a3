// Normalises rows of float4s; weights behind one another in a raw buffer.
struct Row { float4 a; float4 b; float4 c; };

StructuredBuffer<Row> Tokens : register(t0);
ByteAddressBuffer Gamma : register(t1);
ByteAddressBuffer Beta : register(t2);
RWStructuredBuffer<Row> Normalised : register(u0);

cbuffer Constants { uint Count; float Epsilon; }

float4 LoadFour(ByteAddressBuffer buffer, uint index)
{
    return asfloat(buffer.Load4(index * 16));
}

float Sum(float4 v) { return dot(v, 1.0); }

[numthreads(16, 1, 1)]
void Normalise(uint id : SV_DispatchThreadID)
{
    if (id >= Count) return;
    Row row = Tokens[id];
    float mean = (Sum(row.a) + Sum(row.b) + Sum(row.c)) / 12.0;
    float4 a = row.a - mean, b = row.b - mean, c = row.c - mean;
    float variance = (Sum(a * a) + Sum(b * b) + Sum(c * c)) / 12.0;
    float scale = rsqrt(variance + Epsilon);
    Row result;
    result.a = a * scale * LoadFour(Gamma, 0) + LoadFour(Beta, 0);
    result.b = b * scale * LoadFour(Gamma, 1) + LoadFour(Beta, 1);
    result.c = c * scale * LoadFour(Gamma, 2) + LoadFour(Beta, 2);
    Normalised[id] = result;
}
