// Sr25519: Keccak, STROBE, Merlin, ristretto255, schnorrkel.
