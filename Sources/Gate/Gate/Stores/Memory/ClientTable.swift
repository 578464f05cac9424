/// How many nonces each client has, and which is its oldest. The entries of a client form a list, whose links are the
/// caller's.
struct ClientTable: Sendable {
    private struct Client {
        var key: ClientKey
        var count: UInt32
        /// Ends of its list; of a client that is free, `oldest` is the next free one.
        var oldest, newest: UInt32
    }

    private static let none = UInt32.max

    private let limit: Int
    private let seed: (UInt64, UInt64)
    private var index: ProbeTable
    private var clients: [Client] = []
    private var free = none

    /// - Parameters:
    ///   - limit: entries of one client.
    ///   - seed: random, so that nobody can choose addresses that meet in the index.
    init(capacity: Int, limit: Int, seed: (UInt64, UInt64)) {
        index = ProbeTable(capacity: capacity)
        clients.reserveCapacity(capacity)
        self.limit = limit
        self.seed = seed
    }

    /// The oldest entry of a client that has as many as it may.
    func oldestIfFull(_ key: ClientKey) -> UInt32? {
        guard let number = find(key), clients[Int(number)].count >= limit else { return nil }
        return clients[Int(number)].oldest
    }

    /// The number of a client; a new one has no entries, and must get one.
    mutating func number(for key: ClientKey) -> UInt32 {
        if let number = find(key) { return number }
        let new = Client(key: key, count: 0, oldest: Self.none, newest: Self.none)
        let number: UInt32
        if free == Self.none {
            number = UInt32(clients.count)
            clients.append(new)
        } else {
            number = free
            free = clients[Int(number)].oldest
            clients[Int(number)] = new
        }
        index.insert(number, hash: hash(key))
        return number
    }

    func newest(_ number: UInt32) -> UInt32 { clients[Int(number)].newest }

    mutating func append(_ entry: UInt32, to number: UInt32) {
        if clients[Int(number)].count == 0 { clients[Int(number)].oldest = entry }
        clients[Int(number)].newest = entry
        clients[Int(number)].count += 1
    }

    /// - Parameters:
    ///   - older, newer: the neighbours of the entry in the list.
    mutating func remove(_ entry: UInt32, of number: UInt32, older: UInt32, newer: UInt32) {
        clients[Int(number)].count -= 1
        if clients[Int(number)].oldest == entry { clients[Int(number)].oldest = newer }
        if clients[Int(number)].newest == entry { clients[Int(number)].newest = older }
        guard clients[Int(number)].count == 0 else { return }
        index.remove(number, hash: hash(clients[Int(number)].key)) { [clients, seed] other in
            Self.hash(clients[Int(other)].key, seed)
        }
        clients[Int(number)].oldest = free
        free = number
    }

    private func find(_ key: ClientKey) -> UInt32? { index.find(hash(key)) { clients[Int($0)].key == key } }

    private func hash(_ key: ClientKey) -> UInt64 { Self.hash(key, seed) }

    private static func hash(_ key: ClientKey, _ seed: (UInt64, UInt64)) -> UInt64 {
        let product = (key.high ^ seed.0).multipliedFullWidth(by: key.low ^ seed.1)
        let folded = product.high ^ product.low
        let again = (folded ^ seed.1).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return again.high ^ again.low
    }
}
