import Airgap
import Signer
import Substrate
import TextForms

/// What a recorded flow begins with.
///
/// Source: `signer-product` section 12.4.
package enum FlowStart {
    /// The networks of the original's flow: those of the release with other metadata, general verifier and types.
    ///
    /// - Parameters:
    ///   - metadata: blobs, each for the network whose name it has.
    ///   - types: a payload that brings types.
    package static func original(metadata: [[UInt8]], types: [UInt8]) throws -> NetworkBundle {
        guard case .update(let update) = try Payload(types), case .types(let table) = update.content else {
            throw CoreError.notPending
        }
        let names = ["polkadot", "kusama", "westend"]
        var bundle = try NetworkBundle.shipped()
        bundle.networks = names.compactMap { name in bundle.networks.first { $0.specs.name == name } }
        for index in bundle.networks.indices { bundle.networks[index].metadata = [] }
        for blob in metadata {
            let name = try ChainMetadata(blob).specName
            guard let index = bundle.networks.firstIndex(where: { $0.specs.name == name }) else {
                throw CoreError.networkUnknown(key: name)
            }
            bundle.networks[index].metadata.append(blob)
        }
        bundle.generalVerifier = Verifier(.sr25519(Hex.decode(alice) ?? []))
        bundle.types = table
        return bundle
    }

    /// The public key of //Alice of the public development phrase.
    private static let alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"

    /// A transaction on Westend 9122 by the development phrase's //westend that makes Bob a proxy: it can be signed,
    /// and is dangerous.
    static let dangerousTransaction: String = {
        let author = "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
        let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
        let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
        let block = String(repeating: "53", count: 32)
        return "530102\(author)9c1601\(bob)0000000000b501b800a223000007000000\(genesis)\(block)\(genesis)"
    }()
}
