import HardwareKeys
import StrictJSON
import TextForms

/// What a side remembers of the others: their keys, and the newest manifest that it has seen.
///
/// Source: `vigil` section 6.2.
package struct Attestation: Hashable, Sendable {
    static let payloadType = "application/vnd.vigil.store.v2+json"
    private static let version = 2
    /// How many peers may be stored, with those that were revoked.
    package static let peerLimit = 64

    /// The side whose store it is.
    package let owner: Role
    package let product: String
    /// The epoch of the newest manifest that was seen.
    package internal(set) var epoch: UInt32
    /// The number of the last writing, from 1.
    package internal(set) var generation: UInt64
    package internal(set) var peers: [PinnedPeer]
    /// What counts the writings; nil where there is no hardware for it.
    var counter: StoreCounter?

    /// The store of a side that has not pinned any other yet.
    init(owner: Role, product: String) {
        self.owner = owner
        self.product = product
        (epoch, generation, peers) = (0, 0, [])
    }

    /// The counter of the newest rotation of any peer's key.
    package var rotationCounter: UInt64 { peers.map(\.rotationCounter).max() ?? 0 }

    /// The active pin of a role and label, or the last one that was revoked.
    package func pin(of role: Role, label: String) -> Pin {
        let known = peers.filter { $0.role == role && $0.label == label }
        if let active = known.first(where: { $0.state == .active }) { return .active(active.key, active.kind) }
        return known.isEmpty ? .none : .revoked
    }
}

/// The key of another side.
package struct PinnedPeer: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case active
        case revoked
    }

    /// The label that tells peers of one role apart.
    package let label: String
    package let role: Role
    package internal(set) var key: PublicKey
    package internal(set) var kind: KeyKind
    package internal(set) var pinnedAt: Timestamp
    package internal(set) var state: State
    /// The counter of the last rotation of this peer's key.
    package internal(set) var rotationCounter: UInt64 = 0
    /// How far a rotation may be ahead of the last one: answers get lost, and no side may use up all numbers at once.
    static let rotationStep: UInt64 = 1024

    package var keyID: Bytes32 { key.id }
}

extension Attestation {
    /// - Throws: ``JSONError`` or ``JSONFieldError`` for anything but a store's payload.
    init(payload: [UInt8]) throws {
        let fields = try JSONFields(reading: payload, limit: payload.count)
        let version: Int64 = try fields.integer("version")
        guard version == Self.version else {
            throw fields.error(in: "version", "\(Self.version) expected, not \(version)")
        }
        owner = try fields.role("role")
        product = try fields.string("product")
        epoch = try fields.integer("epoch")
        generation = try fields.integer("generation")
        counter = try fields.has("counter") ? StoreCounter(fields.fields("counter")) : nil
        peers = []
        for peer in try fields.objects("peers", limit: Self.peerLimit) { peers.append(try PinnedPeer(peer)) }
    }

    var payload: [UInt8] {
        var members: [String: JSON] = [
            "version": .integer(Self.version), "role": .string(owner.name), "product": .string(product),
            "epoch": .integer(epoch), "generation": .integer(Int64(clamping: generation)),
            "rotationCounter": .integer(Int64(clamping: rotationCounter)), "peers": .array(peers.map(\.json)),
        ]
        if let counter { members["counter"] = counter.json }
        return JSON.object(members).canonicalText
    }
}

extension StoreCounter {
    fileprivate init(_ fields: JSONFields) throws(JSONFieldError) {
        index = try fields.integer("index")
        start = try fields.integer("start")
        authorisation = try fields.digest("authorisation")
        storageKey = try fields.has("storageKey") ? fields.hex("storageKey") : nil
        guard [nil, TPMIdentity.nameByteCount].contains(storageKey?.count) else {
            throw fields.error(in: "storageKey", "the \(TPMIdentity.nameByteCount) bytes of a Name expected")
        }
    }

    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "index": .integer(index), "start": .integer(Int64(clamping: start)),
            "authorisation": .string("\(authorisation)"),
        ]
        if let storageKey { members["storageKey"] = .string(Hex.encode(storageKey)) }
        return .object(members)
    }
}

extension PinnedPeer {
    fileprivate init(_ fields: JSONFields) throws(JSONFieldError) {
        label = try fields.string("label")
        role = try fields.role("role")
        guard let key = PublicKey(x963: try fields.hex("publicKey")) else {
            throw fields.error(in: "publicKey", "65 bytes in X9.63 expected")
        }
        self.key = key
        guard try fields.digest("keyId") == key.id else { throw fields.error(in: "keyId", "not that of the publicKey") }
        kind = try fields.value("keyKind")
        guard let pinnedAt = Timestamp(rfc3339: try fields.string("pinnedAt")) else {
            throw fields.error(in: "pinnedAt", "a time of RFC 3339 expected")
        }
        self.pinnedAt = pinnedAt
        state = try fields.value("state")
        rotationCounter = try fields.integer("rotationCounter")
    }

    fileprivate var json: JSON {
        [
            "label": .string(label), "role": .string(role.name), "keyId": .string("\(keyID)"),
            "publicKey": .string(Hex.encode(key.x963)), "keyKind": .string(kind.rawValue),
            "pinnedAt": .string(pinnedAt.rfc3339),
            "state": .string(state.rawValue), "rotationCounter": .integer(Int64(clamping: rotationCounter)),
        ]
    }
}

extension Role {
    /// The name of the role in files.
    var name: String {
        switch self {
        case .app: "app"
        case .validator: "validator"
        }
    }

    var opposite: Role { self == .app ? .validator : .app }
}

extension JSONFields {
    fileprivate func role(_ name: String) throws(JSONFieldError) -> Role {
        switch try string(name) {
        case Role.app.name: .app
        case Role.validator.name: .validator
        default: throw error(in: name, "\"app\" or \"validator\" expected")
        }
    }
}
