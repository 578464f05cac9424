import Airgap
import SCALE
import Substrate
import TestSupport
import TextForms

/// Keys and payloads that several tests use.
enum Fixtures {
    static let alice = bytes("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
    static let bob = bytes("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")
    static let genesis = bytes("e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e")
    static let ecdsaKey = [0x02] + [UInt8](repeating: 0x31, count: 32)

    /// Call with its length, extensions and genesis.
    static let body: [UInt8] = [8, 4, 3, 0xaa, 0xbb, 0xcc] + genesis
    static let transaction: [UInt8] = [0x53, 1, 2] + alice + body

    /// A transaction with a proof that the reference model made.
    static func payload(_ known: GeneratedProof) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 1, 6] + alice + bytes(known.proof))
        encoder.byteSequence(bytes(known.call))
        encoder.raw(bytes(known.included + known.signed + known.genesis))
        return encoder.bytes
    }

    /// The derived author of kinds 05 and 07.
    static func derivedAuthor(_ path: String) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(alice)
        encoder.string(path)
        return encoder.bytes
    }

    static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }
}
