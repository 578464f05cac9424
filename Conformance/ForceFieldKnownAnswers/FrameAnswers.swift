import ForceField
import ForceFieldWire
import KnownAnswers

/// Whole frames: each is built anew, and read by the side that it is for.
enum FrameAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("interfaceText", "frames") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let interface = FNV1a.hash64((content["interfaceText"].string ?? "").utf8)
        report.check(content["frames"]) { row in
            let (name, bytes) = (try row.text("name"), try row.bytes("hex"))
            guard let frame = frame(name, interface) else {
                throw RowError.missing("the name of a frame that is built here, not \(name),")
            }
            row.expect(name, frame.bytes, equals: bytes)
            guard bytes.count > 16 else { throw RowError.missing("hex") }
            let isForHost = try row.choice("dir", ["w>h": true, "h>w": false])
            let isRead = try isForHost ? hostReads(bytes, interface) : workerReads(bytes, interface)
            row.expect("\(name) is read", isRead, equals: true)
        }
    }

    /// The frames of the list, as their names and the lengths of their parts say.
    private static func frame(_ name: String, _ interface: UInt64) -> Frame? {
        let echo = MethodID(name: "echo")
        let size = UInt32(16 << 20)
        return switch name {
        case "hello": .hello(Hello(role: .unsaid, interfaceHash: interface, maxFrame: size, maxInFlight: 1))
        case "welcome": .welcome(Welcome(interfaceHash: interface, maxFrame: size, maxInFlight: 1))
        case "request-echo": .request(1, echo, body: Array("hi".utf8), timeLeft: .seconds(2))
        case "response-echo": .response(1, Array("hi".utf8))
        case "error-unknown-method": .error(2, .unknownMethod, text: "no such method")
        case "cancel": .cancel(3)
        case "item-0": .item(4, sequence: 0, Array("a".utf8), isLast: false)
        case "item-1-end": .item(4, sequence: 1, Array("b".utf8), isLast: true)
        case "credit": .credit(4, items: 8)
        case "progress": .progress(5, done: 10, total: 100)
        case "hostcall": .hostCall(HostCallID(number: 1), MethodID(rawValue: 0x6269_290e), body: [])
        case "hostreply": .hostReply(HostCallID(number: 1), body: [4, 1, 0, 0, 0, 0, 0, 0, 0])
        case "log": .log(.info, "started")
        case "shutdown": .shutdown
        case "goodbye": .goodbye
        default: nil
        }
    }

    /// A host with calls 1 and 2 and 3 and 5 open, and stream 4; for a GOODBYE with none, for it leaves none behind.
    private static func hostReads(_ bytes: [UInt8], _ interface: UInt64) throws -> Bool {
        var host = try KnownConversation.host(interface, saysHello: bytes[4] != FrameType.hello.rawValue)
        for call in 1...5 where host.agreed != nil && bytes[4] != FrameType.goodbye.rawValue {
            let id = try host.request(
                MethodID(name: "echo"), call == 4 ? .stream(maxItem: 1_024) : .unary(maxReply: 1_024), body: [],
                at: .now
            ).id
            _ = host.credit(id, items: 8)
        }
        // The second item follows the first.
        if bytes[16] == 1, bytes[4] == FrameType.item.rawValue {
            let first = Frame.item(4, sequence: 0, [], isLast: false).bytes
            guard try KnownConversation.events(of: first, read: &host) == 1 else { return false }
        }
        return try KnownConversation.events(of: bytes, read: &host) == 1
    }

    /// A worker with requests 1 to 4 and a host call open.
    private static func workerReads(_ bytes: [UInt8], _ interface: UInt64) throws -> Bool {
        var worker = WorkerSideConversation(
            Hello(role: .linked, interfaceHash: interface, maxFrame: 16 << 20, maxInFlight: 8))
        var before: [UInt8] = []
        if bytes[4] != FrameType.welcome.rawValue {
            before = Frame.welcome(Welcome(interfaceHash: interface, maxFrame: 16 << 20, maxInFlight: 8)).bytes
        }
        if bytes[4] != FrameType.welcome.rawValue, bytes[4] != FrameType.request.rawValue {
            for id in 1...4 { before += Frame.request(UInt64(id), MethodID(name: "echo"), body: []).bytes }
        }
        _ = worker.hostCall(MethodID(name: "net.connect"), body: [])
        _ = try KnownConversation.events(of: before, read: &worker)
        return try KnownConversation.events(of: bytes, read: &worker) == 1
    }
}
