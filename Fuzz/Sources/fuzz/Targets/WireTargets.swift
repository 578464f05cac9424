import Airgap
import Foundation
import MetadataDescriptions
import SCALE
import Signer
import Substrate
import TextForms
import Zstandard

/// What the wire targets start from: real metadata of the product, and a transaction for it.
private enum Seeds {
    static let bundle = try? NetworkBundle.shipped()
    static let westend = bundle?.networks.first { $0.specs.name == "westend" }
    static let metadata = westend.flatMap { $0.metadata.first }
    static let vault = bundle.flatMap { try? Vault.lookOnly($0) }

    /// Three bytes in a frame, as metadata of an unknown network.
    static let packedMetadata: [UInt8] =
        [0x53, 0xff, 0x8c, 0x0c, 0x30, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, 0x61, 0x62, 0x63]
        + [UInt8](repeating: 0, count: 32)

    /// A batch of a bond, a nomination and a transfer on Westend 9122.
    static let call =
        Hex.decode(
            "10020c0600003efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f340b0080c6a47e8d03000605080090b5ab205c69"
                + "74c9ea841be688864633dc9ca8a357843eeacf2314649965fe22") ?? []

    /// A multisig on Westend 9122 whose call, a transfer, is bytes.
    static let opaqueCall =
        Hex.decode(
            "17010200048eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a4800a404030090b5ab205c6974c9ea841be688864633dc"
                + "9ca8a357843eeacf2314649965fe22070010a5d4e8000000000000000000") ?? []

    /// Metadata 13, a types table and a call, each behind its length: a pallet with a call for a few types.
    static let textChain: [UInt8] = {
        var encoder = ScaleEncoder()
        for part in [textMetadata, types, [0, 0, 8, 1, 0, 0, 1, 1, 1, 0, 0, 0]] {
            encoder.byteSequence(part)
        }
        return encoder.bytes
    }()

    /// An alias, a structure and an enumeration.
    static let types: [UInt8] = {
        var encoder = ScaleEncoder()
        encoder.compact(3)
        encoder.string("Index")
        encoder.raw([0])
        encoder.string("u32")
        encoder.string("Pair")
        encoder.raw([2, 8, 1])
        for text in ["left", "bool"] { encoder.string(text) }
        encoder.raw([0])
        encoder.string("Index")
        encoder.string("Choice")
        encoder.raw([1, 12])
        encoder.string("Nothing")
        encoder.raw([0])
        encoder.string("One")
        encoder.raw([1])
        encoder.string("Pair")
        encoder.string("Many")
        encoder.raw([2, 4, 0])
        encoder.string("Compact<Index>")
        return encoder.bytes
    }()

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

    /// A remark on Asset Hub with the proof of its metadata.
    static let proven: [UInt8] = {
        guard let network = bundle?.networks.first(where: { $0.specs.name == "statemint" }),
            let blob = network.metadata.first, let metadata = try? RuntimeMetadata(blob),
            let tree = try? MerkleizedMetadata(metadata)
        else { return [] }
        let info = MetadataExtraInfo(metadata, network.specs)
        let genesis = network.specs.genesisHash.bytes
        var extensions = ScaleEncoder()
        // Immortal, nonce 0, no tip in no asset, hash checked; then what is only signed.
        extensions.raw([0, 0, 0, 0, 1])
        extensions.integer(metadata.specVersion)
        extensions.integer(metadata.version.transactionVersion)
        extensions.raw(genesis + genesis + [1] + tree.digest(info).hash.bytes)
        let call: [UInt8] = [0, 0, 4, 0x61]
        guard let proof = try? tree.proof(call: call, extensions: extensions.bytes, extraInfo: info) else { return [] }
        var payload = ScaleEncoder()
        payload.raw([0x53, 1, 6] + [UInt8](repeating: 7, count: 32) + proof)
        payload.byteSequence(call)
        payload.raw(extensions.bytes + genesis)
        return payload.bytes
    }()

    static let bulk: [UInt8] = {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, 4, 0])
        encoder.sequence([transaction, transaction]) { $0.byteSequence(Array($1.dropFirst())) }
        return encoder.bytes
    }()

    /// An export of one key, in the second version of the record.
    static let keyExport: [UInt8] = {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, 0xde, 1])
        encoder.string("Alice")
        encoder.raw([1] + [UInt8](repeating: 7, count: 32) + [4])
        encoder.string("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        encoder.option("//Alice") { $0.string($1) }
        encoder.raw([1] + [UInt8](repeating: 8, count: 32) + [8, 0, 1])
        return encoder.bytes
    }()

    /// A request for an address at a path, and for one at the root.
    static let addressRequest: [UInt8] = {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, 0xdf, 0, 1] + [UInt8](repeating: 7, count: 32) + [8])
        encoder.string("//polkadot/0")
        encoder.raw([1] + [UInt8](repeating: 8, count: 32) + [0, 3] + [UInt8](repeating: 9, count: 32))
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
    /// Updates as they travel, judged by a vault: nothing is written by looking.
    static let update = FuzzTarget(
        name: "update",
        seeds: [
            Seeds.westend.map { UpdatePayload.payload(.specs($0.specs)) } ?? [],
            Seeds.westend.map {
                UpdatePayload.payload(
                    .metadata(Array((Seeds.metadata ?? []).prefix(4096)), genesisHash: $0.specs.genesisHash))
            } ?? [],
            (try? TypesTable(scaleEncoded: Seeds.types)).map { UpdatePayload.payload(.types($0)) } ?? [],
        ]
    ) { bytes in
        // Also as if somebody had not signed: most changes of signed ones end at their signature.
        for code in [bytes.count > 1 ? bytes[1] : 0xff, 0xff] {
            var payload = bytes
            if payload.count > 1 { payload[1] = code }
            guard case .update(let update)? = try? Payload(payload) else { continue }
            let written = UpdatePayload.payload(update.content)
            precondition((try? Payload(written)) == .update(UpdatePayload(unsigned: update.content)))
            _ = try? Seeds.vault?.process(payload)
        }
    }

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

    /// Calls, with those in them that stand as bytes, and extensions against real metadata.
    static let transaction = FuzzTarget(name: "transaction", seeds: [Seeds.call, Seeds.opaqueCall]) { bytes in
        guard let network = Seeds.westend, let blob = Seeds.metadata, let metadata = try? RuntimeMetadata(blob) else {
            return
        }
        let decoder = TransactionDecoder(metadata: metadata, network: network.specs)
        _ = try? decoder.decodeExtensions(bytes)
        guard let call = try? decoder.readCall(bytes), let whole = try? call.expanded(in: bytes, by: decoder) else {
            return
        }
        _ = try? TransactionEffects(whole, signer: nil, network: network.specs)
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
    static let payload = FuzzTarget(
        name: "payload", seeds: [Seeds.transaction, [0x53, 1, 3], [0x53, 0xff, 4], Seeds.packedMetadata]
    ) { bytes in
        _ = try? Payload(bytes)
        var vault = Seeds.vault
        // In earnest a worker does it.
        vault?.metadataExpander = { packed in
            try ZstdFrame.expand(packed.frame, to: packed.byteCount, limit: PackedMetadata.byteLimit)
        }
        _ = try? vault?.process(bytes)
    }

    /// Payloads with metadata proofs. Where only the signed hash contradicts the proof, also as if it agreed: no fuzzer
    /// finds a hash, and behind it the call is read by what the proof says.
    static let proof = FuzzTarget(name: "proof", seeds: [Seeds.proven]) { bytes in
        guard case .metadataHashMismatch(let signed, let computed)? = decodeByProof(bytes),
            let place = bytes.firstRange(of: signed.bytes)
        else { return }
        _ = decodeByProof(Array(bytes[..<place.lowerBound]) + computed.bytes + bytes[place.upperBound...])
    }

    /// - Returns: why a payload with a proof is not shown as a transaction.
    private static func decodeByProof(_ bytes: [UInt8]) -> DecodingError? {
        guard case .transaction(let transaction)? = try? Payload(bytes), let proof = transaction.proof,
            let parts = transaction.parts(), let network = Seeds.westend
        else { return nil }
        let decoded = ProofTransactionDecoder(proof: proof, network: network.specs).decode(
            bytes, call: parts.call, extensions: parts.extensions, genesis: transaction.genesisHash)
        if let method = decoded.method {
            _ = try? TransactionEffects(method, signer: nil, network: network.specs)
        }
        return decoded.error
    }

    /// Bulks, exports of keys and requests for addresses; what is read of a request is written back the same.
    static let records = FuzzTarget(
        name: "records", seeds: [Seeds.bulk, Seeds.keyExport, Seeds.addressRequest]
    ) { bytes in
        let record = Array(bytes.dropFirst(3))
        switch try? Payload(bytes) {
        case .bulk(let bulk): for member in bulk.members { _ = member.parts() }
        case .dynamicDerivations(let request): precondition(request.scaleEncoded == record)
        case .update(let update): precondition(bytes.starts(with: [0x53]) && !update.content.signedBytes.isEmpty)
        default: break
        }
        if let answer = try? DynamicDerivationsAnswer(scaleEncoded: record) {
            precondition(answer.scaleEncoded == record)
        }
    }
}
