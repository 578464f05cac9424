/// What an FFV1 encoding may hold. Encoder and decoder keep the same limits, so that what is sent can be read.
///
/// Source: `forcefield` section 12.
package enum CodecLimits {
    /// Values within each other: the outermost is the first, and what is in 31 arrays the last.
    package static let depth = 32
    /// Elements of all arrays and entries of all maps together.
    package static let items = 1_000_000
    /// Bytes of a map's key.
    package static let keyBytes = 255
    /// Bytes of an encoding: offsets have 32 bits, frames far fewer bytes.
    package static let bytes = Int(Int32.max)
}
