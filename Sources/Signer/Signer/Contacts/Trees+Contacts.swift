import Substrate

extension Trees {
    /// All contacts, by their names; what is read is compared with the inventory.
    func contacts() throws -> [Contact] {
        guard has(.contacts) else { return [] }
        try check([.contacts])
        return try pairs(.contacts).map { try contact($0.key, value: $0.value) }.sorted { $0.name < $1.name }
    }

    func contact(_ accountID: [UInt8]) throws -> Contact? {
        try value(.contacts, accountID).map { try contact(accountID, value: $0) }
    }

    private func contact(_ key: [UInt8], value: [UInt8]) throws -> Contact {
        let details = try decode(ContactDetails.self, .contacts, key: key, value: value)
        guard key.count == 32 || key.count == 20 else {
            throw SignerError.databaseDamaged(.row(tree: Tree.contacts.rawValue, key: hexText(key)))
        }
        var contact = Contact(
            accountID: key, name: details.name, networks: details.networks, note: details.note, origin: details.origin)
        contact.added = details.added
        return contact
    }
}

extension MutableTrees {
    func put(_ contact: Contact) throws {
        try put(.contacts, key: contact.accountID, value: ContactDetails(contact).scaleEncoded)
    }
}
