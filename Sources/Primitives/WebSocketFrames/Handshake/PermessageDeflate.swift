/// The negotiation of permessage-deflate by a server that keeps no context and no window but the largest.
///
/// Source: RFC 7692 sections 5 and 7.1; `appattest-gate` section 4.3.
public enum PermessageDeflate {
    public static let name = "permessage-deflate"

    /// The answer to the first offer that can be taken.
    ///
    /// - Parameter offers: the extensions of the request, in order.
    /// - Returns: the value of `Sec-WebSocket-Extensions`; nil if none can.
    public static func answer(to offers: [WebSocketExtension]) -> String? {
        for offer in offers where HeaderTokens.isEqual(offer.name, to: name) {
            if let answer = answer(to: offer) { return answer }
        }
        return nil
    }

    private static func answer(to offer: WebSocketExtension) -> String? {
        var answer = "\(name); server_no_context_takeover; client_no_context_takeover"
        var names: Set<String> = []
        for parameter in offer.parameters {
            guard names.insert(parameter.name).inserted else { return nil }
            switch parameter.name {
            case "server_no_context_takeover", "client_no_context_takeover":
                guard parameter.value == nil else { return nil }
            case "client_max_window_bits":
                // A promise about the client's window; whatever it is, 15 reads it.
                guard parameter.value.map(isWindow) ?? true else { return nil }
            case "server_max_window_bits":
                // A client that can only read a smaller window gets no compression.
                guard parameter.value == "15" else { return nil }
                answer += "; server_max_window_bits=15"
            default: return nil
            }
        }
        return answer
    }

    private static func isWindow(_ value: String) -> Bool {
        ["8", "9", "10", "11", "12", "13", "14", "15"].contains(value)
    }
}
