float4 Relu(float4 v)
{
    return max(v, 0.0);
}

float4 Sigmoid(float4 v)
{
    return rcp(1.0 + exp(-v));
}
