// SecretMemory: bytes that are locked, guarded, zeroised and never printed.
