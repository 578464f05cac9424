/// The client's end of a telnet connection: bytes of the server in, events and bytes to the server out.
///
/// Every answer follows from what the server sent; an option that is settled is not answered again, so two sides cannot
/// keep each other busy. Memory is bounded by ``TelnetSettings/maximumSubnegotiationBytes``.
///
///     var telnet = TelnetConnection(settings)
///     telnet.receive(piece) { event in … }
///     write(telnet.takeOutput())
///
/// Source: RFC 854, 855, 857, 858, 885, 1073, 1091, 1572, 2066; GMCP, ATCP, MSDP; `appattest-gate` section 4.5.
public struct TelnetConnection: Sendable {
    private enum State: Hashable {
        case data
        /// A command is expected, after IAC.
        case command
        /// An option is expected, after WILL, WONT, DO or DONT.
        case negotiation(UInt8)
        case subnegotiationOption
        case subnegotiation
        /// A command is expected, after IAC in a subnegotiation.
        case subnegotiationCommand
        case discarding
        case discardingCommand
    }

    private var state = State.data
    /// What the events of a piece have not told yet.
    private var data: [UInt8] = []
    private var option: TelnetOption?
    private var subnegotiation: [UInt8] = []
    private var hasToldDiscarding = false
    private var negotiator: TelnetNegotiator

    public init(_ settings: TelnetSettings = TelnetSettings()) {
        negotiator = TelnetNegotiator(settings)
    }

    /// Bytes for the server.
    public var output: [UInt8] { negotiator.output }

    /// Gives what is to be sent, once.
    public mutating func takeOutput() -> [UInt8] {
        defer { negotiator.output = [] }
        return negotiator.output
    }

    /// Reads what the server sent.
    ///
    /// - Parameter tell: is given the events in order; data between two others comes as one.
    public mutating func receive(_ piece: UnsafeRawBufferPointer, tell: (TelnetEvent) -> Void) {
        var index = 0
        while index < piece.count {
            if state == .data {
                let end = Self.endOfText(piece, from: index)
                data += piece[index..<end]
                index = end
                if index == piece.count { break }
            }
            step(piece[index], tell)
            index += 1
        }
        flush(tell)
    }

    public mutating func receive(_ bytes: [UInt8], tell: (TelnetEvent) -> Void) {
        bytes.withUnsafeBytes { receive($0, tell: tell) }
    }

    // MARK: Bytes

    private mutating func step(_ byte: UInt8, _ tell: (TelnetEvent) -> Void) {
        let isIAC = byte == TelnetCommand.interpretAsCommand
        switch state {
        case .data:
            if isIAC { state = .command } else { data.append(byte) }
        case .command: command(byte, tell)
        case .negotiation(let verb):
            state = .data
            if let event = negotiator.negotiate(verb, TelnetOption(rawValue: byte)) { emit(event, tell) }
        case .subnegotiationOption:
            option = isIAC ? nil : TelnetOption(rawValue: byte)
            state = isIAC ? .subnegotiationCommand : .subnegotiation
        case .subnegotiation:
            if isIAC { state = .subnegotiationCommand } else { keep(byte, tell) }
        case .subnegotiationCommand: subnegotiationCommand(byte, tell)
        case .discarding:
            if isIAC { state = .discardingCommand }
        case .discardingCommand: state = byte == TelnetCommand.subnegotiationEnd ? .data : .discarding
        }
    }

    private mutating func command(_ byte: UInt8, _ tell: (TelnetEvent) -> Void) {
        state = .data
        switch byte {
        case TelnetCommand.interpretAsCommand: data.append(byte)
        case TelnetCommand.will...TelnetCommand.dont: state = .negotiation(byte)
        case TelnetCommand.subnegotiation: state = .subnegotiationOption
        case TelnetCommand.goAhead, TelnetCommand.endOfRecord: emit(.prompt, tell)
        default: break
        }
    }

    private mutating func subnegotiationCommand(_ byte: UInt8, _ tell: (TelnetEvent) -> Void) {
        switch byte {
        case TelnetCommand.interpretAsCommand:
            // Behind SB itself it is the option's own number.
            if option == nil { option = TelnetOption(rawValue: byte) } else { keep(byte, tell) }
            if state == .subnegotiationCommand { state = .subnegotiation }
        case TelnetCommand.subnegotiationEnd:
            state = .data
            if let option, let event = negotiator.settle(option, subnegotiation) { emit(event, tell) }
            dropSubnegotiation()
        default:
            dropSubnegotiation()
            command(byte, tell)
        }
    }

    private mutating func keep(_ byte: UInt8, _ tell: (TelnetEvent) -> Void) {
        guard subnegotiation.count >= negotiator.settings.maximumSubnegotiationBytes else {
            return subnegotiation.append(byte)
        }
        if !hasToldDiscarding, let option { emit(.discarded(option), tell) }
        hasToldDiscarding = true
        dropSubnegotiation()
        state = .discarding
    }

    private mutating func dropSubnegotiation() {
        subnegotiation = []
        option = nil
    }

    // MARK: Events

    private mutating func emit(_ event: TelnetEvent, _ tell: (TelnetEvent) -> Void) {
        flush(tell)
        tell(event)
    }

    private mutating func flush(_ tell: (TelnetEvent) -> Void) {
        guard !data.isEmpty else { return }
        tell(.data(data))
        data = []
    }

    /// Where the next IAC stands, eight bytes at a time.
    private static func endOfText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            // A byte is 0xff if and only if its complement is zero; the highest bits tell that one may be.
            let word = ~bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < bytes.count, bytes[index] != TelnetCommand.interpretAsCommand { index += 1 }
        return index
    }
}

// MARK: To the server

extension TelnetConnection {
    /// Sends what was typed, with 0xff doubled.
    public mutating func send(_ text: some Sequence<UInt8>) {
        negotiator.append(escaped: text)
    }

    /// Tells the server of a new size, if it has asked for sizes.
    public mutating func resize(_ size: WindowSize) {
        guard size != negotiator.settings.windowSize else { return }
        negotiator.settings.windowSize = size
        if negotiator.isOurs(.windowSize) { negotiator.sendWindowSize() }
    }

    /// Sends a GMCP message.
    ///
    /// - Parameters:
    ///   - package: without a space.
    ///   - data: a JSON text; empty: none.
    /// - Returns: false, and nothing is sent, unless GMCP was agreed on.
    @discardableResult public mutating func send(package: String, data: String) -> Bool {
        guard negotiator.isActive(.gmcp) else { return false }
        negotiator.sendMessage(package: package, data: data)
        return true
    }
}
