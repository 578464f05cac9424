package import AppAttest
internal import NIOCore
internal import WebSocketFrames

/// One thing that happened, as it is logged. There is no field for a nonce, an assertion, an attestation, a receipt, a
/// token or a payload: what cannot be said cannot leak.
///
/// Source: `appattest-gate` section 3.12.
package struct GateEvent: Sendable {
    package enum Name: String, Sendable, CaseIterable {
        case started, stopped, draining, reloaded
        case reloadFailed = "reload_failed"
        case configurationWarning = "configuration_warning"
        /// The gate reads no frames, because its configuration says so.
        case framesUnread = "frames_unread"
        case registered, admitted, refused, closed
        case counterRegression = "counter_regression"
        case keyConflict = "key_conflict"
        case clientCertificateUsed = "client_certificate_used"
        case riskFlagged = "risk_flagged"
        case riskDenied = "risk_denied"
        case riskRefreshed = "risk_refreshed"
        case riskRefreshFailed = "risk_refresh_failed"
        case storeFailed = "store_failed"
        case upstreamFailed = "upstream_failed"
        case preambleRefused = "preamble_refused"
        case waitingDropped = "waiting_dropped"
        case certificateReloaded = "certificate_reloaded"
        case keyRevoked = "key_revoked"
        case keyDeleted = "key_deleted"
        /// A key was revoked or deleted elsewhere; its connections end.
        case keyWithdrawn = "key_withdrawn"
        case keyBanned = "key_banned"
        /// A banned device asked to have a key registered.
        case deviceBanned = "device_banned"
        /// Apple has taken the ban of a device.
        case deviceBanSet = "device_ban_set"
        case deviceCheckFailed = "device_check_failed"
        /// An operator banned it, or somebody came with it.
        case accountBanned = "account_banned"
        case accountBanLifted = "account_ban_lifted"
    }

    package enum Level: Int, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        package var text: String { "\(self)" }

        package init?(_ text: String) {
            guard let level = Self.allCases.first(where: { $0.text == text }) else { return nil }
            self = level
        }

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    package let name: Name
    package let level: Level
    package var requestID: RequestID?
    var peer: IPAddress?
    package var key: KeyName?
    var authentication: AuthenticationMethod?
    var code: RefusalCode?
    package var reason: AppAttestError.Code?
    /// The code of the close frame that ended a connection.
    var closeCode: CloseCode?
    /// How long the whole took.
    var duration: TimeAmount?
    /// How many of its kind were not logged before it.
    package var suppressed: Int?
    package var detail: SafeText?

    package init(_ name: Name, _ level: Level = .info) {
        self.name = name
        self.level = level
    }

    /// - Parameter detail: any text; what would not be safe in a log is escaped.
    package init(_ name: Name, _ level: Level, detail: String) {
        self.init(name, level)
        self.detail = SafeText(detail)
    }

    /// An event of one request.
    init(_ name: Name, _ level: Level = .info, of visitor: Visitor) {
        self.init(name, level)
        requestID = visitor.requestID
        peer = visitor.client
    }

    func with(_ change: (inout GateEvent) -> Void) -> GateEvent {
        var copy = self
        change(&copy)
        return copy
    }

    /// One line without its end.
    package func jsonLine(at time: Timestamp) -> String {
        var object = JSONObject()
        object.add("ts", time.text)
        for (name, value) in fields { object.add(name, value) }
        object.add("duration_us", duration.map { $0.nanoseconds / 1_000 })
        object.add("close_code", closeCode?.rawValue)
        object.add("suppressed", suppressed)
        return object.text
    }

    /// The event as a line for people.
    package func textLine(at time: Timestamp) -> String {
        var line = time.text
        for (name, value) in fields { if let value { line += " \(name)=\(value)" } }
        if let duration { line += " duration_us=\(duration.nanoseconds / 1_000)" }
        if let closeCode { line += " close_code=\(closeCode.rawValue)" }
        if let suppressed { line += " suppressed=\(suppressed)" }
        return line
    }

    private var fields: [(String, String?)] {
        [
            ("level", level.text), ("event", name.rawValue), ("requestId", requestID?.description),
            ("peer", peer?.description), ("key", key?.description), ("auth", authentication?.text),
            ("code", code?.rawValue), ("reason", reason?.rawValue), ("detail", detail?.description),
        ]
    }
}
