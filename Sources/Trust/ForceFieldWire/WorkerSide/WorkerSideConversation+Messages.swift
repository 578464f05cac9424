import Scheduling

extension WorkerSideConversation {
    /// Reads a message of a system that carries messages instead of a channel: one whole frame, and nothing behind it.
    ///
    /// - Throws: ``ChannelFault``: also `badState` for more than a frame, `truncated` for less.
    package mutating func take(message bytes: [UInt8], at now: SteadyInstant) throws(ChannelFault) -> HostMessage {
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.fill(from: &rest, at: now)
            guard let message = try next() else { continue }
            guard rest.isEmpty, !reader.isInsideFrame else { throw .violation(.badState) }
            return message
        }
        throw .violation(.truncated)
    }
}
