import StrictJSON

/// What has been agreed on, and the answers that lead there.
struct TelnetNegotiator: Sendable {
    var settings: TelnetSettings
    var output: [UInt8] = []
    /// What the server does.
    private var theirs: Set<TelnetOption> = []
    /// What we do.
    private var ours: Set<TelnetOption> = []
    /// The index of the terminal type that is told next.
    private var terminalTypeIndex = 0

    init(_ settings: TelnetSettings) { self.settings = settings }

    func isOurs(_ option: TelnetOption) -> Bool { ours.contains(option) }

    /// Whether either side does it.
    func isActive(_ option: TelnetOption) -> Bool { ours.contains(option) || theirs.contains(option) }

    // MARK: Options

    /// - Parameter verb: WILL, WONT, DO or DONT, said by the server.
    mutating func negotiate(_ verb: UInt8, _ option: TelnetOption) -> TelnetEvent? {
        switch verb {
        case TelnetCommand.will:
            guard option.isForServer else {
                answer(TelnetCommand.dont, option)
                return nil
            }
            guard theirs.insert(option).inserted else { return nil }
            answer(TelnetCommand.doIt, option)
        case TelnetCommand.wont:
            guard theirs.remove(option) != nil else { return nil }
            answer(TelnetCommand.dont, option)
            return option == .echo ? .echo(isSuppressed: false) : nil
        case TelnetCommand.doIt:
            guard option.isForUs else {
                answer(TelnetCommand.wont, option)
                return nil
            }
            guard ours.insert(option).inserted else { return nil }
            answer(TelnetCommand.will, option)
        default:
            if ours.remove(option) != nil { answer(TelnetCommand.wont, option) }
            return nil
        }
        return begin(option)
    }

    /// What follows when an option has become active.
    private mutating func begin(_ option: TelnetOption) -> TelnetEvent? {
        switch option {
        case .echo: return .echo(isSuppressed: true)
        case .gmcp:
            var data = Array(#"{"client":"gate","version":"#.utf8)
            JSON.write(quoted: settings.version, to: &data)
            data.append(UInt8(ascii: "}"))
            sendMessage(package: "Core.Hello", data: String(decoding: data, as: UTF8.self))
        case .terminalType: terminalTypeIndex = 0
        case .windowSize: sendWindowSize()
        default: break
        }
        return nil
    }

    private mutating func answer(_ verb: UInt8, _ option: TelnetOption) {
        output += [TelnetCommand.interpretAsCommand, verb, option.rawValue]
    }

    // MARK: Subnegotiations

    /// Takes the payload of a subnegotiation; one of an option that is not active counts for nothing.
    mutating func settle(_ option: TelnetOption, _ payload: [UInt8]) -> TelnetEvent? {
        guard isActive(option) else { return nil }
        switch option {
        case .gmcp, .atcp:
            let space = payload.firstIndex(of: UInt8(ascii: " ")) ?? payload.count
            return .message(
                package: String(decoding: payload[..<space], as: UTF8.self),
                data: String(decoding: payload[min(space + 1, payload.count)...], as: UTF8.self))
        case .msdp: return .msdp(payload)
        case .terminalType where payload == [Code.send]: sendTerminalType()
        case .charset where payload.first == Code.charsetRequest: chooseCharset(payload.dropFirst())
        case .newEnvironment where payload.first == Code.send: sendEnvironment(payload.dropFirst())
        default: break
        }
        return nil
    }

    private enum Code {
        static let (iss, send): (UInt8, UInt8) = (0, 1)
        static let (variable, value): (UInt8, UInt8) = (0, 1)
        static let (charsetRequest, charsetAccepted, charsetRejected): (UInt8, UInt8, UInt8) = (1, 2, 3)
    }

    private mutating func sendTerminalType() {
        guard !settings.terminalTypes.isEmpty else { return }
        let name = settings.terminalTypes[min(terminalTypeIndex, settings.terminalTypes.count - 1)]
        terminalTypeIndex = min(terminalTypeIndex + 1, settings.terminalTypes.count)
        send(.terminalType, [Code.iss] + name.utf8)
    }

    /// - Parameter request: behind REQUEST: perhaps a translation table's version, a separator, the names.
    private mutating func chooseCharset(_ request: ArraySlice<UInt8>) {
        var request = request
        let table = Array("[TTABLE ]".utf8)
        if request.starts(with: table) { request = request.dropFirst(table.count + 1) }
        let name = request.first.flatMap { separator in
            request.dropFirst().split(separator: separator).first {
                String(decoding: $0, as: UTF8.self).uppercased() == "UTF-8"
            }
        }
        send(.charset, name.map { [Code.charsetAccepted] + $0 } ?? [Code.charsetRejected])
    }

    /// - Parameter asked: behind SEND: the variables that are asked for; none: all.
    private mutating func sendEnvironment(_ asked: ArraySlice<UInt8>) {
        let name = Array("IPADDRESS".utf8)
        let isAsked = asked.isEmpty || asked.split(whereSeparator: { $0 <= 3 }).contains { $0.elementsEqual(name) }
        // A VAR without a name asks for all of them.
        guard let address = settings.clientAddress, isAsked || asked.elementsEqual([Code.variable]) else {
            return send(.newEnvironment, [Code.iss])
        }
        send(.newEnvironment, [Code.iss, Code.variable] + name + [Code.value] + address.utf8)
    }

    mutating func sendWindowSize() {
        let size = settings.windowSize
        send(
            .windowSize,
            [size.columns, size.rows].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
    }

    mutating func sendMessage(package: String, data: String) {
        send(.gmcp, Array((data.isEmpty ? package : "\(package) \(data)").utf8))
    }

    private mutating func send(_ option: TelnetOption, _ payload: [UInt8]) {
        output += [TelnetCommand.interpretAsCommand, TelnetCommand.subnegotiation, option.rawValue]
        append(escaped: payload)
        output += [TelnetCommand.interpretAsCommand, TelnetCommand.subnegotiationEnd]
    }

    mutating func append(escaped bytes: some Sequence<UInt8>) {
        for byte in bytes {
            output.append(byte)
            if byte == TelnetCommand.interpretAsCommand { output.append(byte) }
        }
    }
}
