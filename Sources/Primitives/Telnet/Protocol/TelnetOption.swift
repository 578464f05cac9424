/// Something that two sides of a telnet connection can agree on.
///
/// Source: IANA's registry of telnet options; `appattest-gate` section 4.5.
public struct TelnetOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let echo = TelnetOption(rawValue: 1)
    public static let suppressGoAhead = TelnetOption(rawValue: 3)
    public static let terminalType = TelnetOption(rawValue: 24)
    public static let endOfRecord = TelnetOption(rawValue: 25)
    public static let windowSize = TelnetOption(rawValue: 31)
    public static let newEnvironment = TelnetOption(rawValue: 39)
    public static let charset = TelnetOption(rawValue: 42)
    public static let msdp = TelnetOption(rawValue: 69)
    public static let mssp = TelnetOption(rawValue: 70)
    public static let atcp = TelnetOption(rawValue: 200)
    public static let gmcp = TelnetOption(rawValue: 201)

    /// Whether the server may do it (it says WILL, we say DO).
    var isForServer: Bool {
        switch self {
        case .echo, .suppressGoAhead, .gmcp, .atcp, .charset, .endOfRecord, .msdp, .mssp: true
        default: false
        }
    }

    /// Whether we do it when the server asks (it says DO, we say WILL).
    var isForUs: Bool {
        switch self {
        case .suppressGoAhead, .gmcp, .atcp, .charset, .terminalType, .newEnvironment, .windowSize: true
        default: false
        }
    }
}

/// The bytes behind IAC.
///
/// Source: RFC 854 and RFC 885.
enum TelnetCommand {
    static let endOfRecord: UInt8 = 239
    static let subnegotiationEnd: UInt8 = 240
    static let goAhead: UInt8 = 249
    static let subnegotiation: UInt8 = 250
    static let will: UInt8 = 251
    static let wont: UInt8 = 252
    static let doIt: UInt8 = 253
    static let dont: UInt8 = 254
    static let interpretAsCommand: UInt8 = 255
}
