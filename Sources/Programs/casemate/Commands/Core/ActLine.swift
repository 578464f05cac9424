import Navigator
import NetworkDetector
import SignerCore

/// A line of a session, as it comes in.
struct ActLine: Decodable {
    var action: String
    var data: String?
    /// A secret in the clear, which a vault in memory alone takes.
    var secret: String?
    /// The number of an open descriptor, of which one line is the secret.
    var secretFd: Int?
    /// What the network detector of a vault in memory says from now on.
    var detector: String?
    /// The page that the person looked at.
    var page: Int?

    /// Something that no line has. One that was meant for `page` or `secretFd` would be missed.
    struct UnknownMember: Error {}

    private enum Member: String, CodingKey { case action, data, secret, secretFd, detector, page }

    private struct AnyMember: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: AnyMember.self).allKeys
        guard all.allSatisfy({ Member(rawValue: $0.stringValue) != nil }) else { throw UnknownMember() }
        let line = try decoder.container(keyedBy: Member.self)
        action = try line.decode(String.self, forKey: .action)
        data = try line.decodeIfPresent(String.self, forKey: .data)
        secret = try line.decodeIfPresent(String.self, forKey: .secret)
        secretFd = try line.decodeIfPresent(Int.self, forKey: .secretFd)
        detector = try line.decodeIfPresent(String.self, forKey: .detector)
        page = try line.decodeIfPresent(Int.self, forKey: .page)
    }
}

/// Why a line is not done. The status is the one that a server would answer with.
struct ActRefusal: Encodable {
    var code: String
    var error: String
    var status: Int
    /// The place of the line in the input, from 1.
    var line: Int
    /// The page that is shown.
    var page: Int

    enum Reason {
        case noAction
        case unknownMember
        case unknownDetector
        case tooLong(limit: Int)
        case otherPage
        case secretInClear
        case noSecret(String)
        case noDetector
        /// Why words are not shown.
        case withheld(CoreFailure)
        case core(CoreError)

        /// Whether the line says nothing that can be done.
        var isNoAction: Bool {
            switch self {
            case .noAction, .unknownMember, .unknownDetector: true
            default: false
            }
        }

        var code: String {
            switch self {
            case .noAction, .unknownMember, .unknownDetector: "NoAction"
            case .tooLong: "TooLong"
            case .otherPage: CoreError.busy.code
            case .secretInClear: "SecretInClear"
            case .noSecret: "NoSecret"
            case .noDetector: CoreError.notAvailable(what: "").code
            case .withheld(let failure): failure.code
            case .core(let error): error.code
            }
        }

        var status: Int {
            switch self {
            case .noAction, .unknownMember, .unknownDetector, .noSecret, .noDetector: 400
            case .secretInClear, .withheld: 403
            case .otherPage, .core(.busy): 409
            case .tooLong: 413
            case .core: 500
            }
        }

        var text: String {
            switch self {
            case .noAction: "This is no action. See: casemate core act --help"
            case .unknownMember:
                """
                This is no action: a line has an action, and perhaps data, secretFd, page, and in memory secret and \
                detector.
                """
            case .unknownDetector:
                """
                This is no action: a detector says \
                \(NetworkDetector.State.allCases.map(\.rawValue).joined(separator: ", ")).
                """
            case .tooLong(let limit): "The line is longer than \(limit) bytes. Nothing of it was done."
            case .otherPage:
                "Another page is shown than the one that this was decided on. Nothing was done; look at it first."
            case .secretInClear:
                "Secrets of a vault in a folder do not come in the line. Open a descriptor for them and name it: \"secretFd\": 4"
            case .noSecret(let reason): reason
            case .noDetector: "The network detector of a vault in a folder cannot be told what to say."
            case .withheld(let failure): failure.text
            case .core(let error): "\(error)"
            }
        }
    }

    init(_ reason: Reason, line: Int, page: Int) {
        (code, error, status) = (reason.code, reason.text, reason.status)
        (self.line, self.page) = (line, page)
    }
}

/// A page of a session, as it goes out.
struct ActPage: Encodable {
    /// What led to a page that no line asked for.
    enum Cause: String, Encodable {
        case network
        case locked
    }

    var page: Int
    var cause: Cause?
    var result: ActionResult

    private enum Key: String, CodingKey { case page, cause }

    func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(page, forKey: .page)
        try container.encodeIfPresent(cause, forKey: .cause)
    }
}
