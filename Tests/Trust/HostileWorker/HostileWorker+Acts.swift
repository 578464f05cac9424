import CWorkerName
import ForceFieldTestMethods
import ForceFieldWire
import Glibc

extension HostileWorker {
    mutating func perform(_ act: HostileAct, for request: IncomingRequest, rest: [UInt8]) {
        let id = request.id
        switch act {
        case .echo: reply(request, rest)
        case .answerError:
            if let frame = conversation.error(id, .handlerFailed, text: "no, thank you") { send(frame) }
        case .readDescriptor: reply(request, readDescriptor())
        case .writeDescriptor:
            reply(request, [UInt8](repeating: 1, count: Glibc.write(descriptors.popLast() ?? -1, "x", 1)))
        case .hostCall: reply(request, hostCall(rest))
        case .connect: reply(request, connect(rest))
        case .draw: reply(request, draw())
        case .readFile: reply(request, readFile(rest))
        case .progress:
            send(.progress(id, done: 1, total: 4))
            send(.progress(id, done: 4, total: 4))
            reply(request, [])
        case .leaveOpen: return
        case .waitForCancel: waitForCancel(request)

        case .random: reply(request, (0..<16).map { _ in UInt8.random(in: 0...255) })
        case .complain:
            let text = Array("Fatal error: \u{202e}hidden\u{7}\n".utf8)
            guard Glibc.write(2, text, text.count) == text.count else { exit(5) }
            abort()
        case .log:
            send(.log(.warning, "a line\u{202e}"))
            reply(request, [])

        case .exit: exit(0)
        case .exitWithCode: exit(Int32(rest.first ?? 1))
        case .unwrapNil: reply(request, [Self.nothing(rest)!])
        case .abort: abort()
        case .fault: UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
        case .allocate: allocate()
        case .spin: spin()
        // ptrace
        case .forbiddenCall: reply(request, [UInt8(truncatingIfNeeded: hostile_call(101))])
        // vfork, then nothing: it is never reached.
        case .fork: while true { _ = hostile_call(58) }
        case .execute: reply(request, [UInt8(truncatingIfNeeded: hostile_call(59))])
        case .stop: raise(SIGSTOP)
        case .killItself: raise(SIGKILL)
        case .claimTimeIsOver: raise(SIGXCPU)
        case .claimFileIsTooLarge: raise(SIGXFSZ)
        case .claimForbiddenCall: raise(SIGSYS)

        case .floodLog: while true { send(.log(.info, "nothing to say, again and again")) }
        case .floodProgress: while true { send(.progress(id, done: 1, total: 2)) }
        case .floodErrors: while true { write(fill: 64 << 10, to: 2) }
        case .floodOutput: while true { write(fill: 64 << 10, to: 1) }
        case .floodSurface: flood(SurfaceCalls.present.name, try? FFV1.encode(PresentRequest(frame: 1)))
        case .floodNetwork: flood(NetworkCalls.connect.name, Self.connectRequest(rest))

        case .lieAboutLength:
            write(FrameHeader(.response, length: 15 << 20, id: id).bytes() + [1, 2, 3])
            Self.wait()
        case .claimHugeFrame:
            write(FrameHeader(.response, length: Int(UInt32.max), id: id).bytes())
            Self.wait()
        case .helloAgain: sendAndWait(.hello(Hello(role: .linked, interfaceHash: 0, maxFrame: 4_096, maxInFlight: 1)))
        case .replyTwice:
            write(Frame.response(id, [1]).bytes + Frame.response(id, [2]).bytes)
            Self.wait()
        case .lieLater:
            write(Frame.response(id, [1]).bytes)
            usleep(30_000)
            write([UInt8](repeating: 7, count: FrameHeader.count))
            Self.wait()
        case .replyToAnother: sendAndWait(.response(id + 1_000, []))
        case .badCheckWord:
            var bytes = Frame.response(id, [1]).bytes
            bytes[20] ^= 1
            write(bytes)
            Self.wait()
        case .unknownType:
            sendAndWait(.cancel(id))
        case .itemForUnary: sendAndWait(.item(id, sequence: 0, [1], isLast: true))
        case .descriptorsRide:
            let bytes = Frame.response(id, [1]).bytes
            _ = hostile_send_with(Self.channel, bytes, bytes.count, 0)
            Self.wait()
        case .halfHeader:
            write(Array(Frame.response(id, [1]).bytes.prefix(10)))
            Self.wait()
        case .halfBody:
            write(Array(Frame.response(id, [UInt8](repeating: 1, count: 1_000)).bytes.prefix(500)))
            Self.wait()
        case .drip:
            for byte in Frame.response(id, [UInt8](repeating: 1, count: 4_000)).bytes {
                write([byte])
                poll(nil, 0, 20)
            }
        case .halfBodyAndExit:
            write(Array(Frame.response(id, [UInt8](repeating: 1, count: 1_000)).bytes.prefix(500)))
            exit(0)
        case .closeAndLive:
            close(Self.channel)
            Self.wait()
        case .goodbyeInCall: sendAndWait(.goodbye)
        case .ungrantedCall: sendAndWait(.hostCall(HostCallID(number: 1), MethodID(name: "not.granted"), body: []))
        case .manyHostCalls:
            for number in 1...9 as ClosedRange<UInt64> {
                send(.hostCall(HostCallID(number: number), MethodID(name: "host.slow"), body: []))
            }
            Self.wait()
        case .silence: Self.wait()

        case .items: items(request, Int(rest.first ?? 0))
        case .endlessItems: items(request, Int.max)
        case .itemsWithoutCredit:
            for number in 0... as PartialRangeFrom<UInt32> { send(.item(id, sequence: number, [1], isLast: false)) }
        case .itemsOutOfSequence: sendAndWait(.item(id, sequence: 5, [1], isLast: false))
        case .itemsThenExit:
            send(.item(id, sequence: 0, [1], isLast: false))
            exit(0)
        }
    }

    private func sendAndWait(_ frame: Frame) -> Never {
        send(frame)
        Self.wait()
    }

    private static func nothing(_ rest: [UInt8]) -> UInt8? { rest.count > 1_000_000 ? 1 : nil }

    private func spin() -> Never {
        var number = UInt64(getpid())
        while true { number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    }

    private func allocate() -> Never {
        var kept: [[UInt8]] = []
        while true { kept.append([UInt8](repeating: UInt8(truncatingIfNeeded: kept.count | 1), count: 1 << 20)) }
    }

    private mutating func waitForCancel(_ request: IncomingRequest) {
        while true {
            guard case .cancel(request.id) = next() else { continue }
            if let frame = conversation.error(request.id, .cancelled, text: "as you wish") { send(frame) }
            return
        }
    }

    private mutating func items(_ request: IncomingRequest, _ count: Int) {
        var number = 0
        while number < count {
            while conversation.credit(of: request.id) == 0 {
                if case .cancel = next() {
                    if let frame = conversation.error(request.id, .cancelled, text: "as you wish") { send(frame) }
                    return
                }
            }
            if let frame = conversation.item(
                request.id, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 3), isLast: false)
            {
                send(frame)
            }
            number += 1
        }
        while conversation.credit(of: request.id) == 0 { _ = next() }
        if let frame = conversation.item(request.id, [], isLast: true) { send(frame) }
    }

    // MARK: Capabilities

    private mutating func readDescriptor() -> [UInt8] {
        guard let descriptor = descriptors.popLast() else { return [] }
        defer { close(descriptor) }
        return Self.read(descriptor)
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? [] : Array(bytes[..<count])
    }

    private func readFile(_ path: [UInt8]) -> [UInt8] {
        let descriptor = open(String(decoding: path, as: UTF8.self), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return Self.read(descriptor)
    }

    private mutating func ask(_ name: String, _ body: [UInt8]) -> [UInt8] {
        guard let call = conversation.hostCall(MethodID(name: name), body: body) else { return [] }
        send(call.frame)
        while true {
            switch next() {
            case .hostReply(call.id, let body, _): return body
            case .hostError(call.id, let code, let text): return Array("error \(code.rawValue): \(text)".utf8)
            default: continue
            }
        }
    }

    private mutating func hostCall(_ rest: [UInt8]) -> [UInt8] {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        return ask(String(decoding: rest[..<end], as: UTF8.self), Array(rest[end...].dropFirst()))
    }

    /// As many host calls as may be open, always.
    private mutating func flood(_ name: String, _ body: [UInt8]?) {
        var open = 0
        while let body {
            while open < FrameLimits.hostCalls, let call = conversation.hostCall(MethodID(name: name), body: body) {
                send(call.frame)
                open += 1
            }
            switch next() {
            case .hostReply, .hostError: open -= 1
            default: continue
            }
        }
    }

    /// The request to connect to a place, given as `host port`.
    private static func connectRequest(_ place: [UInt8]) -> [UInt8]? {
        let words = String(decoding: place, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let port = UInt16(words[1]) else { return nil }
        return try? FFV1.encode(ConnectRequest(host: String(words[0]), port: port))
    }

    private mutating func connect(_ rest: [UInt8]) -> [UInt8] {
        guard let body = Self.connectRequest(rest) else { return [] }
        let answer = ask(NetworkCalls.connect.name, body)
        guard let socket = descriptors.popLast() else { return answer }
        defer { close(socket) }
        return Self.read(socket)
    }

    private mutating func draw() -> [UInt8] {
        guard let empty = try? FFV1.encode(SurfaceRequest()),
            let layout: SurfaceLayout = try? FFV1.decode(from: ask(SurfaceCalls.open.name, empty)),
            let memory = descriptors.popLast(),
            let picture = mmap(nil, layout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0),
            picture != MAP_FAILED, let present = try? FFV1.encode(PresentRequest(frame: 1))
        else { return [] }
        memset(picture + layout.offset(of: 1), 0x7f, layout.frameByteCount)
        return ask(SurfaceCalls.present.name, present)
    }
}
