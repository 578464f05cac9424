import Scheduling

extension HostSideConversation {
    /// Reads a message of a system that carries messages instead of a channel: one whole frame, and nothing behind it.
    /// What stood behind it would be taken for the answer to a later request, or pile up before it.
    ///
    /// - Parameter bytes: may be none.
    /// - Returns: nil for no bytes, and for a frame that is not passed on.
    /// - Throws: ``ChannelFault``: also `badState` for more than a frame, `truncated` for less.
    package mutating func take(message bytes: [UInt8], at now: SteadyInstant) throws(ChannelFault) -> WorkerMessage? {
        var rest = bytes[...]
        let dropped = droppedFrames
        while !rest.isEmpty {
            reader.fill(from: &rest, at: now)
            guard let message = try next(at: now) else { continue }
            guard rest.isEmpty, !reader.isInsideFrame, droppedFrames == dropped else { throw .violation(.badState) }
            return message
        }
        guard !reader.isInsideFrame else { throw .violation(.truncated) }
        return nil
    }
}
