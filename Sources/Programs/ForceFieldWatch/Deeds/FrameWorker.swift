import ForceFieldWire
import Glibc

/// A worker that speaks FF1 by hand, so that it can do what the runtime of workers would not.
enum FrameWorker {
    /// The method that it has, raw.
    static let method = Method<[UInt8], [UInt8]>("echo")

    /// - Returns: the exit code.
    static func serve(_ deed: Deed, _ channel: Int32) -> Int32 {
        let hash = (try? Interface([method.signature]).hash) ?? 0
        let hello = Hello(
            role: .linked, interfaceHash: deed == .otherInterface ? ~hash : hash,
            maxFrame: UInt32(FrameLimits.largestFrame), maxInFlight: 1)
        var conversation = HostConversation(hello)
        send(.hello(hello), channel)
        do {
            while true {
                while let event = try conversation.next() {
                    if let code = obey(event, deed, channel) { return code }
                }
                let count = conversation.fill(at: .now) { max(0, read(channel, $0.baseAddress, $0.count)) }
                guard count > 0 else { return 0 }
            }
        } catch { return 1 }
    }

    /// - Returns: the exit code when it is time to end.
    private static func obey(_ event: HostEvent, _ deed: Deed, _ channel: Int32) -> Int32? {
        switch event {
        case .request(let request): return answer(request.id, request.body, deed, channel)
        case .cancel(let id):
            if deed == .answerCancel { send(.error(id, .cancelled, "cancelled"), channel) }
        case .shutdown:
            send(.goodbye, channel)
            return 0
        default: break
        }
        return nil
    }

    private static func answer(_ id: UInt64, _ body: [UInt8], _ deed: Deed, _ channel: Int32) -> Int32? {
        switch deed {
        case .echo: send(.response(id, body), channel)
        case .sendDamagedFrame: write([UInt8](repeating: 0x5a, count: 24), channel)
        case .closeChannel:
            close(channel)
            BuiltInWorker.doNothing()
        case .exitInCall: return 0
        case .halfAnswerAndExit:
            let answer = Frame.response(id, body).bytes
            write(Array(answer.prefix(answer.count / 2)), channel)
            return 0
        case .answerAndExit:
            send(.response(id, body), channel)
            return 0
        case .stopInCall: raise(SIGSTOP)
        default: break
        }
        return nil
    }

    private static func send(_ frame: Frame, _ channel: Int32) {
        write(frame.head, channel)
        if !frame.body.isEmpty { write(frame.body, channel) }
    }

    private static func write(_ bytes: [UInt8], _ channel: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(channel, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}
