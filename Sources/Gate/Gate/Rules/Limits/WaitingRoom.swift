/// Connections on which nobody has been let in yet, so many at most. Where there are too many, the one goes that has
/// been silent for the longest time, of the client that has most of them.
///
/// So a client that opens connections without end pushes out its own, and those of others stay. Each change takes the
/// same time however many there are, and no memory beyond what was set aside at the beginning.
///
/// Source: `appattest-gate` section 3.7.
struct WaitingRoom<Guest: Sendable>: Sendable {
    /// Names the place of one guest. When the guest has gone it names nothing any more.
    struct Ticket: Equatable, Sendable {
        fileprivate let place: Int32
        fileprivate let generation: UInt32
    }

    /// What came of a guest's arrival.
    struct Arrival: Sendable {
        /// The newcomer's ticket; nil where it has to go, because everybody who was there before is being served.
        let ticket: Ticket?
        /// Who has to go in its place, and why.
        let dropped: (guest: Guest, client: ClientKey, reason: DropReason)?
    }

    /// How much a guest has said. Who is being served never has to go.
    private enum Stage: Sendable { case silent, speaking, served }

    private struct Place: Sendable {
        var guest: Guest?
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
        /// The number of guests that are silent or speaking.
        var waiting: Int32 = 0
        var all: Int32 = 0
        /// Neighbours among the clients with as many waiting guests. Of a free number, `newer` is the next free one.
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
    /// Clients by how many of their guests wait; those that came to that number first stand first.
    private var ranks: [Ends]
    /// The highest rank that is not empty, or 0.
    private var highest = 0

    /// - Parameters:
    ///   - capacity: of all guests together, from 1 to 1,000,000.
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

    /// All guests that are there.
    var guests: [Guest] { places.compactMap(\.guest) }

    // MARK: Comings and goings

    /// Takes a guest in, who is silent so far.
    ///
    /// - Parameter isShared: whether many stand behind this client, as behind a proxy: then it has no limit of its own.
    mutating func enter(_ guest: Guest, from key: ClientKey, isShared: Bool = false) -> Arrival {
        var dropped: (guest: Guest, client: ClientKey, reason: DropReason)?
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
        places[Int(place)].guest = guest
        places[Int(place)].stage = .silent
        settle(place, with: number(of: key))
        return Arrival(ticket: Ticket(place: place, generation: places[Int(place)].generation), dropped: dropped)
    }

    /// Whether the guest has not gone.
    func contains(_ ticket: Ticket) -> Bool { places[Int(ticket.place)].generation == ticket.generation }

    /// Notes that a guest has begun to speak.
    mutating func hear(_ ticket: Ticket) { change(ticket, from: .silent, to: .speaking) }

    /// Notes that a guest is waited on: until ``rest(_:)`` it is not the one that makes others wait.
    mutating func serve(_ ticket: Ticket) {
        change(ticket, from: .silent, to: .served)
        change(ticket, from: .speaking, to: .served)
    }

    /// Notes that a guest has had what it wanted, and is silent from now on.
    mutating func rest(_ ticket: Ticket) { change(ticket, from: .served, to: .silent) }

    /// Lets a guest go.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard contains(ticket) else { return false }
        free(ticket.place)
        return true
    }

    /// Counts a guest for another client from now on, as a proxy tells.
    ///
    /// - Returns: who has to go because that client has too many now.
    mutating func move(
        _ ticket: Ticket, to key: ClientKey
    ) -> (guest: Guest, client: ClientKey, reason: DropReason)? {
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
    ) -> (guest: Guest, client: ClientKey, reason: DropReason) {
        guard let guest = places[Int(place)].guest else { preconditionFailure("a place in a list has a guest") }
        let key = clients[Int(places[Int(place)].client)].key
        free(place)
        return (guest, key, reason)
    }

    private mutating func free(_ place: Int32) {
        unsettle(place)
        places[Int(place)].guest = nil
        places[Int(place)].generation &+= 1
        places[Int(place)].newer = freePlace
        freePlace = place
        count -= 1
    }

    // MARK: Lists

    /// The number of a client, which is a new one where it has no guests.
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

    /// Moves a client to the rank of its waiting guests; ranks are one guest apart.
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
