/// An extension that is offered or accepted in `Sec-WebSocket-Extensions`.
///
/// Source: RFC 6455 section 9.1.
public struct WebSocketExtension: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        public let name: String
        public let value: String?
    }

    public let name: String
    public let parameters: [Parameter]

    /// Reads a list of extensions, in order.
    ///
    /// - Parameter values: of all fields of that name, in order.
    /// - Returns: nil if they are no such list.
    public static func list(_ values: [String]) -> [WebSocketExtension]? {
        var extensions: [WebSocketExtension] = []
        let isList = values.allSatisfy { value in
            HeaderReader.read(value) { reader in
                repeat {
                    reader.skipSpace()
                    // An empty member is passed over, as a recipient must.
                    guard let name = reader.token() else { continue }
                    guard let parameters = parameters(&reader) else { return false }
                    extensions.append(WebSocketExtension(name: name, parameters: parameters))
                } while reader.take(",")
                return reader.isAtEnd
            }
        }
        return isList ? extensions : nil
    }

    private static func parameters(_ reader: inout HeaderReader) -> [Parameter]? {
        var parameters: [Parameter] = []
        reader.skipSpace()
        while reader.take(";") {
            reader.skipSpace()
            guard let name = reader.token() else { return nil }
            reader.skipSpace()
            var value: String?
            if reader.take("=") {
                reader.skipSpace()
                value = reader.take("\"") ? reader.quotedToken() : reader.token()
                guard value != nil else { return nil }
                reader.skipSpace()
            }
            parameters.append(Parameter(name: name, value: value))
        }
        return parameters
    }
}

extension ExtensionUse {
    /// What a server's answer means for the frames, whatever was offered.
    ///
    /// - Parameter accepted: the extensions of the answer.
    public init(accepted: [WebSocketExtension]) {
        switch accepted.count {
        case 0: self = .none
        case 1 where HeaderTokens.isEqual(accepted[0].name, to: PermessageDeflate.name): self = .permessageDeflate
        default: self = .unknown
        }
    }
}

/// What a server may answer to what a client offered.
///
/// Source: RFC 6455 section 4.1; `appattest-gate` section 4.1.
public enum HandshakeAnswer {
    /// Whether each accepted extension was offered, and none twice.
    public static func areOffered(_ accepted: [WebSocketExtension], in offered: [WebSocketExtension]) -> Bool {
        for (index, answer) in accepted.enumerated() {
            let isRepeated = accepted[..<index].contains { HeaderTokens.isEqual($0.name, to: answer.name) }
            let isOffered = offered.contains { HeaderTokens.isEqual($0.name, to: answer.name) }
            guard isOffered, !isRepeated else { return false }
        }
        return true
    }

    /// Whether the chosen subprotocol is one that was offered, in its very letters, or none is chosen.
    ///
    /// - Parameters:
    ///   - chosen: values of the answer's `Sec-WebSocket-Protocol`.
    ///   - offered: values of the request's.
    public static func isOffered(subprotocol chosen: [String], in offered: [String]) -> Bool {
        guard !chosen.isEmpty else { return true }
        guard let chosen = HeaderTokens.list(chosen), chosen.count == 1, let offers = HeaderTokens.list(offered) else {
            return false
        }
        return offers.contains { $0.utf8.elementsEqual(chosen[0].utf8) }
    }
}
