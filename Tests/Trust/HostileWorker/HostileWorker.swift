import CWorkerName
import ForceFieldTestMethods
import ForceFieldWire
import Glibc

struct HostileWorker: ~Copyable {
    static let channel: Int32 = 3
    private let start: HostileStart?
    private let hello: Hello
    var conversation: WorkerSideConversation
    /// Descriptors that have arrived.
    var descriptors: [Int32] = []

    init(_ start: HostileStart?) {
        self.start = start
        guard let interface = try? Hostile.interface() else { exit(3) }
        let hash = start == .otherInterface ? 1 : interface.hash
        hello = Hello(role: .linked, interfaceHash: hash, maxFrame: UInt32(FrameLimits.largestFrame), maxInFlight: 4)
        conversation = WorkerSideConversation(hello, takesDescriptors: true)
    }

    consuming func run() -> Never {
        greet()
        while true {
            switch next() {
            case .request(let request): answer(request)
            case .shutdown:
                if start == .ignoresShutdown { continue }
                send(.goodbye)
                exit(0)
            case .welcome, .cancel, .credit, .hostReply, .hostError: continue
            }
        }
    }

    private func greet() {
        switch start {
        case .exitBeforeHello: exit(7)
        case .crashBeforeHello: abort()
        case .silentBeforeHello: Self.wait()
        case .halfHello:
            write(Array(Frame.hello(hello).bytes.prefix(30)))
            Self.wait()
        case .badHello:
            var bytes = Frame.hello(hello).bytes
            bytes[24] ^= 1
            write(bytes)
            Self.wait()
        case .otherVersion:
            let payload = Array(Frame.hello(hello).bytes[24...])
            write(FrameHeader(.hello, length: payload.count, aux: 0x0002_0000).bytes() + payload)
            Self.wait()
        case .floodsBeforeHello:
            while true { write(fill: 64 << 10, to: 2) }
        case .exitAfterHello:
            send(.hello(hello))
            exit(9)
        case .deafAfterHello:
            send(.hello(hello))
            Self.wait()
        case .goodbyeAfterHello:
            send(.hello(hello))
            send(.goodbye)
            Self.wait()
        case .otherInterface, .ignoresShutdown, nil: send(.hello(hello))
        }
    }

    private mutating func answer(_ request: IncomingRequest) {
        guard request.method != MethodID(name: Hostile.typed.name) else { return answerTyped(request) }
        guard let act = request.body.first.flatMap(HostileAct.init) else { return reply(request, request.body) }
        perform(act, for: request, rest: Array(request.body.dropFirst()))
    }

    /// Gives the strings back, or what is no value if one of them is "bad".
    private mutating func answerTyped(_ request: IncomingRequest) {
        let strings: [String] = (try? FFV1.decode(from: request.body)) ?? []
        reply(request, strings.contains("bad") ? [0xff] : request.body)
    }

    // MARK: Speaking

    mutating func reply(_ request: IncomingRequest, _ body: [UInt8]) {
        if let frame = conversation.response(request.id, body) { send(frame) }
    }

    func send(_ frame: Frame) {
        if frame.body.count < 4_096 { return write(frame.bytes) }
        write(frame.head)
        write(frame.body)
    }

    func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(Self.channel, $0.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            guard count > 0 else { exit(4) }
            sent += count
        }
    }

    func write(fill count: Int, to descriptor: Int32) {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count)
        guard Glibc.write(descriptor, bytes, count) >= 0 else { exit(5) }
    }

    /// Waits for what the host says.
    mutating func next() -> HostMessage {
        while true {
            do throws(ChannelFault) {
                if let event = try conversation.next() { return event }
            } catch { exit(6) }
            var arrived: [Int32] = []
            let count = conversation.fill(at: .now) { space in
                Self.receive(into: space, &arrived)
            }
            descriptors += arrived
            guard count > 0 else { exit(0) }
        }
    }

    private static func receive(into space: UnsafeMutableRawBufferPointer, _ arrived: inout [Int32]) -> Int {
        var found = [Int32](repeating: -1, count: 16)
        let count = hostile_receive(channel, space.baseAddress, space.count, &found, Int32(found.count))
        arrived = found.filter { $0 >= 0 }
        return count
    }

    static func wait() -> Never {
        while true { poll(nil, 0, -1) }
    }
}
