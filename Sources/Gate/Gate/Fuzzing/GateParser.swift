/// The parsers of bytes from outside, for the fuzzer alone.
@_spi(Fuzzing) public enum GateParser: Sendable {
    /// Lines of `Name: value` behind a request line, through everything that judges a head.
    case rules
    /// The beginning of a connection, where a proxy may have written a preamble.
    case proxyPreamble
    /// The body of a registration.
    case registration
    /// What Apple says of a device.
    case deviceAnswer
    /// A file of settings, and what is in it as a configuration.
    case settings
    /// The head of a request, as it comes over a connection.
    case requestHead
    /// A body in chunks, and one of a length that the first byte tells.
    case body
    /// The answer of a server that ends the connection behind it.
    case answer

    /// Parses bytes, whole and in pieces where they may come so.
    ///
    /// - Parameter bytes: any.
    /// - Returns: whether all come to the same, and no bound is passed.
    public func holds(for bytes: [UInt8]) -> Bool {
        switch self {
        case .rules: RuleParsers.head(bytes)
        case .proxyPreamble: return RuleParsers.preamble(bytes)
        case .registration: _ = try? RegisterRequest(body: bytes)
        case .deviceAnswer:
            for isUpdate in [false, true] { _ = DeviceCheck.answer(status: 200, body: bytes, isUpdate: isUpdate) }
        case .settings: RuleParsers.settings(bytes)
        case .requestHead: return WireParsers.head(bytes)
        case .body: return WireParsers.body(bytes)
        case .answer: return WireParsers.answer(bytes)
        }
        return true
    }
}
