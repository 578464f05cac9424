import Airgap
import Foundation
import SCALE
import Signer
import Substrate

/// What the wire targets start from: real metadata of the product, and a transaction for it.
private enum Seeds {
    static let bundle = try? NetworkBundle.shipped()
    static let westend = bundle?.networks.first { $0.specs.name == "westend" }
    static let metadata = westend.flatMap { $0.metadata.first }
    static let vault = bundle.flatMap { try? Vault.lookOnly($0) }

    /// A batch of a bond, a nomination and a transfer on Westend 9122.
    static let call =
        Hex.decode(
            "10020c0600003efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f340b0080c6a47e8d03000605080090b5ab205c69"
                + "74c9ea841be688864633dc9ca8a357843eeacf2314649965fe22") ?? []

    static let transaction =
        Hex.decode(
            "530102d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27da40403008eaf04151687736326c9fea17e25fc5287"
                + "613693c912909cb226aa4794f26a480700e8764817b501b800a223000007000000e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36"
                + "c1cd2cfd15340213f3423e5353535353535353535353535353535353535353535353535353535353535353e143f23803ac50e8f6f8e6"
                + "2695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []
}

extension FuzzTarget {
    static let metadata = FuzzTarget(
        name: "metadata", seeds: [Array("meta".utf8) + [14, 0, 0], Array((Seeds.metadata ?? []).prefix(4096))]
    ) { bytes in
        _ = try? RuntimeMetadata(bytes)
        _ = try? FullMetadata(bytes)
    }

    static let leanMetadata = FuzzTarget(
        name: "lean-metadata", seeds: [Array("meta".utf8) + [15, 0, 0], Array((Seeds.metadata ?? []).prefix(4096))]
    ) { bytes in
        _ = try? LeanMetadata.transform(bytes)
    }

    /// Calls and extensions against real metadata.
    static let transaction = FuzzTarget(name: "transaction", seeds: [Seeds.call]) { bytes in
        guard let network = Seeds.westend, let blob = Seeds.metadata, let metadata = try? RuntimeMetadata(blob) else {
            return
        }
        let decoder = TransactionDecoder(metadata: metadata, network: network.specs)
        _ = try? decoder.decodeCall(bytes)
        _ = try? decoder.decodeExtensions(bytes)
    }

    /// Whole payloads through the vault, as `inspect` does.
    static let payload = FuzzTarget(name: "payload", seeds: [Seeds.transaction, [0x53, 1, 3], [0x53, 0xff, 4]]) {
        bytes in
        _ = try? QRContent(bytes).wholePayload()
        _ = try? Payload(bytes)
        _ = try? Seeds.vault?.process(bytes)
    }
}
