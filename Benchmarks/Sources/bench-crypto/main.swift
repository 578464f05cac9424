print("bench-crypto")
