import ForceFieldWire
import TestSupport
import Testing

@testable import ForceField

/// The known answers in the folder beside this file.
enum Fixture {
    static let folder = packageRoot.appending(path: "Tests/Trust/ForceFieldTests/Fixtures")

    static func known(_ name: String) -> JSON { (try? JSON(contentsOf: folder.appending(path: name))) ?? .null }
}

/// Times of a test's own clock, from its beginning.
enum TestClock {
    static let start = ContinuousClock.now

    static func at(_ time: Duration) -> ContinuousClock.Instant { start + time }
}

extension ChannelTerms {
    /// For a worker with interface 7, two requests at a time and the host call `net.connect`.
    static var test: ChannelTerms {
        var terms = ChannelTerms(interfaceHash: 7)
        terms.maxInFlight = 2
        terms.capabilities = [MethodID(name: "net.connect")]
        return terms
    }
}

extension Frame {
    static let testHello = Frame.hello(Hello(role: .linked, interfaceHash: 7, maxFrame: 16 << 20, maxInFlight: 2))
}

extension WorkerConversation {
    /// A conversation after HELLO.
    static func serving(_ terms: ChannelTerms = .test) throws -> WorkerConversation {
        var host = WorkerConversation(terms)
        _ = try host.receive(.testHello)
        return host
    }

    mutating func receive(_ frames: Frame..., at time: Duration = .zero) throws -> [WorkerEvent] {
        try receive(frames.flatMap(\.bytes), at: time)
    }

    /// - Parameter piece: bytes that arrive at a time.
    mutating func receive(_ bytes: [UInt8], piece: Int = .max, at time: Duration = .zero) throws -> [WorkerEvent] {
        var (events, rest) = ([WorkerEvent](), bytes[...])
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(
                fill(at: TestClock.at(time)) { room in
                    room.copyBytes(from: part.prefix(room.count))
                    return min(part.count, room.count)
                })
            while let event = try next(at: TestClock.at(time)) { events.append(event) }
        }
        return events
    }
}
