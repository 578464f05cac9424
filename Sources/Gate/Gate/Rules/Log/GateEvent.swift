internal import AppAttest
internal import WebSocketFrames

/// One thing that happened, as it is logged. There is no field for a nonce, an assertion, an attestation, a receipt, a
/// token or a payload: what cannot be said cannot leak.
///
/// Source: `appattest-gate` section 3.12.
struct GateEvent: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case started, stopped, draining, reloaded
        case reloadFailed = "reload_failed"
        case configurationWarning = "configuration_warning"
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

    enum Level: Int, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        var text: String { "\(self)" }

        init?(_ text: String) {
            guard let level = Self.allCases.first(where: { $0.text == text }) else { return nil }
            self = level
        }

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    let name: Name
    let level: Level
    var requestID: RequestID?
    var peer: IPAddress?
    var key: KeyName?
    var authentication: AuthenticationMethod?
    var code: RefusalCode?
    var reason: AppAttestError.Code?
    /// The code of the close frame that ended a connection.
    var closeCode: CloseCode?
    /// Nanoseconds that the whole took.
    var duration: UInt64?
    /// How many of its kind were not logged before it.
    var suppressed: Int?
    var detail: SafeText?

    init(_ name: Name, _ level: Level = .info) {
        self.name = name
        self.level = level
    }

    /// - Parameter detail: any text; what would not be safe in a log is escaped.
    init(_ name: Name, _ level: Level, detail: String) {
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
}

extension GateEvent {
    /// One line without its end.
    ///
    /// - Parameter at: milliseconds since 1970.
    func jsonLine(at milliseconds: Int64) -> String {
        var object = JSONObject()
        object.add("ts", UTCText.text(milliseconds: milliseconds))
        for (name, value) in fields { object.add(name, value) }
        object.add("duration_us", duration.map { $0 / 1_000 })
        object.add("close_code", closeCode?.rawValue)
        object.add("suppressed", suppressed)
        return object.text
    }

    /// The event as a line for people.
    func textLine(at milliseconds: Int64) -> String {
        var line = UTCText.text(milliseconds: milliseconds)
        for (name, value) in fields { if let value { line += " \(name)=\(value)" } }
        if let duration { line += " duration_us=\(duration / 1_000)" }
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

/// Times as RFC 3339 writes them.
enum UTCText {
    /// The time with milliseconds and `Z`. Days are counted from 0000-03-01, so that a leap day ends its year.
    static func text(milliseconds: Int64) -> String {
        let (days, ofDay) = milliseconds.floorDivided(by: 86_400_000)
        let (era, dayOfEra) = (days + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let seconds = ofDay / 1_000
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(seconds / 3_600)):"
            + "\(padded(seconds / 60 % 60)):\(padded(seconds % 60)).\(padded(ofDay % 1_000, 3))Z"
    }

    private static func padded(_ number: Int64, _ digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
