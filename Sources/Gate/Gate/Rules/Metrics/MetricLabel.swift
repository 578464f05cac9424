internal import AppAttest
internal import WebSocketFrames

/// A label whose values are all known before the first is counted: nothing that a client sends becomes one.
protocol MetricLabel: Sendable {
    static var labelName: String { get }
    /// The texts of all values.
    static var texts: [String] { get }
    /// The place of this value in ``texts``.
    var place: Int { get }
}

extension MetricLabel where Self: CaseIterable & RawRepresentable, RawValue == Int {
    var place: Int { rawValue }
}

extension AuthenticationMethod: MetricLabel {
    static var labelName: String { "auth" }
    static var texts: [String] { allCases.map(\.text) }
}

enum ChallengeResult: Int, CaseIterable, MetricLabel {
    case issued, limited, failed

    static let labelName = "result"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum RegistrationResult: Int, CaseIterable, MetricLabel {
    case registered
    /// The key was there already.
    case unchanged
    /// Another public key has the name: SHA-256 is broken, or the store is.
    case conflict
    case refused

    static let labelName = "result"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum UpgradeResult: Int, CaseIterable, MetricLabel {
    case admitted, refused

    static let labelName = "result"
    static var texts: [String] { allCases.map { "\($0)" } }
}

/// The code or, where there is one, the step of a refusal.
struct OutcomeReason: MetricLabel {
    let place: Int

    init(_ refusal: Refusal?) {
        let text = refusal.map { $0.reason?.rawValue ?? $0.code.rawValue } ?? "none"
        place = Self.places[text] ?? 0
    }

    static let labelName = "reason"
    static let texts =
        ["none"] + RefusalCode.allCases.map(\.rawValue) + AppAttestError.Code.allCases.map(\.rawValue)
    private static let places = Dictionary(
        texts.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
}

enum ConnectionState: Int, CaseIterable, MetricLabel {
    /// The connection is accepted, and nobody has been let in on it yet.
    case waiting
    case connecting, open, closing

    static let labelName = "state"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum RelayKind: Int, CaseIterable, MetricLabel {
    /// Frames are followed.
    case frames
    /// Nothing is read (`RELAY_MODE=bytes`).
    case bytes
    /// The WebSocket ends in the gate.
    case messages

    static let labelName = "reads"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum Direction: Int, CaseIterable, MetricLabel {
    case toUpstream, toClient

    static let labelName = "direction"
    static let texts = ["to_upstream", "to_client"]
}

extension FrameOpcode: MetricLabel {
    static var labelName: String { "opcode" }
    static var texts: [String] { ["continuation", "text", "binary", "close", "ping", "pong"] }

    /// The opcodes 3 to 7 are not assigned.
    var place: Int { isControl ? Int(rawValue) - 5 : Int(rawValue) }
}

enum CloseSide: Int, CaseIterable, MetricLabel {
    case client, upstream, gate

    static let labelName = "side"
    static var texts: [String] { allCases.map { "\($0)" } }
}

/// The close code with which a connection ended, if there was one; those that applications make up are counted
/// together.
extension CloseCode?: MetricLabel {
    var place: Int {
        switch map({ Int($0.rawValue) }) {
        case nil: 0
        case let code? where 1000...1014 ~= code: code - 999
        case let code? where 3000..<4000 ~= code: 16
        case let code? where 4000..<5000 ~= code: 17
        default: 18
        }
    }

    static var labelName: String { "code" }
    static var texts: [String] { ["none"] + (1000...1014).map { String($0) } + ["3xxx", "4xxx", "other"] }
}

enum VerificationKind: Int, CaseIterable, MetricLabel {
    case attestation, assertion, receipt

    static let labelName = "kind"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum UpstreamError: Int, CaseIterable, MetricLabel {
    case unreachable, refused, timeout, lost, tls

    static let labelName = "reason"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum StoreOperation: Int, CaseIterable, MetricLabel {
    case insert, get, advance, noteUse, revoke, ban, bind, delete, withdrawn, list, count, claimReceipts, updateReceipt,
        removeUnused, check
    case putNonce, consumeNonce, sweepNonces, countNonces

    var isOfNonces: Bool { rawValue >= Self.putNonce.rawValue }

    static let labelName = "op"
    static var texts: [String] { allCases.map { "\($0)" } }
}

enum AccountResult: Int, CaseIterable, MetricLabel {
    case bound
    /// The service named no account, a malformed one, or more than one.
    case unnamed
    case banned, tooMany

    static let labelName = "result"
    static let texts = ["bound", "unnamed", "banned", "too_many"]
}

enum LimiterName: Int, CaseIterable, MetricLabel {
    case challenge, register, failedAuthentication, connectionsPerClient, connectionsPerKey, messages

    static let labelName = "limiter"
    static var texts: [String] { allCases.map { "\($0)" } }
}
