import TestSupport
import Testing

@testable import Gate

@Suite("Connections that wait")
struct PendingTableTests {
    private func key(_ number: UInt32) -> ClientKey { ClientKey(IPAddress(v4: number)) }

    @Test("where the table is full the one goes that was silent longest, of whom most are there")
    func fairness() throws {
        var table = PendingTable<Int>(capacity: 6, perClient: 4)
        let first = try #require(table.enter(0, from: key(1)).ticket)
        for connection in 1...3 { #expect(table.enter(connection, from: key(2)).dropped == nil) }
        for connection in 4...5 { #expect(table.enter(connection, from: key(3)).dropped == nil) }
        let dropped = try #require(table.enter(6, from: key(4)).dropped)
        #expect(dropped.connection == 1 && dropped.client == key(2) && dropped.reason == .total)
        #expect(table.contains(first) && table.count == 6)
        // Of equals, the one that was there first.
        #expect(table.enter(7, from: key(5)).dropped?.connection == 4)
    }

    @Test("who has spoken goes after those who have not, and who is being served does not go")
    func stages() throws {
        var table = PendingTable<Int>(capacity: 3, perClient: 3)
        let tickets = try (0..<3).map { try #require(table.enter($0, from: key(1)).ticket) }
        table.noteActivity(of: tickets[0])
        table.beginService(of: tickets[1])
        #expect(table.enter(3, from: key(1)).dropped?.connection == 2)
        #expect(table.enter(4, from: key(1)).dropped?.connection == 3)
        table.beginService(of: tickets[0])
        let last = table.enter(5, from: key(1))
        #expect(last.dropped?.connection == 4)
        table.beginService(of: try #require(last.ticket))
        let nobody = table.enter(6, from: key(2))
        #expect(nobody.ticket == nil && nobody.dropped == nil && table.count == 3)
        table.endService(of: tickets[1])
        #expect(table.enter(7, from: key(2)).dropped?.connection == 1)
    }

    @Test("a client's own limit counts before that of all, except where many stand behind it")
    func perClient() throws {
        var table = PendingTable<Int>(capacity: 10, perClient: 2)
        for connection in 0...1 { #expect(table.enter(connection, from: key(1)).dropped == nil) }
        let dropped = try #require(table.enter(2, from: key(1)).dropped)
        #expect(dropped.connection == 0 && dropped.reason == .perClient)
        for connection in 3...8 { #expect(table.enter(connection, from: key(9), isShared: true).dropped == nil) }
        let moved = try #require(table.enter(9, from: key(9), isShared: true).ticket)
        #expect(table.move(moved, to: key(1))?.connection == 1)
        #expect(table.count == 8)
    }

    @Test("a ticket names nothing once its connection has gone, whoever has the place now")
    func tickets() throws {
        var table = PendingTable<Int>(capacity: 1, perClient: 1)
        let first = try #require(table.enter(0, from: key(1)).ticket)
        let second = try #require(table.enter(1, from: key(2)).ticket)
        #expect(!table.contains(first) && !table.leave(first))
        table.beginService(of: first)
        #expect(table.enter(2, from: key(3)).dropped?.connection == 1)
        #expect(!table.leave(second) && table.connections == [2])
    }

    @Test("a client may come so often at once and then so often a second, and others as often")
    func allowances() {
        var table = AllowanceTable(burst: 3, perSecond: 2)
        let second: UInt64 = 1_000_000_000
        let asked: [(client: UInt32, at: UInt64)] = [
            (1, 5 * second), (1, 5 * second), (1, 5 * second), (1, 5 * second), (2, 5 * second),
            (1, 5 * second + second / 2 - 1), (1, 5 * second + second / 2), (1, 0), (1, 6 * second),
            (1, .max / 2), (1, .max / 2), (1, .max / 2), (1, .max / 2),
        ]
        let isUntouched = (0..<9).map { _ in table.has(key(3), at: 0) }
        #expect(!isUntouched.contains(false))
        let answers = asked.map { table.take(key($0.client), at: $0.at) }
        #expect(
            answers == [
                true, true, true, false, true, false, true, false, true, true, true, true, false,
            ])
    }

    @Test("addresses of one IPv6 network are one client")
    func prefixes() throws {
        var table = PendingTable<Int>(capacity: 100, perClient: 2)
        for connection in 0..<50 {
            let address = try #require(IPAddress("2001:db8:0:7::\(connection + 1)"))
            _ = table.enter(connection, from: ClientKey(address))
        }
        #expect(table.count == 2)
    }

    /// The same in lists that are looked through from end to end.
    private struct Model {
        enum Stage: Int { case silent, speaking, served }
        struct Entry {
            let number: Int
            var client: UInt32
            var stage = Stage.silent
        }

        /// In the order in which they came to their stage.
        var entries: [Entry] = []
        /// In the order in which they came to their number of waiting connections.
        var clients: [(client: UInt32, waiting: Int)] = []

        mutating func recount(_ client: UInt32) {
            let waiting = entries.count { $0.client == client && $0.stage != .served }
            if clients.first(where: { $0.client == client })?.waiting == waiting { return }
            clients.removeAll { $0.client == client }
            if waiting > 0 { clients.append((client, waiting)) }
        }

        func oldest(of client: UInt32) -> Int? {
            let own = entries.filter { $0.client == client }
            return (own.first { $0.stage == .silent } ?? own.first { $0.stage == .speaking })?.number
        }

        func victim(for client: UInt32, capacity: Int, perClient: Int) -> (isOver: Bool, connection: Int?) {
            if entries.count(where: { $0.client == client }) >= perClient { return (true, oldest(of: client)) }
            guard entries.count >= capacity else { return (false, nil) }
            let most = clients.map(\.waiting).max()
            return (true, clients.first { $0.waiting == most }.flatMap { oldest(of: $0.client) })
        }

        mutating func remove(_ number: Int) {
            guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
            recount(entries.remove(at: index).client)
        }

        mutating func change(_ number: Int, from stages: [Stage], to stage: Stage) {
            guard let index = entries.firstIndex(where: { $0.number == number }), stages.contains(entries[index].stage)
            else { return }
            var connection = entries.remove(at: index)
            connection.stage = stage
            entries.append(connection)
            recount(connection.client)
        }
    }

    @Test("a table is what plain lists are, whatever happens in it")
    func model() throws {
        var random = SplitMix64(state: 11)
        var table = PendingTable<Int>(capacity: 12, perClient: 5)
        var model = Model()
        var tickets: [Int: PendingTable<Int>.Ticket] = [:]
        for number in 0..<4_000 {
            let client = UInt32.random(in: 1...6, using: &random)
            let known = tickets.keys.sorted().randomElement(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let (isOver, victim) = model.victim(for: client, capacity: 12, perClient: 5)
                let arrival = table.enter(number, from: key(client))
                try #require(arrival.dropped?.connection == victim)
                try #require((arrival.ticket == nil) == (isOver && victim == nil))
                if let victim { model.remove(victim) }
                guard let ticket = arrival.ticket else { continue }
                tickets[number] = ticket
                model.entries.append(Model.Entry(number: number, client: client))
                model.recount(client)
            case 3:
                guard let known, let ticket = tickets[known] else { continue }
                table.noteActivity(of: ticket)
                model.change(known, from: [.silent], to: .speaking)
            case 4:
                guard let known, let ticket = tickets[known] else { continue }
                table.beginService(of: ticket)
                model.change(known, from: [.silent, .speaking], to: .served)
            case 5:
                guard let known, let ticket = tickets[known] else { continue }
                table.endService(of: ticket)
                model.change(known, from: [.served], to: .silent)
            default:
                guard let known, let ticket = tickets.removeValue(forKey: known) else { continue }
                try #require(table.leave(ticket) == model.entries.contains { $0.number == known })
                model.remove(known)
            }
            try #require(
                table.count == model.entries.count && Set(table.connections) == Set(model.entries.map(\.number)))
        }
    }
}
