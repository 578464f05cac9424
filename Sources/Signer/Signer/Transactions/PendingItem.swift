import SCALE
import Substrate

/// The one payload that waits for the person's decision, bound to the state of the vault in which it was shown
/// (`signer-product` section 1.5).
struct PendingItem: Equatable {
    /// 32 bytes, ``StateDigest/item(state:payload:)``.
    var itemID: [UInt8]
    var payload: [UInt8]
    /// Wrong passwords so far.
    var attempts: UInt8

    static let key = Array("sign".utf8)
    static let attemptLimit: UInt8 = 3
}

extension PendingItem: ScaleCodable {
    init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        itemID = try decoder.array(32)
        payload = try decoder.byteSequence()
        attempts = try decoder.uint8()
    }

    func encode(to encoder: inout ScaleEncoder) {
        encoder.raw(itemID)
        encoder.byteSequence(payload)
        encoder.integer(attempts)
    }
}

extension Trees {
    func pendingItem() throws -> PendingItem? {
        try value(.transaction, PendingItem.key).map {
            try decode(PendingItem.self, .transaction, key: PendingItem.key, value: $0)
        }
    }
}

extension MutableTrees {
    /// Makes `payload` the one pending item.
    ///
    /// - Parameter state: ``Trees/stateDigest()`` of what the payload was shown with; nil for the present state.
    /// - Returns: the item's id.
    @discardableResult
    func setPending(_ payload: [UInt8], shownWith state: [UInt8]? = nil, attempts: UInt8 = 0) throws -> [UInt8] {
        let itemID = StateDigest.item(state: try state ?? stateDigest(), payload: payload)
        let item = PendingItem(itemID: itemID, payload: payload, attempts: attempts)
        try removeAll(.transaction)
        try put(.transaction, key: PendingItem.key, value: item.scaleEncoded)
        return itemID
    }
}
