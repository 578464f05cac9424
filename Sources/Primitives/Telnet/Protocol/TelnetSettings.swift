/// What a client tells a telnet server about itself.
public struct TelnetSettings: Hashable, Sendable {
    /// Names of the terminal, told one by one; the last one repeats.
    public var terminalTypes: [String]
    public var windowSize: WindowSize
    /// Bytes of a subnegotiation, un-doubled; longer ones are discarded.
    public var maximumSubnegotiationBytes: Int
    /// The version that `Core.Hello` tells.
    public var version: String
    /// The client's address, told to a server that asks for it; nil tells none.
    public var clientAddress: String?

    public init(
        terminalTypes: [String] = ["GATE", "XTERM-256COLOR", "MTTS 141"], windowSize: WindowSize = WindowSize(),
        maximumSubnegotiationBytes: Int = 65_536, version: String = "1", clientAddress: String? = nil
    ) {
        self.terminalTypes = terminalTypes
        self.windowSize = windowSize
        self.maximumSubnegotiationBytes = maximumSubnegotiationBytes
        self.version = version
        self.clientAddress = clientAddress
    }
}

/// The size of a window in characters.
public struct WindowSize: Hashable, Sendable {
    public var columns: UInt16
    public var rows: UInt16

    public init(columns: UInt16 = 80, rows: UInt16 = 24) {
        (self.columns, self.rows) = (columns, rows)
    }
}

/// What a telnet server says.
public enum TelnetEvent: Hashable, Sendable {
    case data([UInt8])
    /// The server asks for a line and waits.
    case prompt
    /// Whether the server shows what is typed; if it does, the client does not (a password is typed).
    case echo(isSuppressed: Bool)
    /// GMCP or ATCP.
    case message(package: String, data: String)
    /// The bytes of an MSDP subnegotiation.
    case msdp([UInt8])
    /// A subnegotiation was too long and is discarded; told once for a connection.
    case discarded(TelnetOption)
}
