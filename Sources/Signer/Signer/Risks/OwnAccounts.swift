import Substrate

/// The accounts of the vault's keys, and of the person's contacts, in the form of one network.
struct OwnAccounts {
    /// First those of the vault, then those of contacts.
    private var addresses: [String] = []
    /// The names of contacts, in the order of their addresses.
    private var contactNames: [String] = []
    /// Positions of addresses by their first and by their last characters.
    private var fronts: [AddressEnd: [Int]] = [:]
    private var backs: [AddressEnd: [Int]] = [:]

    init(_ keys: [StoredKey], _ contacts: [Contact] = [], in network: NetworkSpecs) {
        // Ethereum addresses belong to networks of that kind, and to no other.
        let keys = keys.filter { ($0.details.scheme == .ethereum) == (network.scheme == .ethereum) }
        let known = contacts.compactMap { contact in contact.address(in: network).map { (contact.name, $0.text) } }
        self.init(keys.map { $0.address(in: network).text }, contacts: known)
    }

    init(_ own: [String], contacts: [(name: String, address: String)] = []) {
        addresses = own + contacts.map(\.address)
        contactNames = contacts.map(\.name)
        for (position, address) in addresses.enumerated() {
            let shape = AddressShape(address)
            fronts[shape.front, default: []].append(position)
            backs[shape.back, default: []].append(position)
        }
    }

    /// An address of the vault or of a contact, one that can be mistaken for one, or neither.
    enum Likeness {
        case own
        case contact(name: String)
        case lookalike(of: String)
        case contactLookalike(of: String, name: String)
        case unknown
    }

    /// The same accounts as a chain with another prefix writes them.
    func written(with prefix: UInt16) -> OwnAccounts {
        let written = addresses.map { Self.address($0, with: prefix) }
        let own = written.count - contactNames.count
        return OwnAccounts(
            Array(written.prefix(own)), contacts: zip(contactNames, written.dropFirst(own)).map { ($0, $1) })
    }

    /// The same account as a chain with another prefix writes it; as it is where it is none of SS58.
    fileprivate static func address(_ text: String, with prefix: UInt16) -> String {
        guard let account = try? SS58.decode(text) else { return text }
        return (try? SS58.encode(account.payload, prefix: prefix)) ?? text
    }

    func likeness(to account: AccountAddress) -> Likeness {
        guard !addresses.isEmpty else { return .unknown }
        let shape = AddressShape(account.text)
        let near = fronts[shape.front, default: []]
        if let known = near.first(where: { addresses[$0] == account.text || shape.isHex(like: addresses[$0]) }) {
            // An own one comes first.
            return contactName(known).map { .contact(name: $0) } ?? .own
        }
        let twin = (near + backs[shape.back, default: []]).first {
            shape.canBeMistaken(for: AddressShape(addresses[$0]))
        }
        guard let twin else { return .unknown }
        return contactName(twin).map { .contactLookalike(of: addresses[twin], name: $0) }
            ?? .lookalike(of: addresses[twin])
    }

    private func contactName(_ position: Int) -> String? {
        let own = addresses.count - contactNames.count
        return position < own ? nil : contactNames[position - own]
    }
}

extension OwnAccounts.Likeness {
    /// The same, with the known address in the form of another chain.
    func written(with prefix: UInt16) -> Self {
        switch self {
        case .lookalike(let own): .lookalike(of: OwnAccounts.address(own, with: prefix))
        case .contactLookalike(let known, let name):
            .contactLookalike(of: OwnAccounts.address(known, with: prefix), name: name)
        case .own, .contact, .unknown: self
        }
    }
}

/// Three characters at an end of an address, without regard to case.
private struct AddressEnd: Hashable {
    let bytes: UInt32
}

/// What people look at of an address: its ends.
///
/// Two addresses can be mistaken for each other where, without regard to case, they agree in eight characters at both
/// ends together, or in ten beside one other character at each end; at one end at least in the three outermost. Of two
/// random addresses of one network, whose first two characters its prefix all but decides, about five in 10⁹ do the
/// first and two in 10¹⁰ the second: seven or ten ways to divide the characters, 33 different letters and digits, six
/// or eight times.
private struct AddressShape {
    /// The address in lower case, without the `0x` of an address that has it.
    private let characters: [UInt8]
    private let isHex: Bool

    init(_ address: String) {
        isHex = address.hasPrefix("0x")
        characters = address.utf8.dropFirst(isHex ? 2 : 0).map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }
    }

    var front: AddressEnd { Self.end(characters.prefix(3)) }
    var back: AddressEnd { Self.end(characters.suffix(3)) }

    private static func end(_ characters: ArraySlice<UInt8>) -> AddressEnd {
        AddressEnd(bytes: characters.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Ethereum addresses are written in several cases.
    func isHex(like address: String) -> Bool {
        isHex && address.hasPrefix("0x") && characters == AddressShape(address).characters
    }

    func canBeMistaken(for other: AddressShape) -> Bool {
        let front = Self.agreement(characters, with: other.characters)
        let back = Self.agreement(characters.reversed(), with: other.characters.reversed())
        return front.exact + back.exact >= 8 || front.withOneOther + back.withOneOther >= 10
    }

    /// How many characters agree up to the first that does not, and up to the second.
    private static func agreement(
        _ left: some Collection<UInt8>, with right: some Collection<UInt8>
    ) -> (exact: Int, withOneOther: Int) {
        var agreeing = 0
        var exact: Int?
        for (a, b) in zip(left, right) {
            if a == b { agreeing += 1 } else if exact == nil { exact = agreeing } else { break }
        }
        return (exact ?? agreeing, agreeing)
    }
}
