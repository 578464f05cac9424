import TestSupport
import Testing

@testable import Gate

@Suite("Connections that wait")
struct WaitingRoomTests {
    private func key(_ number: UInt32) -> ClientKey { ClientKey(IPAddress(v4: number)) }

    @Test("where there is no room the one goes that was silent longest, of whom most are there")
    func fairness() throws {
        var room = WaitingRoom<Int>(capacity: 6, perClient: 4)
        let first = try #require(room.enter(0, from: key(1)).ticket)
        for guest in 1...3 { #expect(room.enter(guest, from: key(2)).dropped == nil) }
        for guest in 4...5 { #expect(room.enter(guest, from: key(3)).dropped == nil) }
        let dropped = try #require(room.enter(6, from: key(4)).dropped)
        #expect(dropped.guest == 1 && dropped.client == key(2) && dropped.reason == .total)
        #expect(room.contains(first) && room.count == 6)
        // Of equals, the one that was there first.
        #expect(room.enter(7, from: key(5)).dropped?.guest == 4)
    }

    @Test("who has spoken goes after those who have not, and who is being served does not go")
    func stages() throws {
        var room = WaitingRoom<Int>(capacity: 3, perClient: 3)
        let tickets = try (0..<3).map { try #require(room.enter($0, from: key(1)).ticket) }
        room.hear(tickets[0])
        room.serve(tickets[1])
        #expect(room.enter(3, from: key(1)).dropped?.guest == 2)
        #expect(room.enter(4, from: key(1)).dropped?.guest == 3)
        room.serve(tickets[0])
        let last = room.enter(5, from: key(1))
        #expect(last.dropped?.guest == 4)
        room.serve(try #require(last.ticket))
        let nobody = room.enter(6, from: key(2))
        #expect(nobody.ticket == nil && nobody.dropped == nil && room.count == 3)
        room.rest(tickets[1])
        #expect(room.enter(7, from: key(2)).dropped?.guest == 1)
    }

    @Test("a client's own limit counts before that of all, except where many stand behind it")
    func perClient() throws {
        var room = WaitingRoom<Int>(capacity: 10, perClient: 2)
        for guest in 0...1 { #expect(room.enter(guest, from: key(1)).dropped == nil) }
        let dropped = try #require(room.enter(2, from: key(1)).dropped)
        #expect(dropped.guest == 0 && dropped.reason == .perClient)
        for guest in 3...8 { #expect(room.enter(guest, from: key(9), isShared: true).dropped == nil) }
        let moved = try #require(room.enter(9, from: key(9), isShared: true).ticket)
        #expect(room.move(moved, to: key(1))?.guest == 1)
        #expect(room.count == 8)
    }

    @Test("a ticket names nothing once its guest has gone, whoever has the place now")
    func tickets() throws {
        var room = WaitingRoom<Int>(capacity: 1, perClient: 1)
        let first = try #require(room.enter(0, from: key(1)).ticket)
        let second = try #require(room.enter(1, from: key(2)).ticket)
        #expect(!room.contains(first) && !room.leave(first))
        room.serve(first)
        #expect(room.enter(2, from: key(3)).dropped?.guest == 1)
        #expect(!room.leave(second) && room.guests == [2])
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
        var room = WaitingRoom<Int>(capacity: 100, perClient: 2)
        for guest in 0..<50 {
            let address = try #require(IPAddress("2001:db8:0:7::\(guest + 1)"))
            _ = room.enter(guest, from: ClientKey(address))
        }
        #expect(room.count == 2)
    }

    /// The same in lists that are looked through from end to end.
    private struct Model {
        enum Stage: Int { case silent, speaking, served }
        struct Guest {
            let number: Int
            var client: UInt32
            var stage = Stage.silent
        }

        /// In the order in which they came to their stage.
        var guests: [Guest] = []
        /// In the order in which they came to their number of waiting guests.
        var clients: [(client: UInt32, waiting: Int)] = []

        mutating func recount(_ client: UInt32) {
            let waiting = guests.count { $0.client == client && $0.stage != .served }
            if clients.first(where: { $0.client == client })?.waiting == waiting { return }
            clients.removeAll { $0.client == client }
            if waiting > 0 { clients.append((client, waiting)) }
        }

        func oldest(of client: UInt32) -> Int? {
            let own = guests.filter { $0.client == client }
            return (own.first { $0.stage == .silent } ?? own.first { $0.stage == .speaking })?.number
        }

        func victim(for client: UInt32, capacity: Int, perClient: Int) -> (isOver: Bool, guest: Int?) {
            if guests.count(where: { $0.client == client }) >= perClient { return (true, oldest(of: client)) }
            guard guests.count >= capacity else { return (false, nil) }
            let most = clients.map(\.waiting).max()
            return (true, clients.first { $0.waiting == most }.flatMap { oldest(of: $0.client) })
        }

        mutating func remove(_ number: Int) {
            guard let index = guests.firstIndex(where: { $0.number == number }) else { return }
            recount(guests.remove(at: index).client)
        }

        mutating func change(_ number: Int, from stages: [Stage], to stage: Stage) {
            guard let index = guests.firstIndex(where: { $0.number == number }), stages.contains(guests[index].stage)
            else { return }
            var guest = guests.remove(at: index)
            guest.stage = stage
            guests.append(guest)
            recount(guest.client)
        }
    }

    @Test("a room is what plain lists are, whatever happens in it")
    func model() throws {
        var random = SplitMix64(state: 11)
        var room = WaitingRoom<Int>(capacity: 12, perClient: 5)
        var model = Model()
        var tickets: [Int: WaitingRoom<Int>.Ticket] = [:]
        for number in 0..<4_000 {
            let client = UInt32.random(in: 1...6, using: &random)
            let known = tickets.keys.sorted().randomElement(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let (isOver, victim) = model.victim(for: client, capacity: 12, perClient: 5)
                let arrival = room.enter(number, from: key(client))
                try #require(arrival.dropped?.guest == victim)
                try #require((arrival.ticket == nil) == (isOver && victim == nil))
                if let victim { model.remove(victim) }
                guard let ticket = arrival.ticket else { continue }
                tickets[number] = ticket
                model.guests.append(Model.Guest(number: number, client: client))
                model.recount(client)
            case 3:
                guard let known, let ticket = tickets[known] else { continue }
                room.hear(ticket)
                model.change(known, from: [.silent], to: .speaking)
            case 4:
                guard let known, let ticket = tickets[known] else { continue }
                room.serve(ticket)
                model.change(known, from: [.silent, .speaking], to: .served)
            case 5:
                guard let known, let ticket = tickets[known] else { continue }
                room.rest(ticket)
                model.change(known, from: [.served], to: .silent)
            default:
                guard let known, let ticket = tickets.removeValue(forKey: known) else { continue }
                try #require(room.leave(ticket) == model.guests.contains { $0.number == known })
                model.remove(known)
            }
            try #require(room.count == model.guests.count && Set(room.guests) == Set(model.guests.map(\.number)))
        }
    }
}
