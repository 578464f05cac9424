/// The contacts.
package struct AddressBookData: Sendable, Encodable {
    /// By name.
    package var contacts: [ContactView]
}

/// A contact.
package struct ContactView: Sendable, Encodable {
    /// The account id in hex, by which actions name it.
    package var account: String
    /// The name.
    package var name: String
    /// What a person noted.
    package var note: String
    /// When it was added.
    package var added: String
    /// How it came.
    package var origin: String
    /// The whole address in the form of each network.
    package var addresses: [Address]

    /// An address in the form of a network.
    package struct Address: Sendable, Encodable {
        /// The network's title.
        package var network: String
        /// The whole address.
        package var address: String
    }
}
