import ForceFieldWire

/// Parsers of bytes from outside, for the fuzzer alone.
@_spi(Fuzzing) public enum OutsideWorkerBytes {
    /// Reads them as what a worker sends, in pieces, with calls of both kinds open.
    ///
    /// - Parameter piece: bytes of each, at least 1.
    /// - Returns: whether memory stayed within the limit.
    public static func fromWorker(_ bytes: [UInt8], piece: Int) -> Bool {
        var terms = ChannelTerms(interfaceHash: nil)
        terms.maxFrame = 1 << 20
        terms.maxReply = 1 << 20
        terms.maxInFlight = 4
        terms.capabilities = [MethodID(name: "net.connect")]
        var conversation = WorkerConversation(terms)
        var rest = bytes[...]
        let now = ContinuousClock.now
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(
                conversation.fill(at: now) { room in
                    let taken = part.prefix(room.count)
                    room.copyBytes(from: taken)
                    return taken.count
                })
            do throws(ChannelFault) {
                while let event = try conversation.next(at: now) {
                    if case .hello = event { openCalls(&conversation) }
                }
            } catch { return true }
            guard conversation.memory <= terms.maxFrame + (512 << 10) else { return false }
        }
        return true
    }

    private static func openCalls(_ conversation: inout WorkerConversation) {
        let method = MethodID(name: "echo")
        _ = try? conversation.request(method, .unary(maxReply: 1 << 16), [])
        if let stream = try? conversation.request(method, .stream(maxItem: 1 << 16), []) {
            _ = conversation.credit(stream.id, items: 4)
        }
    }

    /// - Returns: whether what is read as a record is written as it was.
    public static func controlRecord(_ bytes: [UInt8]) -> Bool {
        if let report = WardenReport(bytes), !report.isSame(as: bytes) { return false }
        if let order = WardenOrder(bytes), order.bytes != bytes { return false }
        return true
    }
}

extension WardenReport {
    /// Whether the record is that of `bytes`, but for the bit of a core dump.
    fileprivate func isSame(as bytes: [UInt8]) -> Bool {
        guard case .exited = self else { return self.bytes == bytes }
        return WardenReport(self.bytes) == self
    }
}
