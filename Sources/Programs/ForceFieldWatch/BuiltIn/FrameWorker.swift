import ForceFieldWire
import Glibc

/// A worker that speaks FF1 by hand, so that it can do what the runtime of workers would not.
struct FrameWorker {
    /// The method that it has, raw.
    static let method = Method<[UInt8], [UInt8]>("echo")

    private let command: WorkerCommand
    private let channel: Int32

    init(_ command: WorkerCommand, channel: Int32) {
        self.command = command
        self.channel = channel
    }

    /// - Returns: the exit code.
    func serve() -> Int32 {
        let hash = (try? Interface([Self.method.signature]).hash) ?? 0
        let hello = Hello(
            role: .linked, interfaceHash: command == .otherInterface ? ~hash : hash,
            maxFrame: UInt32(FrameLimits.largestFrame), maxInFlight: 1)
        var conversation = WorkerSideConversation(hello)
        send(.hello(hello))
        do {
            while true {
                while let message = try conversation.next() {
                    if let code = obey(message) { return code }
                }
                let count = conversation.fill(at: .now) { max(0, read(channel, $0.baseAddress, $0.count)) }
                guard count > 0 else { return 0 }
            }
        } catch { return 1 }
    }

    /// - Returns: the exit code when it is time to end.
    private func obey(_ message: HostMessage) -> Int32? {
        switch message {
        case .request(let request): return answer(request.id, body: request.body)
        case .cancel(let id):
            if command == .answerCancel { send(.error(id, .cancelled, text: "cancelled")) }
        case .shutdown:
            send(.goodbye)
            return 0
        default: break
        }
        return nil
    }

    private func answer(_ id: UInt64, body: [UInt8]) -> Int32? {
        switch command {
        case .echo: send(.response(id, body))
        case .sendDamagedFrame: write([UInt8](repeating: 0x5a, count: 24))
        case .closeChannel:
            close(channel)
            BuiltInWorker.doNothing()
        case .exitInCall: return 0
        case .halfAnswerAndExit:
            let answer = Frame.response(id, body).bytes
            write(Array(answer.prefix(answer.count / 2)))
            return 0
        case .answerAndExit:
            send(.response(id, body))
            return 0
        case .stopInCall: raise(SIGSTOP)
        default: break
        }
        return nil
    }

    private func send(_ frame: Frame) {
        write(frame.head)
        if !frame.body.isEmpty { write(frame.body) }
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(channel, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}
