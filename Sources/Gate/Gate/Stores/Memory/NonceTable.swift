internal import Scheduling

/// Nonces with the times when they expire, at most so many: a name index, a heap by expiry, and a list for each client.
///
/// All work is at most logarithmic in the number of nonces. A nonce takes 64 bytes, a client 32, and their places in
/// the indices 4 to 11 bytes each: together about 1 MB for 10,000 nonces of as many clients. The room is set aside at
/// once, and becomes memory that is really used with the nonces.
struct NonceTable: Sendable {
    /// The nonce as four words.
    struct Name: Equatable, Sendable {
        private let words: (UInt64, UInt64, UInt64, UInt64)

        /// Returns nil unless there are 32 bytes.
        init?(_ nonce: [UInt8]) {
            guard nonce.count == 32 else { return nil }
            words = nonce.withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }
        }

        /// Nonces that are kept end with random bytes or a MAC: nobody outside chooses them.
        var hash: UInt64 { words.3 }

        static func == (one: Name, other: Name) -> Bool { one.words == other.words }
    }

    private struct Entry {
        var name: Name
        /// Number of the client; or, of an entry that is free, the next free one.
        var client: UInt32
        /// Neighbours in the list of the client.
        var older, newer: UInt32
        /// The place of the entry's deadline in the heap.
        var place: Int32
    }

    private struct Deadline: PlacedHeapMember {
        var expiresAt: Timestamp
        var entry: UInt32

        func isBefore(_ other: Deadline) -> Bool { expiresAt < other.expiresAt }

        func settle(at place: Int, in entries: inout [Entry]) { entries[Int(entry)].place = Int32(place) }
    }

    private static let none = UInt32.max

    let capacity: Int
    private var index: ProbeTable
    private var entries: [Entry] = []
    private var free = none
    /// The nonce that expires first is on top.
    private var heap = PlacedHeap<Deadline>()
    private var clients: ClientTable

    /// - Parameter clientLimit: nonces of one client.
    init(capacity: Int, clientLimit: Int, seed: (UInt64, UInt64)) {
        self.capacity = max(1, capacity)
        index = ProbeTable(capacity: self.capacity)
        entries.reserveCapacity(self.capacity)
        heap.reserveCapacity(self.capacity)
        clients = ClientTable(capacity: self.capacity, limit: max(1, clientLimit), seed: seed)
    }

    var count: Int { heap.count }

    func contains(_ name: Name) -> Bool { find(name) != nil }

    /// Whether a further nonce of this client takes the place of one of its own.
    func isFull(of client: ClientKey) -> Bool { clients.oldestIfFull(client) != nil }

    /// Keeps a nonce. Where there are too many, first removes the client's oldest, else the one that expires first of
    /// all.
    ///
    /// - Parameter name: not in the table.
    mutating func insert(_ name: Name, expiresAt: Timestamp, client: ClientKey) {
        if let oldest = clients.oldestIfFull(client) {
            remove(oldest)
        } else if count == capacity {
            remove(heap[0].entry)
        }
        let number = clients.number(for: client)
        let entry = Entry(name: name, client: number, older: clients.newest(number), newer: Self.none, place: 0)
        let new = allocate(entry)
        if entry.older != Self.none { entries[Int(entry.older)].newer = new }
        clients.append(new, to: number)
        index.insert(new, hash: name.hash)
        heap.add(Deadline(expiresAt: expiresAt, entry: new), in: &entries)
    }

    /// Removes a nonce and returns when it expires, or expired.
    mutating func take(_ name: Name) -> Timestamp? {
        guard let entry = find(name) else { return nil }
        let expiry = heap[Int(entries[Int(entry)].place)].expiresAt
        remove(entry)
        return expiry
    }

    /// Removes all that expired at that time or before.
    mutating func removeExpired(at now: Timestamp) {
        while let first = heap.first, first.expiresAt <= now { remove(first.entry) }
    }

    private func find(_ name: Name) -> UInt32? { index.find(name.hash) { entries[Int($0)].name == name } }

    private mutating func allocate(_ entry: Entry) -> UInt32 {
        guard free != Self.none else {
            entries.append(entry)
            return UInt32(entries.count - 1)
        }
        let number = free
        free = entries[Int(number)].client
        entries[Int(number)] = entry
        return number
    }

    private mutating func remove(_ number: UInt32) {
        let entry = entries[Int(number)]
        index.remove(number, hash: entry.name.hash) { [entries] in entries[Int($0)].name.hash }
        heap.remove(at: Int(entry.place), in: &entries)
        if entry.older != Self.none { entries[Int(entry.older)].newer = entry.newer }
        if entry.newer != Self.none { entries[Int(entry.newer)].older = entry.older }
        clients.remove(number, of: entry.client, older: entry.older, newer: entry.newer)
        entries[Int(number)].client = free
        free = number
    }
}
