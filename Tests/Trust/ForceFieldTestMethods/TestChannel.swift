import ForceFieldWire
import Scheduling

/// Times of a test's own clock, from its beginning.
package enum TestClock {
    package static let start = SteadyInstant.now

    package static func at(_ time: Duration) -> SteadyInstant { start + time }
}

extension ChannelTerms {
    /// For a worker with interface 7, two requests at a time and the host call `net.connect`.
    package static var test: ChannelTerms {
        var terms = ChannelTerms(interfaceHash: 7)
        terms.maxInFlight = 2
        terms.capabilities = [MethodID(name: "net.connect")]
        return terms
    }
}

extension Frame {
    package static let testHello = Frame.hello(
        Hello(role: .linked, interfaceHash: 7, maxFrame: 16 << 20, maxInFlight: 2))
}

extension HostSideConversation {
    /// A conversation after HELLO.
    package static func serving(_ terms: ChannelTerms = .test) throws -> HostSideConversation {
        var host = HostSideConversation(terms)
        _ = try host.receive(.testHello)
        return host
    }

    package mutating func receive(_ frames: Frame..., at time: Duration = .zero) throws -> [WorkerMessage] {
        try receive(frames.flatMap(\.bytes), at: time)
    }

    /// - Parameter piece: bytes that arrive at a time.
    package mutating func receive(_ bytes: [UInt8], piece: Int = .max, at time: Duration = .zero) throws
        -> [WorkerMessage]
    {
        var (messages, rest) = ([WorkerMessage](), bytes[...])
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(
                fill(at: TestClock.at(time)) { room in
                    room.copyBytes(from: part.prefix(room.count))
                    return min(part.count, room.count)
                })
            while let message = try next(at: TestClock.at(time)) { messages.append(message) }
        }
        return messages
    }
}
