"""The harness: runs one wrong pass alone, compiles and draws its variants, and spot checks them against the oracle."""
