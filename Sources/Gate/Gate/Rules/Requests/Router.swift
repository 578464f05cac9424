internal import NIOHTTP1

/// What is to be done with a request.
enum RequestAction: Sendable {
    case answer(Answer)
    /// The request itself breaks a rule: it is answered, and the connection closed.
    case refuse(Refusal)
    case challenge
    /// HEAD of the route of challenges: answered without a challenge.
    case challengeHead
    /// The body is to be read, at most ``RegisterRequest/maximumBodyBytes``.
    case register
    case ready(isHead: Bool)
    case forwardAuthentication
    case upgrade
}

/// Finds what is to be done with a request, by its head.
///
/// Source: `appattest-gate` section 3.1.
struct Router: Sendable {
    /// Whether the routes of App Attest exist.
    let hasAttestation: Bool
    /// The path of the route by which other proxies ask, if there is one.
    let forwardAuthPath: String?
    let paths: PathRule

    func route(_ head: HTTPRequestHead) -> RequestAction {
        if let violation = head.violation { return .refuse(violation) }
        let own = own(head)
        if case .register = own { return .register }
        guard head.bodyFraming == .empty else {
            return .refuse(Refusal(.malformedHeader, field: "Content-Length").closing())
        }
        return own ?? proxied(head)
    }

    /// The gate's own routes.
    private func own(_ head: HTTPRequestHead) -> RequestAction? {
        // One slash at the end does not count.
        let isFolder = head.path.utf8.count > 1 && head.path.utf8.last == UInt8(ascii: "/")
        let path = isFolder ? head.path.dropLast() : head.path
        let isHead = head.method == .HEAD
        switch path {
        case "/attest/challenge" where hasAttestation:
            return getOnly(head) ?? (isHead ? .challengeHead : .challenge)
        case "/attest/register" where hasAttestation:
            return head.method == .POST ? .register : .refuse(Refusal(.methodNotAllowed).allowing("POST"))
        case "/healthz", "/health":
            return getOnly(head) ?? .answer(Answer(status: 200, json: #"{"status":"ok"}"#).withoutBody(isHead))
        case "/readyz": return getOnly(head) ?? .ready(isHead: isHead)
        case forwardAuthPath?[...]:
            // An assertion is good for one time: asking without effect there is not possible.
            return head.method == .GET
                ? .forwardAuthentication : .refuse(Refusal(.methodNotAllowed).allowing("GET"))
        default: return nil
        }
    }

    private func getOnly(_ head: HTTPRequestHead) -> RequestAction? {
        head.method == .GET || head.method == .HEAD
            ? nil : .refuse(Refusal(.methodNotAllowed).allowing("GET, HEAD"))
    }

    private func proxied(_ head: HTTPRequestHead) -> RequestAction {
        // No WebSocket is opened at a path of the gate's own, switched on or not.
        let isReserved = head.path.hasPrefix("/attest/")
        if head.wantsWebSocket, !isReserved { return .upgrade }
        guard paths.names(head.path), !isReserved else { return .refuse(Refusal(.notFound)) }
        return getOnly(head) ?? .refuse(Refusal(.upgradeRequired).adding("Upgrade", value: "websocket"))
    }
}
