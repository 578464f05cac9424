internal import AppAttest

/// A label whose values are all known before the first is counted: nothing that a client sends becomes one.
public protocol MetricLabel: Sendable {
    static var labelName: String { get }
    /// The texts of all values.
    static var texts: [String] { get }
    /// The place of this value in ``texts``.
    var place: Int { get }
}

extension MetricLabel where Self: CaseIterable & RawRepresentable, RawValue == Int {
    public var place: Int { rawValue }
}

extension AuthenticationMethod: MetricLabel {
    public static var labelName: String { "auth" }
    public static var texts: [String] { allCases.map(\.text) }
}

public enum ChallengeResult: Int, CaseIterable, MetricLabel {
    case issued, limited, failed

    public static let labelName = "result"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum RegistrationResult: Int, CaseIterable, MetricLabel {
    case registered
    /// The key was there already.
    case unchanged
    /// Another public key has the name: SHA-256 is broken, or the store is.
    case conflict
    case refused

    public static let labelName = "result"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum UpgradeResult: Int, CaseIterable, MetricLabel {
    case admitted, refused

    public static let labelName = "result"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

/// The code or, where there is one, the step of a refusal.
public struct OutcomeReason: MetricLabel {
    public let place: Int

    public init(_ refusal: Refusal?) {
        let text = refusal.map { $0.reason?.rawValue ?? $0.code.rawValue } ?? "none"
        place = Self.places[text] ?? 0
    }

    public static let labelName = "reason"
    public static let texts =
        ["none"] + RefusalCode.allCases.map(\.rawValue) + AppAttestError.Code.allCases.map(\.rawValue)
    private static let places = Dictionary(
        texts.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
}

public enum ConnectionState: Int, CaseIterable, MetricLabel {
    /// The connection is accepted, and nobody has been let in on it yet.
    case waiting
    case connecting, open, closing

    public static let labelName = "state"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum Direction: Int, CaseIterable, MetricLabel {
    case toUpstream, toClient

    public static let labelName = "direction"
    public static let texts = ["to_upstream", "to_client"]
}

public enum FrameOpcode: Int, CaseIterable, MetricLabel {
    case continuation, text, binary, close, ping, pong

    public static let labelName = "opcode"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum CloseSide: Int, CaseIterable, MetricLabel {
    case client, upstream, gate

    public static let labelName = "side"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

/// A close code; those that applications make up are counted together.
public struct CloseCode: MetricLabel {
    public let place: Int

    /// - Parameter code: nil where a connection ended without a close frame.
    public init(_ code: UInt16?) {
        place =
            switch code.map({ Int($0) }) {
            case nil: 0
            case let code? where 1000...1014 ~= code: code - 999
            case let code? where 3000..<4000 ~= code: 16
            case let code? where 4000..<5000 ~= code: 17
            default: 18
            }
    }

    public static let labelName = "code"
    public static let texts = ["none"] + (1000...1014).map { String($0) } + ["3xxx", "4xxx", "other"]
}

public enum VerificationKind: Int, CaseIterable, MetricLabel {
    case attestation, assertion, receipt

    public static let labelName = "kind"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum UpstreamError: Int, CaseIterable, MetricLabel {
    case unreachable, refused, timeout, lost, tls

    public static let labelName = "reason"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum StoreOperation: Int, CaseIterable, MetricLabel {
    case insert, get, advance, revoke, ban, bind, delete, withdrawn, list, count, claimReceipts, updateReceipt,
        removeUnused, check
    case putNonce, consumeNonce, sweepNonces, countNonces

    var isOfNonces: Bool { rawValue >= Self.putNonce.rawValue }

    public static let labelName = "op"
    public static var texts: [String] { allCases.map { "\($0)" } }
}

public enum AccountResult: Int, CaseIterable, MetricLabel {
    case bound
    /// The service named no account, a malformed one, or more than one.
    case unnamed
    case banned, tooMany

    public static let labelName = "result"
    public static let texts = ["bound", "unnamed", "banned", "too_many"]
}

public enum LimiterName: Int, CaseIterable, MetricLabel {
    case challenge, register, failedAuthentication, connectionsPerClient, connectionsPerKey, messages

    public static let labelName = "limiter"
    public static var texts: [String] { allCases.map { "\($0)" } }
}
