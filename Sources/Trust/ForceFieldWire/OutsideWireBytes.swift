import Scheduling

/// Parsers of bytes from outside, for the fuzzer alone.
@_spi(Fuzzing) public enum OutsideWireBytes {
    /// - Returns: whether they are FFV1, which is then written as it was read.
    public static func value(_ bytes: [UInt8]) -> Bool {
        guard let value = try? WireValue(ffv1: bytes) else { return true }
        return (try? value.ffv1()) == bytes
    }

    /// Reads them as types with every kind of container.
    public static func decoded(_ bytes: [UInt8]) {
        _ = try? FFV1.decode([String: [Int]].self, from: bytes)
        _ = try? FFV1.decode([Shape].self, from: bytes)
        _ = try? FFV1.decode(Shape.self, from: bytes, unknownKeys: .ignored)
    }

    /// Reads them as what a host sends, in pieces.
    ///
    /// - Parameter piece: bytes of each, at least 1.
    public static func fromHost(_ bytes: [UInt8], piece: Int) {
        var conversation = WorkerSideConversation(
            Hello(role: .linked, interfaceHash: 0, maxFrame: 1 << 20, maxInFlight: 1), takesDescriptors: true)
        var rest = bytes[...]
        let now = SteadyInstant.now
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(conversation.fill(at: now) { $0.copyBytes(from: part.prefix($0.count)) })
            do { while try conversation.next() != nil {} } catch { return }
        }
    }

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
        var conversation = HostSideConversation(terms)
        var rest = bytes[...]
        let now = SteadyInstant.now
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(conversation.fill(at: now) { $0.copyBytes(from: part.prefix($0.count)) })
            do throws(ChannelFault) {
                while let message = try conversation.next(at: now) {
                    if case .hello = message { openCalls(&conversation, at: now) }
                }
            } catch { return true }
            guard conversation.memory <= terms.maxFrame + (512 << 10) else { return false }
        }
        return true
    }

    private static func openCalls(_ conversation: inout HostSideConversation, at now: SteadyInstant) {
        let method = MethodID(name: "echo")
        _ = try? conversation.request(method, .unary(maxReply: 1 << 16), body: [], at: now)
        if let stream = try? conversation.request(method, .stream(maxItem: 1 << 16), body: [], at: now) {
            _ = conversation.credit(stream.id, items: 4)
        }
    }

    private struct Shape: Codable {
        var name: String?
        var bytes: [UInt8]?
        var number: Int8?
        var size: UInt64?
        var ratio: Double?
        var parts: [Shape]?
        var flag: Bool?
    }
}

extension UnsafeMutableRawBufferPointer {
    /// - Parameter bytes: no more than there is room for.
    fileprivate func copyBytes(from bytes: ArraySlice<UInt8>) -> Int {
        copyBytes(from: bytes) as Void
        return bytes.count
    }
}
