import Signer
import Substrate
import TextForms

/// The contacts of the address book.
package struct AddressBookData: Sendable, Encodable {
    /// By name.
    package var contacts: [ContactView]
}

/// What the address book holds of one account.
package struct ContactView: Sendable, Encodable {
    /// An address in the form of a network.
    package struct Address: Sendable, Encodable {
        /// The network's title.
        package var network: String
        /// The address in Base58, uncut.
        package var address: String
    }

    /// The account id in hex, by which actions name it.
    package var account: String
    /// What a person calls the account.
    package var name: String
    /// What a person noted.
    package var note: String
    /// When it was added, in UTC.
    package var added: String
    /// How it came: `scanned`, `typed` or `imported`.
    package var origin: String
    /// The genesis of each network that it counts in, in hex; none for any.
    package var networks: [String]
    /// The titles of those of them that are in the vault, by genesis.
    package var networkTitles: [String: String]
    /// The whole address in the form of each network, and in that of none.
    package var addresses: [Address]

    init(_ contact: Contact, networks all: [NetworkSpecs]) {
        account = Hex.encode(contact.accountID)
        name = contact.name
        note = contact.note
        added = contact.added
        origin = "\(contact.origin)"
        networks = contact.networks.map(\.hex)
        networkTitles = Dictionary(
            all.filter { contact.networks.contains($0.genesisHash) }.map { ($0.genesisHash.hex, $0.title) }
        ) { first, _ in first }
        addresses = all.compactMap { network in
            contact.address(in: network).map { Address(network: network.title, address: $0.text) }
        }
        if let generic = contact.genericAddress { addresses.append(Address(network: "any", address: generic.text)) }
    }
}

/// A contact that is made or changed, and where it may count.
package struct ContactEditData: Sendable, Encodable {
    /// A network of the vault.
    package struct Network: Sendable, Encodable {
        /// In hex.
        package var genesis: String
        package var title: String
    }

    /// The one that is changed; nil for a new one.
    package var contact: ContactView?
    /// Each once, in the order of lists.
    package var networks: [Network]

    init(_ contact: ContactView?, networks all: [NetworkSpecs]) {
        self.contact = contact
        networks = all.reduce(into: []) { networks, specs in
            let network = Network(genesis: specs.genesisHash.hex, title: specs.title)
            if !networks.contains(where: { $0.genesis == network.genesis }) { networks.append(network) }
        }
    }
}
