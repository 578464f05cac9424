internal import AppAttest
internal import StrictJSON
internal import TextForms

/// The exchange with Apple about the two bits that it keeps for each device and team. The caller sends it: nothing here
/// uses a network.
///
/// Source: `appattest-gate` section 1.9.
enum DeviceCheck {
    /// The longest token that an app may send for its device, in bytes; Apple's have about 2 KiB.
    static let maximumTokenBytes = 4_096
    static let queryPath = "/v1/query_two_bits"
    static let updatePath = "/v1/update_two_bits"

    static func host(of environment: AppAttestEnvironment) -> String {
        switch environment {
        case .production: "api.devicecheck.apple.com"
        case .development: "api.development.devicecheck.apple.com"
        }
    }

    /// The body of a request.
    ///
    /// - Parameters:
    ///   - transaction: bytes that name this request alone.
    ///   - now: the time of the call.
    ///   - bits: what is to be kept; nil to ask what is.
    static func body(of token: [UInt8], transaction: [UInt8], now: Timestamp, bits: DeviceBits? = nil) -> String {
        var object = JSONObject()
        object.add("device_token", Base64.encode(token))
        object.add("transaction_id", Hex.encode(transaction))
        object.add("timestamp", now.milliseconds)
        if let bits {
            object.add("bit0", flag: bits.bit0)
            object.add("bit1", flag: bits.bit1)
        }
        return object.text
    }

    /// The answer of Apple's server.
    enum Answer: Equatable, Sendable {
        /// The two bits, as a query is answered; false where they were never set.
        case bits(DeviceBits)
        /// The bits were set, as an update is answered.
        case updated
        /// The token is none, too old, used up or of another environment.
        case rejected
        /// The team's own token is not valid.
        case unauthorized
        case slowDown
        /// The server fails: try again later.
        case unavailable
        /// A status, or the body of a good one, that the protocol does not have.
        case unexpected(status: Int)
    }

    /// - Parameter body: of the answer; at most 4 KiB of it is of use.
    static func answer(status: Int, body: [UInt8], isUpdate: Bool) -> Answer {
        switch status {
        case 200: isUpdate ? .updated : bits(body).map { .bits($0) } ?? .unexpected(status: status)
        case 400: .rejected
        case 401: .unauthorized
        case 429: .slowDown
        case 500..<600: .unavailable
        default: .unexpected(status: status)
        }
    }

    /// What Apple answers in place of JSON where the bits of the device were never set.
    private static let neverSet = ["failed to find bit state", "bit state not found"]

    private static func bits(_ body: [UInt8]) -> DeviceBits? {
        guard body.count <= 4_096 else { return nil }
        let words = String(decoding: body, as: UTF8.self).split { $0.isWhitespace }
        let text = ASCIIText.lowercased(words.joined(separator: " "))
        if neverSet.contains(text) { return DeviceBits() }
        guard let json = try? JSONReader(maximumDepth: 8, maximumBytes: 4_096).read(body),
            let bit0 = json["bit0"]?.bool, let bit1 = json["bit1"]?.bool
        else { return nil }
        return DeviceBits(bit0: bit0, bit1: bit1)
    }
}

/// The two bits that Apple keeps for a device.
struct DeviceBits: Equatable, Sendable {
    var bit0 = false
    var bit1 = false

    subscript(_ bit: DeviceBit) -> Bool {
        get { bit == .zero ? bit0 : bit1 }
        set { if bit == .zero { bit0 = newValue } else { bit1 = newValue } }
    }
}

/// Which of the two is the ban; the other one is left to the team.
package enum DeviceBit: String, CaseIterable, Sendable {
    case zero = "0"
    case one = "1"
}

/// What the bits mean for a registration.
///
/// Source: `appattest-gate` section 3.16.
package enum DevicePolicy: String, CaseIterable, Sendable {
    case off
    /// The bits are asked for where an app sends a token, logged and counted.
    case observe
    /// Every registration needs a token, and a banned device gets no key.
    case require
}

/// Asks Apple for the bits of a device, and sets them; or what plays Apple in a test. It answers within a bounded time.
///
/// Source: `appattest-gate` section 1.9.
protocol DeviceBitsService: Sendable {
    /// - Parameters:
    ///   - bits: what is to be kept; nil to ask what is.
    ///   - now: the time of the call.
    func exchange(
        _ token: [UInt8], _ environment: AppAttestEnvironment, setting bits: DeviceBits?, now: Timestamp
    ) async throws(ReceiptServiceFailure) -> DeviceCheck.Answer
}

/// What came of asking Apple about a device.
enum DeviceCheckResult: Int, CaseIterable, Sendable, MetricLabel {
    case clean, banned
    /// The ban was set.
    case set
    /// The app sent no token.
    case missing
    case rejected, unauthorized, slowDown, unavailable, unexpected, unreachable
    /// Too many questions were open.
    case busy

    static let labelName = "result"
    static let texts = [
        "clean", "banned", "set", "missing", "rejected", "unauthorized", "slow_down", "unavailable", "unexpected",
        "unreachable", "busy",
    ]

    /// The result that an answer without bits is counted as.
    init(_ answer: DeviceCheck.Answer) {
        self =
            switch answer {
            case .bits: .clean
            case .updated: .set
            case .rejected: .rejected
            case .unauthorized: .unauthorized
            case .slowDown: .slowDown
            case .unavailable: .unavailable
            case .unexpected: .unexpected
            }
    }
}
