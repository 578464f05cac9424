import BasicFoundation
import Substrate
import TextForms

/// The address book.
///
/// Source: `signer-product` section 12.2.
extension Vault {
    /// All contacts, by their names.
    public func contacts() throws -> [Contact] { try database.read { try $0.contacts() } }

    /// The contact with this name, without regard to case, or with this account as an address.
    ///
    /// - Throws: ``SignerError/contactNotFound(_:)``.
    public func contact(named text: String) throws -> Contact {
        let contacts = try contacts()
        let account = try? accountID(ofAddress: text)
        let found = contacts.first { $0.name.lowercased() == text.lowercased() || $0.accountID == account }
        guard let found else { throw SignerError.contactNotFound(text) }
        return found
    }

    /// The account that an address is of.
    ///
    /// - Parameter text: SS58 with the prefix of a network of this vault or 42, which belongs to none; or `0x` and 40
    ///   hex digits where there is an Ethereum network, whose letters, if their case is mixed, are the check sum.
    /// - Returns: 32 or 20 bytes.
    /// - Throws: ``SignerError/contactAddressInvalid(_:)``.
    public func accountID(ofAddress text: String) throws -> [UInt8] {
        let networks = try networks()
        let refusal = SignerError.contactAddressInvalid(text)
        if text.hasPrefix("0x") {
            let digits = text.dropFirst(2)
            guard let bytes = Hex.decode(text), bytes.count == 20,
                networks.contains(where: { $0.scheme == .ethereum }),
                digits == digits.lowercased() || digits == digits.uppercased()
                    || text == EthereumAddress.checksummed(bytes)
            else { throw refusal }
            return bytes
        }
        guard let (prefix, payload) = try? SS58.decode(text, payloadSizes: 32...32),
            prefix == PayloadProcessor.genericPrefix
                || networks.contains(where: { $0.base58Prefix == prefix && $0.scheme != .ethereum })
        else { throw refusal }
        return payload
    }

    /// Writes a contact, in one transaction with its entry of the log.
    ///
    /// - Parameters:
    ///   - contact: its name is trimmed; the time when it was added is that of the one it replaces, or now.
    ///   - old: the stored contact that it takes the place of; nil for a new one.
    /// - Returns: the contact as it is stored.
    /// - Throws: ``SignerError/contactNameInvalid``, ``SignerError/contactNameTaken(name:other:)``,
    ///   ``SignerError/contactExists(name:)`` where another contact has the account,
    ///   ``SignerError/contactAddressInvalid(_:)`` for what is no account,
    ///   ``SignerError/contactNotFound(_:)`` where the old one is not there any more, and
    ///   ``SignerError/commentTooLong(limit:)`` and ``SignerError/commentInvalid`` for the note.
    @discardableResult
    public func saveContact(_ contact: Contact, replacing old: Contact? = nil) throws -> Contact {
        let hex = Hex.encode(contact.accountID)
        guard contact.accountID.count == 32 || contact.accountID.count == 20 else {
            throw SignerError.contactAddressInvalid("0x" + hex)
        }
        try Self.checkComment(contact.note)
        return try database.write { trees in
            let others = try trees.contacts().filter { $0.accountID != old?.accountID }
            if let same = others.first(where: { $0.accountID == contact.accountID }) {
                throw SignerError.contactExists(name: same.name)
            }
            var stored = contact
            stored.name = try ContactName.checked(contact.name, besides: others)
            stored.networks = contact.networks.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            stored.added = Timestamp.text(now())
            if let old {
                guard let replaced = try trees.contact(old.accountID), replaced == old else {
                    throw SignerError.contactNotFound(old.name)
                }
                stored.added = replaced.added
                guard stored != replaced else { return replaced }
                try trees.remove(.contacts, old.accountID)
            }
            try trees.put(stored)
            let verb = old == nil ? "added" : "changed"
            try HistoryLog.append([.systemEntry("contact \(verb) \(stored.name) \(hex)")], at: now(), to: trees)
            return stored
        }
    }

    /// Removes a contact, in one transaction with its entry of the log.
    ///
    /// - Throws: ``SignerError/contactNotFound(_:)``.
    public func removeContact(_ accountID: [UInt8]) throws {
        try database.write { trees in
            let hex = Hex.encode(accountID)
            guard let contact = try trees.contact(accountID) else { throw SignerError.contactNotFound("0x" + hex) }
            try trees.remove(.contacts, accountID)
            try HistoryLog.append([.systemEntry("contact removed \(contact.name) \(hex)")], at: now(), to: trees)
        }
    }
}
