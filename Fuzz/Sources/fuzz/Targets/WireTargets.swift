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

    /// Metadata 13, a types table and a call, each behind its length: a pallet with a call for a few types.
    static let textChain: [UInt8] = {
        var encoder = ScaleEncoder()
        for part in [textMetadata, types.scaleEncoded, [0, 0, 8, 1, 0, 0, 1, 1, 1, 0, 0, 0]] {
            encoder.byteSequence(part)
        }
        return encoder.bytes
    }()

    private static let types = TypesTable(entries: [
        .init(name: "Index", description: .alias("u32")),
        .init(name: "Pair", description: .structure([.init(name: "left", type: "bool"), .init(type: "Index")])),
        .init(
            name: "Choice",
            description: .enumeration([
                .init(name: "Nothing", content: .nothing), .init(name: "One", content: .type("Pair")),
                .init(name: "Many", content: .fields([.init(type: "Compact<Index>")])),
            ])),
    ])

    private static let textMetadata: [UInt8] = {
        var encoder = ScaleEncoder()
        encoder.raw(Array("meta".utf8) + [13, 4])
        encoder.string("System")
        encoder.raw([0, 1, 8])
        for (call, type) in [("try", "Vec<(Option<bool>, Choice)>"), ("batch", "Vec<<T as Config>::Call>")] {
            encoder.string(call)
            encoder.compact(1)
            encoder.string("value")
            encoder.string(type)
            encoder.raw([0])
        }
        encoder.raw([0, 4])
        encoder.string("Version")
        encoder.string("RuntimeVersion")
        encoder.byteSequence([0, 0] + [UInt8](repeating: 0, count: 12) + [0])
        encoder.raw([0, 0, 0, 4, 0])
        return encoder.bytes
    }()

    static let transaction =
        Hex.decode(
            "530102d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27da40403008eaf04151687736326c9fea17e25fc5287"
                + "613693c912909cb226aa4794f26a480700e8764817b501b800a223000007000000e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36"
                + "c1cd2cfd15340213f3423e5353535353535353535353535353535353535353535353535353535353535353e143f23803ac50e8f6f8e6"
                + "2695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []
}

extension FuzzTarget {
    static let metadata = FuzzTarget(
        name: "metadata",
        seeds: [
            Array("meta".utf8) + [13, 0, 0], Array("meta".utf8) + [14, 0, 0],
            Array((Seeds.metadata ?? []).prefix(4096)),
        ]
    ) { bytes in
        _ = try? ChainMetadata(bytes)
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

    /// Metadata 12 or 13, a types table and a call, each behind its length.
    static let textCall = FuzzTarget(name: "text-call", seeds: [Seeds.textChain]) { bytes in
        guard let network = Seeds.westend else { return }
        var decoder = ScaleDecoder(bytes)
        guard let blob = try? decoder.byteSequence(), let table = try? decoder.byteSequence(),
            let call = try? decoder.byteSequence(), let metadata = try? TextMetadata(blob),
            let types = try? TypesTable(scaleEncoded: table)
        else { return }
        let transaction = TextTransactionDecoder(metadata: metadata, network: network.specs, types: types)
        _ = try? transaction.decodeExtensions(call)
        if let cards = try? transaction.decodeCall(call) { for card in cards { _ = card.line } }
    }

    /// Whole payloads through the vault, as `inspect` does.
    static let payload = FuzzTarget(name: "payload", seeds: [Seeds.transaction, [0x53, 1, 3], [0x53, 0xff, 4]]) {
        bytes in
        _ = try? QRContent(bytes).wholePayload()
        _ = try? Payload(bytes)
        _ = try? Seeds.vault?.process(bytes)
    }
}
