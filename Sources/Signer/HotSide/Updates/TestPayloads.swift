import Airgap
import SCALE
import Substrate
import TextForms

/// Payloads to try readers and vaults with, of public test keys: nothing in them is worth anything.
package enum TestPayloads {
    /// Keys and transactions of a payload at the most.
    package static let limit = 512

    /// An export of keys of the development phrase, at `//0`, `//1` and so on, in Westend.
    ///
    /// - Parameter count: how many, 1 to ``limit``.
    package static func keyExport(count: Int) throws -> [UInt8] {
        let mnemonic = try DevelopmentKeys.mnemonic()
        let root = try KeyPair.derive(from: mnemonic, path: DerivationPath(parsing: ""), scheme: .sr25519)
        guard let westend = DefaultNetwork.all.first(where: { $0.specs.name == "westend" })?.specs else { return [] }
        let keys = try (0..<min(count, limit)).map { number in
            let path = "//\(number)"
            let pair = try root.derive(DerivationPath(parsing: path))
            return DerivationsExport.Key(
                address: pair.publicKey, path: path, scheme: .sr25519, genesisHash: westend.genesisHash)
        }
        let seed = DerivationsExport.Seed(name: "test", root: root.multiSigner, keys: keys)
        return DerivationsExport(seeds: [seed], features: [.bulkOperations, .dynamicDerivations]).payload
    }

    /// Copies of one transfer of 1 WND from Alice to Bob in Westend 9122, to be signed together.
    ///
    /// - Parameter count: how many, 1 to ``limit``.
    package static func bulk(count: Int) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, PayloadKind.bulk.rawValue, 0])
        // Each member leaves out the first byte.
        encoder.sequence([Int](0..<min(count, limit))) { encoder, _ in encoder.byteSequence(transfer) }
        return encoder.bytes
    }

    private static let transfer =
        Hex.decode(
            "0102d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27da4040300"
                + "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48070010a5d4e8b501b800a223000007000000"
                + "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
                + "5353535353535353535353535353535353535353535353535353535353535353"
                + "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []
}
