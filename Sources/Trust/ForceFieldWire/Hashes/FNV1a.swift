/// The hash FNV-1a, which guards against mistakes and not against attackers.
///
/// Source: draft-eastlake-fnv; `forcefield` section 11.
package enum FNV1a {
    package static func hash32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    package static func hash64(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
