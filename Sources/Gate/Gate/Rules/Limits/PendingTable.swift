/// Connections on which nobody has been let in yet, so many at most. Where there are too many, the one goes that has
/// been silent for the longest time, of the client that has most of them.
///
/// So a client that opens connections without end pushes out its own, and those of others stay. Each change takes the
/// same time however many there are, and no memory beyond what was set aside at the beginning.
///
/// Source: `appattest-gate` section 3.7.
struct PendingTable<Connection: Sendable>: Sendable {
    /// Names the place of one connection. When that has gone it names nothing any more.
    struct Ticket: Equatable, Sendable {
        fileprivate let place: Int32
        fileprivate let generation: UInt32
    }

    /// What came of a connection's arrival.
    struct Arrival: Sendable {
        /// The newcomer's ticket; nil where it has to go, because everybody who was there before is being served.
        let ticket: Ticket?
        /// Who has to go in its place, and why.
        let dropped: (connection: Connection, client: ClientKey, reason: DropReason)?
    }

    /// How far a connection has come. One that is being served never has to go.
    private enum Stage: Sendable { case silent, speaking, served }

    private struct Place: Sendable {
        var connection: Connection?
        var client: Int32 = -1
        var generation: UInt32 = 0
        var stage = Stage.silent
        /// Neighbours in the list of the client and the stage. Of a free place, `newer` is the next free one.
        var older: Int32 = -1
        var newer: Int32 = -1
    }

    /// The oldest and the newest member of a list.
    private struct Ends: Sendable {
        var oldest: Int32 = -1
        var newest: Int32 = -1
    }

    private struct Client: Sendable {
        var key: ClientKey
        var silent = Ends()
        var speaking = Ends()
        /// The number of connections that are silent or speaking.
        var waiting: Int32 = 0
        var all: Int32 = 0
        /// Neighbours among the clients with as many waiting connections. Of a free number, `newer` is the next free
        /// one.
        var older: Int32 = -1
        var newer: Int32 = -1
    }

    private static var none: Int32 { -1 }

    let capacity: Int
    let perClient: Int
    private(set) var count = 0
    private var places: [Place]
    private var freePlace: Int32 = 0
    private var clients: [Client]
    private var freeClient: Int32 = 0
    private var numbers: [ClientKey: Int32] = [:]
    /// Clients by how many of their connections wait; those that came to that number first stand first.
    private var ranks: [Ends]
    /// The highest rank that is not empty, or 0.
    private var highest = 0

    /// - Parameters:
    ///   - capacity: of all connections together, from 1 to 1,000,000.
    ///   - perClient: of one client, at least 1.
    init(capacity: Int, perClient: Int) {
        precondition(1...1_000_000 ~= capacity && perClient >= 1)
        self.capacity = capacity
        self.perClient = perClient
        places = (0..<Int32(capacity)).map { Place(newer: $0 + 1 < capacity ? $0 + 1 : -1) }
        let nobody = ClientKey(high: 0, low: 0)
        clients = (0..<Int32(capacity)).map { Client(key: nobody, newer: $0 + 1 < capacity ? $0 + 1 : -1) }
        ranks = Array(repeating: Ends(), count: capacity + 1)
        numbers.reserveCapacity(capacity)
    }

    /// All connections that are there.
    var connections: [Connection] { places.compactMap(\.connection) }

    // MARK: Comings and goings

    /// Takes a connection in, which is silent so far.
    ///
    /// - Parameter isShared: whether many stand behind this client, as behind a proxy: then it has no limit of its own.
    mutating func enter(_ connection: Connection, from key: ClientKey, isShared: Bool = false) -> Arrival {
        var dropped: (connection: Connection, client: ClientKey, reason: DropReason)?
        if !isShared, let own = numbers[key], Int(clients[Int(own)].all) >= perClient {
            guard let victim = oldest(of: own) else { return Arrival(ticket: nil, dropped: nil) }
            dropped = drop(victim, .perClient)
        } else if freePlace == Self.none {
            guard highest > 0, let victim = oldest(of: ranks[highest].oldest) else {
                return Arrival(ticket: nil, dropped: nil)
            }
            dropped = drop(victim, .total)
        }
        let place = freePlace
        freePlace = places[Int(place)].newer
        count += 1
        places[Int(place)].connection = connection
        places[Int(place)].stage = .silent
        settle(place, with: number(of: key))
        return Arrival(ticket: Ticket(place: place, generation: places[Int(place)].generation), dropped: dropped)
    }

    /// Whether the connection has not gone.
    func contains(_ ticket: Ticket) -> Bool { places[Int(ticket.place)].generation == ticket.generation }

    /// Notes that the first bytes of a request have come.
    mutating func noteActivity(of ticket: Ticket) { change(ticket, from: .silent, to: .speaking) }

    /// Notes that the gate works for a connection: until ``endService(of:)`` it is not the one that makes others wait.
    mutating func beginService(of ticket: Ticket) {
        change(ticket, from: .silent, to: .served)
        change(ticket, from: .speaking, to: .served)
    }

    /// Notes that a connection has its answer, and is silent from now on.
    mutating func endService(of ticket: Ticket) { change(ticket, from: .served, to: .silent) }

    /// Lets a connection go.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard contains(ticket) else { return false }
        free(ticket.place)
        return true
    }

    /// Counts a connection for another client from now on, as a proxy tells.
    ///
    /// - Returns: who has to go because that client has too many now.
    mutating func move(
        _ ticket: Ticket, to key: ClientKey
    ) -> (connection: Connection, client: ClientKey, reason: DropReason)? {
        guard contains(ticket) else { return nil }
        let place = ticket.place
        unsettle(place)
        let client = number(of: key)
        let victim = Int(clients[Int(client)].all) >= perClient ? oldest(of: client) : nil
        settle(place, with: client)
        return victim.map { drop($0, .perClient) }
    }

    private mutating func change(_ ticket: Ticket, from old: Stage, to new: Stage) {
        let place = Int(ticket.place)
        guard contains(ticket), places[place].stage == old else { return }
        let client = Int(places[place].client)
        if old != .served { unlink(ticket.place) }
        places[place].stage = new
        if new != .served { link(ticket.place) }
        let difference: Int32 = (new == .served ? 0 : 1) - (old == .served ? 0 : 1)
        rank(Int32(client), by: difference)
    }

    /// The oldest connection that can go: the silent before the speaking.
    private func oldest(of client: Int32) -> Int32? {
        let client = clients[Int(client)]
        let place = client.silent.oldest != Self.none ? client.silent.oldest : client.speaking.oldest
        return place == Self.none ? nil : place
    }

    private mutating func drop(
        _ place: Int32, _ reason: DropReason
    ) -> (connection: Connection, client: ClientKey, reason: DropReason) {
        guard let connection = places[Int(place)].connection else {
            preconditionFailure("a place in a list has a connection")
        }
        let key = clients[Int(places[Int(place)].client)].key
        free(place)
        return (connection, key, reason)
    }

    private mutating func free(_ place: Int32) {
        unsettle(place)
        places[Int(place)].connection = nil
        places[Int(place)].generation &+= 1
        places[Int(place)].newer = freePlace
        freePlace = place
        count -= 1
    }

    // MARK: Lists

    /// The number of a client, which is a new one where it has no connections.
    private mutating func number(of key: ClientKey) -> Int32 {
        if let number = numbers[key] { return number }
        let number = freeClient
        freeClient = clients[Int(number)].newer
        clients[Int(number)] = Client(key: key)
        numbers[key] = number
        return number
    }

    private mutating func settle(_ place: Int32, with client: Int32) {
        places[Int(place)].client = client
        if places[Int(place)].stage == .served {
            clients[Int(client)].all += 1
            return
        }
        link(place)
        clients[Int(client)].all += 1
        rank(client, by: 1)
    }

    private mutating func unsettle(_ place: Int32) {
        let client = places[Int(place)].client
        if places[Int(place)].stage != .served {
            unlink(place)
            rank(client, by: -1)
        }
        clients[Int(client)].all -= 1
        guard clients[Int(client)].all == 0 else { return }
        numbers[clients[Int(client)].key] = nil
        clients[Int(client)].newer = freeClient
        freeClient = client
    }

    private mutating func link(_ place: Int32) {
        let client = Int(places[Int(place)].client)
        let isSilent = places[Int(place)].stage == .silent
        let newest = isSilent ? clients[client].silent.newest : clients[client].speaking.newest
        places[Int(place)].older = newest
        places[Int(place)].newer = Self.none
        if newest != Self.none { places[Int(newest)].newer = place }
        func append(_ ends: inout Ends) {
            if newest == Self.none { ends.oldest = place }
            ends.newest = place
        }
        if isSilent { append(&clients[client].silent) } else { append(&clients[client].speaking) }
    }

    private mutating func unlink(_ place: Int32) {
        let (older, newer) = (places[Int(place)].older, places[Int(place)].newer)
        if older != Self.none { places[Int(older)].newer = newer }
        if newer != Self.none { places[Int(newer)].older = older }
        func remove(_ ends: inout Ends) {
            if older == Self.none { ends.oldest = newer }
            if newer == Self.none { ends.newest = older }
        }
        let client = Int(places[Int(place)].client)
        if places[Int(place)].stage == .silent {
            remove(&clients[client].silent)
        } else {
            remove(&clients[client].speaking)
        }
    }

    /// Moves a client to the rank of its waiting connections; ranks are one connection apart.
    private mutating func rank(_ client: Int32, by difference: Int32) {
        guard difference != 0 else { return }
        let old = Int(clients[Int(client)].waiting)
        let new = old + Int(difference)
        clients[Int(client)].waiting = Int32(new)
        if old > 0 {
            let (older, newer) = (clients[Int(client)].older, clients[Int(client)].newer)
            if older == Self.none { ranks[old].oldest = newer } else { clients[Int(older)].newer = newer }
            if newer == Self.none { ranks[old].newest = older } else { clients[Int(newer)].older = older }
        }
        if new > 0 {
            let newest = ranks[new].newest
            clients[Int(client)].older = newest
            clients[Int(client)].newer = Self.none
            if newest == Self.none { ranks[new].oldest = client } else { clients[Int(newest)].newer = client }
            ranks[new].newest = client
        }
        if new > highest {
            highest = new
        } else if old == highest, ranks[old].oldest == Self.none {
            highest = new
        }
    }
}

/// Why a connection had to go before anybody was let in on it.
enum DropReason: Int, CaseIterable, MetricLabel {
    /// Too many connections wait in all.
    case total
    /// Too many connections of this address wait.
    case perClient
    /// Too many connections of this address were cut lately.
    case rate

    static let labelName = "reason"
    static var texts: [String] { allCases.map { "\($0)" } }
}
