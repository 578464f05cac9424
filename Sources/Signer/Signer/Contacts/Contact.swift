import SCALE
import Substrate

/// Somebody whom the person deals with: an account under a name.
///
/// Source: `signer-product` sections 1.1 and 12.2.
public struct Contact: Hashable, Sendable {
    /// How a contact came here.
    public enum Origin: UInt8, Sendable, CaseIterable {
        /// Read from a picture.
        case scanned
        /// Typed by the person.
        case typed
        /// Taken over from a list.
        case imported
    }

    /// 32 bytes, or the 20 of an Ethereum address: what the contact is told by.
    public var accountID: [UInt8]
    /// What the person calls it.
    public var name: String
    /// The networks that it counts in, by their genesis; empty for any.
    public var networks: [Hash256]
    /// What the person notes of it.
    public var note: String
    /// How it came here.
    public var origin: Origin
    /// When it was added, in UTC, as the log tells times.
    public internal(set) var added: String

    /// A contact that is not stored yet.
    ///
    /// - Parameter accountID: 32 or 20 bytes, as ``Vault/accountID(ofAddress:)`` gives them.
    public init(accountID: [UInt8], name: String, networks: [Hash256] = [], note: String = "", origin: Origin) {
        self.accountID = accountID
        self.name = name
        self.networks = networks
        self.note = note
        self.origin = origin
        added = ""
    }

    /// Whether the account is one of Ethereum's.
    package var isEthereum: Bool { accountID.count == 20 }

    /// Whether it counts in a network: of the account's kind, and one of ``networks`` if there are any.
    package func counts(in network: NetworkSpecs) -> Bool {
        isEthereum == (network.scheme == .ethereum)
            && (networks.isEmpty || networks.contains(network.genesisHash))
    }

    /// The address in the form of a network; nil where it does not count there.
    public func address(in network: NetworkSpecs) -> AccountAddress? {
        counts(in: network) ? AccountAddress(accountID: accountID, prefix: network.base58Prefix) : nil
    }

    /// The address in the form that belongs to no network.
    package var genericAddress: AccountAddress? {
        AccountAddress(accountID: accountID, prefix: PayloadProcessor.genericPrefix)
    }

    /// What addresses of the account are drawn from.
    var identicon: IdenticonSource {
        genericAddress?.identicon ?? .dots(accountID)
    }
}

/// A row of the tree `contacts`, beside its key.
struct ContactDetails: ScaleCodable {
    var name: String
    var networks: [Hash256]
    var note: String
    var origin: Contact.Origin
    var added: String

    init(_ contact: Contact) {
        name = contact.name
        networks = contact.networks
        note = contact.note
        origin = contact.origin
        added = contact.added
    }

    init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        networks = try decoder.sequence { (decoder) throws(ScaleError) in try Hash256(from: &decoder) }
        note = try decoder.string()
        let offset = decoder.position
        let number = try decoder.uint8()
        guard let origin = Contact.Origin(rawValue: number) else {
            throw .invalidEnumIndex(offset: offset, found: number, type: "Contact.Origin")
        }
        self.origin = origin
        added = try decoder.string()
    }

    func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.sequence(networks) { $0.value($1) }
        encoder.string(note)
        encoder.integer(origin.rawValue)
        encoder.string(added)
    }
}
