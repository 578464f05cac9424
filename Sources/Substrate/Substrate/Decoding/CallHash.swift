/// What chains and people call a call by: blake2_256 of its bytes, without a length before them.
package enum CallHash {
    package static func of(_ call: some Collection<UInt8>) -> Hash256 {
        Blake2b.hash256(call)
    }
}
