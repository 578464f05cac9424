import TestSupport
import Testing
import WebSocketFrames

@Suite("FrameTracker")
struct FrameTrackerTests {
    private func track(
        _ stream: [UInt8], sender: FrameSender = .client, extensions: ExtensionUse = .none,
        limits: FrameLimits = FrameLimits(), judgesText: Bool = false
    ) -> Track {
        var track = Track()
        var tracker = FrameTracker(sender: sender, extensions: extensions, limits: limits, judgesText: judgesText)
        tracker.read(stream, into: &track)
        return track
    }

    @Test("the examples of RFC 6455 section 5.7 pass")
    func published() {
        let hello = Array("Hello".utf8)
        let server: [UInt8] = [
            0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f, 0x89, 0x05,
            0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x82, 0x7e, 0x01, 0x00,
        ]
        let binary = (0..<256).map { UInt8($0) }
        let passed = track(server + binary, sender: .server)
        #expect(
            passed == Track(forwarded: server + binary, controls: [.ping(hello)], violation: nil, isAtBoundary: true))
        let client: [UInt8] = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58, 0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f,
            0x9f, 0x4d, 0x51, 0x58,
        ]
        #expect(track(client) == Track(forwarded: client, controls: [.pong(hello)], violation: nil, isAtBoundary: true))
        let long = [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536)
        #expect(track(long, sender: .server).forwarded == long)
    }

    @Test(
        "a frame that breaks a rule does not go on, and what precedes it does",
        arguments: [
            ([0x91, 0x80, 1, 2, 3, 4], FrameViolation.reservedBits), ([0xa1, 0x80, 1, 2, 3, 4], .reservedBits),
            ([0xc1, 0x80, 1, 2, 3, 4], .reservedBits), ([0xc9, 0x80, 1, 2, 3, 4], .reservedBits),
            ([0x83, 0x80, 1, 2, 3, 4], .reservedOpcode), ([0x87, 0x80, 1, 2, 3, 4], .reservedOpcode),
            ([0x8b, 0x80, 1, 2, 3, 4], .reservedOpcode), ([0x8f, 0x80, 1, 2, 3, 4], .reservedOpcode),
            ([0x81, 0x00], .notMasked), ([0x09, 0x80, 1, 2, 3, 4], .fragmentedControl),
            ([0x89, 0xfe, 0, 126, 1, 2, 3, 4], .longControl), ([0x88, 0xff], .longControl),
            ([0x80, 0x80, 1, 2, 3, 4], .unexpectedContinuation), ([0x00, 0x80, 1, 2, 3, 4], .unexpectedContinuation),
            ([0x82, 0xfe, 0, 125, 1, 2, 3, 4], .lengthNotShortest),
            ([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4], .lengthNotShortest),
            ([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], .lengthOutOfRange),
            ([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4], .frameTooBig),
            ([0x88, 0x81, 0, 0, 0, 0, 3], .closeLength), ([0x88, 0x82, 0, 0, 0, 0, 3, 0xed], .closeCode),
            ([0x88, 0x83, 0, 0, 0, 0, 3, 0xe8, 0xff], .closeReason),
        ] as [([UInt8], FrameViolation)])
    func refused(frame: [UInt8], rule: FrameViolation) {
        let before = masked(.text, Array("x".utf8)) + masked(.ping, [1])
        for tail in [[], [UInt8](repeating: 0, count: 200)] {
            let passed = track(before + frame + tail)
            #expect(passed == Track(forwarded: before, controls: [.ping([1])], violation: rule, isAtBoundary: true))
        }
        // Byte by byte the offence shows at the latest with the last of these bytes.
        var (tracker, passed) = (FrameTracker(sender: .client), Track())
        for byte in before + frame { tracker.read([byte], into: &passed) }
        #expect(passed == Track(forwarded: before, controls: [.ping([1])], violation: rule, isAtBoundary: true))
    }

    @Test("a server's frame with a mask, and a message inside another, are refused")
    func context() {
        #expect(track(masked(.text, []), sender: .server).violation == .masked)
        let begun = masked(.text, [65], isFinal: false)
        #expect(track(begun + masked(.binary, [])).violation == .interruptedMessage)
        let whole = begun + masked(.ping, []) + masked(.continuation, [66]) + masked(.binary, [1])
        #expect(track(whole).forwarded == whole)
        #expect(track(whole + masked(.continuation, [])).violation == .unexpectedContinuation)
    }

    @Test("every close code is judged as the specification lists it")
    func closeCodes() {
        let allowed = Set([1000...1003, 1007...1014, 3000...4999].joined())
        for code in 0...0xffff {
            let payload = [UInt8(code >> 8), UInt8(code & 0xff)]
            #expect((track(masked(.close, payload)).violation == nil) == allowed.contains(code))
        }
    }

    @Test("reserved bits are judged by what was negotiated")
    func extensions() {
        let compressed = masked(.text, [0], isFinal: false, isCompressed: true)
        let deflate = ExtensionUse.permessageDeflate
        #expect(track(compressed + masked(.continuation, [0]), extensions: deflate).violation == nil)
        let again = compressed + masked(.continuation, [], isCompressed: true)
        #expect(track(again, extensions: deflate).violation == .reservedBits)
        #expect(track(masked(.ping, [], isCompressed: true), extensions: deflate).violation == .reservedBits)
        #expect(track([0xd1, 0x80, 0, 0, 0, 0], extensions: deflate).violation == .reservedBits)
        #expect(track([0xf1, 0x80, 0, 0, 0, 0], extensions: .unknown).violation == nil)
        #expect(track([0xf3, 0x80, 0, 0, 0, 0], extensions: .unknown).violation == .reservedOpcode)
    }

    @Test("a tracker passes frames and messages as large as the limits and no larger")
    func limits() {
        let limits = FrameLimits(frame: 300, message: 500)
        func frame(_ count: Int, _ opcode: FrameOpcode = .binary, isFinal: Bool = true) -> [UInt8] {
            masked(opcode, [UInt8](repeating: 0, count: count), isFinal: isFinal)
        }
        #expect(track(frame(300), limits: limits).violation == nil)
        #expect(track(frame(301), limits: limits).violation == .frameTooBig)
        let begun = frame(300, isFinal: false)
        let whole = begun + frame(200, .continuation) + frame(300)
        #expect(track(whole, limits: limits).forwarded == whole)
        #expect(track(begun + frame(201, .continuation), limits: limits).violation == .messageTooBig)
        #expect(FrameViolation.messageTooBig.code == .tooBig && FrameViolation.frameTooBig.code == .tooBig)
        #expect(track(frame(0), limits: FrameLimits(frame: 0, message: 0)).violation == nil)
    }

    @Test("a pong of the gate's own is swallowed wherever it is cut, and all others pass")
    func swallowedPongs() {
        let heartbeat: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 9]
        let (begin, end) = (masked(.text, [65], isFinal: false), masked(.continuation, [66]))
        let stream = begin + masked(.pong, heartbeat) + masked(.pong, [1]) + masked(.ping, heartbeat) + end
        let expected = begin + masked(.pong, [1]) + masked(.ping, heartbeat) + end
        for first in 0...stream.count {
            for second in first...min(stream.count, first + 9) {
                var (tracker, track) = (FrameTracker(sender: .client), Track())
                for part in [stream[..<first], stream[first..<second], stream[second...]] {
                    tracker.read(Array(part), into: &track) { $0 == .pong(heartbeat) }
                }
                #expect(track.forwarded == expected)
                #expect(track.controls.count == 3)
            }
        }
    }

    @Test("it stands at a boundary except inside a data frame's payload")
    func boundaries() {
        let stream = masked(.text, [1, 2, 3]) + masked(.ping, [4]) + masked(.binary, [])
        var (tracker, track) = (FrameTracker(sender: .client), Track())
        var boundaries: [Int] = []
        for (index, byte) in stream.enumerated() {
            tracker.read([byte], into: &track)
            if tracker.isAtBoundary { boundaries.append(index) }
            // What went on is whole frames exactly then.
            let whole = [0, 9, 16, 22].contains(track.forwarded.count)
            #expect(tracker.isAtBoundary == whole)
        }
        #expect(boundaries == Array(0...4) + Array(8..<22))
    }

    @Test("it pauses at each boundary on request, so that a frame can go between")
    func pauses() {
        let frames = [masked(.text, [1, 2, 3]), masked(.binary, []), masked(.ping, [4]), masked(.binary, [5])]
        for piece in [1, 5, 12, .max] {
            var tracker = FrameTracker(sender: .client)
            tracker.pausesAtBoundaries = true
            var (bytes, whole): ([UInt8], [[UInt8]]) = ([], [])
            var rest = frames.flatMap { $0 }[...]
            while !rest.isEmpty {
                Array(rest.prefix(piece)).withUnsafeBytes { part in
                    var offset = 0
                    while let event = tracker.next(in: part, from: &offset) {
                        switch event {
                        case .data(let passage), .control(_, let passage):
                            bytes += tracker.held.prefix(passage.heldCount) + part[passage.range]
                        case .violation(let violation): Issue.record("\(violation)")
                        }
                        guard tracker.isAtBoundary else { continue }
                        whole.append(bytes)
                        bytes = []
                    }
                }
                rest = rest.dropFirst(piece)
            }
            #expect(whole == frames)
        }
    }

    @Test("nothing goes on behind a close frame")
    func close() {
        let close = masked(.close, [3, 0xe9] + Array("bye".utf8))
        var (tracker, passed) = (FrameTracker(sender: .client), Track())
        tracker.read(close + masked(.text, [1]), into: &passed)
        tracker.read([0xff, 0xff], into: &passed)
        #expect(passed.forwarded == close)
        #expect(tracker.closed == ClosePayload(.goingAway, reason: "bye"))
        #expect(track(masked(.close, [])).controls == [.close(.empty)])
    }

    @Test("it counts what passes")
    func tally() {
        var (tracker, track) = (FrameTracker(sender: .client), Track())
        let stream =
            masked(.text, [65], isFinal: false) + masked(.ping, []) + masked(.continuation, [66, 67])
            + masked(.binary, []) + masked(.pong, [1]) + masked(.close, [])
        tracker.read(stream, into: &track)
        let tally = tracker.tally
        #expect((tally.text, tally.binary, tally.continuation) == (1, 1, 1))
        #expect((tally.ping, tally.pong, tally.close, tally.messages, tally.payloadBytes) == (1, 1, 1, 2, 3))
    }

    @Test("the messages of a piece are counted ahead, also from within a frame, and nothing is taken by that")
    func ahead() {
        let stream = masked(.text, [65, 66]) + masked(.ping, []) + masked(.binary, []) + masked(.text, [67])
        for count in stream.indices {
            let (first, second) = (Array(stream[..<count]), Array(stream[count...]))
            var (tracker, track) = (FrameTracker(sender: .client), Track())
            let early = first.withUnsafeBytes { tracker.messages(in: $0) }
            tracker.read(first, into: &track)
            #expect(tracker.tally.messages == early)
            #expect(second.withUnsafeBytes { tracker.messages(in: $0) } == 3 - early)
            tracker.read(second, into: &track)
            #expect(track.forwarded == stream && tracker.tally.messages == 3)
        }
    }

    @Test("text is judged on request, across frames and pieces, unless it is compressed")
    func text() {
        let euro: [UInt8] = [0xe2, 0x82, 0xac]
        let good = masked(.text, [0xe2], isFinal: false) + masked(.ping, [0xff]) + masked(.continuation, [0x82, 0xac])
        let long = masked(.text, [UInt8]((0..<5_000).map { euro[$0 % 3] }.prefix(4_998)))
        for stream in [good, long, masked(.binary, [0xff]), masked(.text, [])] {
            #expect(track(stream, judgesText: true) == track(stream))
        }
        let bad = masked(.text, [0xe2], isFinal: false)
        for rest in [masked(.continuation, [0x41]), masked(.continuation, []), masked(.continuation, [0x82])] {
            let passed = track(good + bad + rest, judgesText: true)
            #expect(passed.violation == .invalidText)
            // Not a byte of the offending frame, which came whole.
            #expect(passed.forwarded == good + bad && passed.isAtBoundary)
            var (tracker, slow) = (FrameTracker(sender: .client, judgesText: true), Track())
            for byte in good + bad + rest { tracker.read([byte], into: &slow) }
            #expect(slow.violation == .invalidText && slow.forwarded.starts(with: good + bad))
        }
        // Nor of a frame whose header came before its payload.
        let (header, payload) = (masked(.text, [0xff]).dropLast(), masked(.text, [0xff]).suffix(1))
        var (tracker, cut) = (FrameTracker(sender: .client, judgesText: true), Track())
        for part in [header.dropLast(), header.suffix(1) + payload] { tracker.read(Array(part), into: &cut) }
        #expect(cut == Track(violation: .invalidText))
        let compressed = masked(.text, [0xff], isCompressed: true)
        #expect(track(compressed, extensions: .permessageDeflate, judgesText: true).violation == nil)
        #expect(track(plain(.text, [0xff]), sender: .server, judgesText: true).violation == .invalidText)
    }
}
