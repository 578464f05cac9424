#if os(Linux)
    import CodeMeasurement
    import Files
    import Foundation
    import Glibc
    import Testing

    @testable import Vigil

    @Suite("A channel over a Unix socket")
    struct UnixSocketChannelTests {
        private let other: OpenFile
        private let socket: OpenFile
        private static let message = [UInt8]("a message")

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            other = OpenFile(owning: ends[0])
            socket = OpenFile(owning: ends[1])
        }

        private func channel(frameTime: Duration = .seconds(600)) throws -> UnixSocketChannel {
            try UnixSocketChannel(socket, isAccepting: false, frameTime: frameTime)
        }

        private func write(_ bytes: some Collection<UInt8>) {
            let sent = Array(bytes).withUnsafeBytes { Glibc.write(other.number, $0.baseAddress, $0.count) }
            #expect(sent == bytes.count)
        }

        private var later: Deadline { .now.advanced(by: .seconds(600)) }

        @Test("a message that comes in parts is whole, also where a deadline lies between them", arguments: 1...12)
        func parts(count: Int) throws {
            let channel = try channel()
            let frame = Frame.bytes(of: Self.message)
            write(frame.prefix(count))
            #expect(throws: ChannelError.timedOut) { try channel.receive(until: .now) }
            #expect(throws: ChannelError.timedOut) { try channel.receive(until: .now) }
            write(frame.dropFirst(count))
            #expect(try channel.receive(until: later).message == Self.message)
            // And the next one is read from its own beginning.
            write(Frame.bytes(of: [7]))
            #expect(try channel.receive(until: later).message == [7])
        }

        @Test("whoever waits for a message hears of one and of the end, and takes nothing")
        func awaiting() throws {
            let channel = try channel()
            #expect(!channel.awaitMessage(until: .now))
            #expect(!channel.awaitMessage(until: .now.advanced(by: .milliseconds(5))))
            write(Frame.bytes(of: Self.message))
            for _ in 0..<2 { #expect(channel.awaitMessage(until: later)) }
            #expect(try channel.receive(until: later).message == Self.message)
            #expect(!channel.awaitMessage(until: .now))
            channel.close()
            #expect(channel.awaitMessage(until: later))
            #expect(throws: ChannelError.closed) { try channel.receive(until: later) }
        }

        @Test("a message that has begun has its own time", arguments: [2, 6])
        func frameTime(count: Int) throws {
            let channel = try channel(frameTime: .milliseconds(10))
            write(Frame.bytes(of: Self.message).prefix(count))
            #expect(throws: ChannelError.malformed("a frame did not come to its end in time")) {
                try channel.receive(until: later)
            }
        }

        @Test("what was said before the other end closed is heard, though nothing can be sent any more")
        func lastWords() throws {
            let channel = try channel()
            // The other end has not read everything, which makes the end an error.
            try channel.send([1], until: later)
            write(Frame.bytes(of: Self.message))
            shutdown(other.number, Int32(SHUT_RDWR))
            #expect(throws: ChannelError.closed) { try channel.send([2], until: later) }
            #expect(try channel.receive(until: later).message == Self.message)
            #expect(throws: ChannelError.closed) { try channel.receive(until: later) }
        }

        @Test("nothing that comes is late, and an end within a message is none")
        func ends() throws {
            let channel = try channel()
            #expect(throws: ChannelError.timedOut) { try channel.receive(until: .now) }
            write(Frame.bytes(of: Self.message).dropLast())
            shutdown(other.number, Int32(SHUT_RDWR))
            #expect(throws: ChannelError.malformed("the connection ended within a frame")) {
                try channel.receive(until: later)
            }
        }
    }
#endif
