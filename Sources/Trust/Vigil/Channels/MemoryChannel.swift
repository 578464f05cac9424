import CodeMeasurement
import Threads

/// A channel within one process: for tests, and for a validator that is a thread.
///
/// What one end sends the other one receives.
// @unchecked: everything that changes is used under the condition's lock.
package final class MemoryChannel: AwaitedChannel, @unchecked Sendable {
    package let peer: PeerCredentials?
    private let sender: PeerCredentials?
    private let inbox: Queue
    private let outbox: Queue

    private init(peer: PeerCredentials?, sender: PeerCredentials?, inbox: Queue, outbox: Queue) {
        self.peer = peer
        self.sender = sender
        self.inbox = inbox
        self.outbox = outbox
    }

    /// - Parameters:
    ///   - first: whom the second end takes the first one for.
    ///   - second: whom the first end takes the second one for.
    package static func pair(
        first: PeerCredentials? = nil, second: PeerCredentials? = nil
    ) -> (MemoryChannel, MemoryChannel) {
        let (one, other) = (Queue(), Queue())
        return (
            MemoryChannel(peer: second, sender: first, inbox: one, outbox: other),
            MemoryChannel(peer: first, sender: second, inbox: other, outbox: one)
        )
    }

    package func send(_ message: [UInt8], attachments: [Attachment], until _: Deadline) throws(ChannelError) {
        guard (1...Frame.messageLimit).contains(message.count) else {
            throw .malformed("a message of \(message.count) bytes")
        }
        guard outbox.put(Received(message, attachments: attachments, sender: sender)) else { throw .closed }
    }

    package func receive(until deadline: Deadline) throws(ChannelError) -> Received { try inbox.take(until: deadline) }

    package func awaitMessage(until deadline: Deadline) -> Bool { inbox.waitForChange(until: deadline) }

    package func close() {
        inbox.close()
        outbox.close()
    }

    // @unchecked: everything that changes is used under the condition's lock.
    private final class Queue: @unchecked Sendable {
        private let condition = Condition()
        private var waiting: [Received] = []
        private var isClosed = false

        func put(_ received: Received) -> Bool {
            condition.withLock {
                guard !isClosed else { return false }
                waiting.append(received)
                condition.broadcast()
                return true
            }
        }

        func take(until deadline: Deadline) throws(ChannelError) -> Received {
            condition.lock()
            defer { condition.unlock() }
            while true {
                if !waiting.isEmpty { return waiting.removeFirst() }
                if isClosed { throw .closed }
                let left = SuspendingClock().now.duration(to: deadline)
                guard left > .zero else { throw .timedOut }
                condition.wait(atMost: left)
            }
        }

        func waitForChange(until deadline: Deadline) -> Bool {
            condition.lock()
            defer { condition.unlock() }
            while waiting.isEmpty, !isClosed {
                let left = SuspendingClock().now.duration(to: deadline)
                guard left > .zero else { return false }
                condition.wait(atMost: left)
            }
            return true
        }

        func close() {
            condition.withLock {
                isClosed = true
                condition.broadcast()
            }
        }
    }
}

extension Duration {
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// Whole microseconds.
    package var inMicroseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

    /// Whole milliseconds, rounded up: who waits so long has waited long enough.
    package var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
