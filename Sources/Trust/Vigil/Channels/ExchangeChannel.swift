import CodeMeasurement
import Threads

/// The app's end of a conversation over calls that take one message and answer with one: XPC and providers' messages on
/// Apple's systems, which know no message that was not asked for.
///
/// A call is the number of the conversation in four bytes, and the message as on a socket. With an empty message it
/// waits for what the validator says next, with a zero byte it ends the conversation. A number that was not seen yet
/// begins one, so that several go beside each other. An answer is the message alone.
///
/// Source: `vigil` sections 11.2 and 11.3.
// @unchecked: everything that changes is used under the condition's lock.
package final class ExchangeChannel: MessageChannel, @unchecked Sendable {
    /// Sends a message; the answer is nil where the other side has ended the conversation.
    package typealias Exchange =
        @Sendable (_ message: [UInt8], _ reply: @escaping @Sendable ([UInt8]?) -> Void) -> Void

    package let peer: PeerCredentials?
    private let exchange: Exchange
    /// Four bytes, the first of which is zero: a call in version 1 begins with a brace.
    private let number: [UInt8]
    private let condition = Condition()
    private var inbox: [[UInt8]] = []
    /// Calls that were not answered yet.
    private var outstanding = 0
    private var isClosed = false

    package init(peer: PeerCredentials?, _ exchange: @escaping Exchange) {
        self.peer = peer
        self.exchange = exchange
        number = [0] + Bytes32.random().bytes.prefix(ExchangeResponder.numberCount - 1)
    }

    package func send(_ message: [UInt8], attachments: [Attachment], until _: Deadline) throws(ChannelError) {
        guard (1...Frame.messageLimit).contains(message.count), attachments.isEmpty else {
            throw .malformed("a message of \(message.count) bytes with \(attachments.count) descriptors")
        }
        guard !condition.withLock({ isClosed }) else { throw .closed }
        call(message)
    }

    package func receive(until deadline: Deadline) throws(ChannelError) -> Received {
        while true {
            if let message = try next() {
                guard (1...Frame.messageLimit).contains(message.count) else {
                    throw .malformed("a message of \(message.count) bytes")
                }
                return Received(message, sender: peer)
            }
            let left = SuspendingClock().now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            condition.withLock {
                guard inbox.isEmpty, !isClosed else { return }
                condition.wait(atMost: left)
            }
        }
    }

    /// - Returns: nil if nothing has come; then a call waits for it.
    private func next() throws(ChannelError) -> [UInt8]? {
        condition.lock()
        if !inbox.isEmpty {
            defer { condition.unlock() }
            return inbox.removeFirst()
        }
        let (isClosed, isWaiting) = (isClosed, outstanding > 0)
        condition.unlock()
        if isClosed { throw .closed }
        if !isWaiting { call([]) }
        return nil
    }

    private func call(_ message: [UInt8]) {
        condition.withLock { outstanding += 1 }
        exchange(number + message) { [weak self] answer in self?.take(answer) }
    }

    private func take(_ answer: [UInt8]?) {
        condition.withLock {
            outstanding -= 1
            if let answer, !isClosed { inbox.append(answer) } else { isClosed = true }
            condition.broadcast()
        }
    }

    package func close() {
        let wasOpen = condition.withLock {
            defer {
                isClosed = true
                inbox = []
                condition.broadcast()
            }
            return !isClosed
        }
        if wasOpen { exchange(number + ExchangeResponder.end) { _ in } }
    }
}
