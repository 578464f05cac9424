import StrictJSON
import Telnet
import WebSocketFrames

extension FuzzTarget {
    /// A JSON text: what is read is read the same when it is written again.
    static let strictJSON = FuzzTarget(
        name: "strict-json",
        seeds: [#"{"keyId":"a\u00e9\ud83d\ude00","n":[-1.5e+3,true,null,{}]}"#, "[[]]", "\"\""].map { Array($0.utf8) }
    ) { bytes in
        guard let value = try? JSONReader().read(bytes) else { return }
        precondition((try? JSONReader(maximumBytes: .max).read(value.utf8(pretty: true))) == value)
    }

    /// Frames of a client through a tracker, whole and in pieces: the same goes on, no more than came, and the tracker
    /// takes it again.
    static let frameTracker = FuzzTarget(name: "frame-tracker", seeds: frameSeeds) { bytes in
        let whole = track(bytes, piece: .max)
        precondition(bytes.starts(with: whole.bytes))
        for piece in [1, 7] { precondition(track(bytes, piece: piece) == whole) }
        precondition(track(whole.bytes, piece: .max).violation == nil)
    }

    /// The same through an endpoint, with and without compression.
    static let webSocketEndpoint = FuzzTarget(name: "ws-endpoint", seeds: frameSeeds) { bytes in
        for compression in [nil, MessageCompression(threshold: 4)] {
            let whole = converse(bytes, piece: .max, compression)
            for piece in [1, 7] { precondition(converse(bytes, piece: piece, compression) == whole) }
        }
    }

    /// What a server answers to a handshake, and a client offers.
    static let handshakeHeaders = FuzzTarget(
        name: "ws-headers",
        seeds: ["permessage-deflate; client_max_window_bits=15, x; a=\"b\\c\"", "keep-alive, Upgrade"].map {
            Array($0.utf8)
        }
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = HeaderTokens.list([text, text])
        _ = HandshakeKey(text)
        guard let extensions = WebSocketExtension.list([text]) else { return }
        _ = PermessageDeflate.answer(to: extensions)
        _ = HandshakeAnswer.areOffered(extensions, in: extensions)
    }

    /// A telnet server, whole and byte by byte, and its events in every framing.
    static let telnet = FuzzTarget(
        name: "telnet",
        seeds: [
            [0xff, 0xfb, 0xc9, 0xff, 0xfa, 0xc9, 0x41, 0x20, 0x7b, 0x7d, 0xff, 0xf0, 0xe2, 0x82, 0xff, 0xf9],
            [0xff, 0xfd, 0x18, 0xff, 0xfa, 0x18, 1, 0xff, 0xf0, 0xff, 0xfd, 0x1f, 0xff, 0xfd, 0x27, 0xff, 0xfd, 0x2a],
            [0xff, 0xfd, 0x2a, 0xff, 0xfa, 0x2a, 1, 0x3b, 0x55, 0x54, 0x46, 0x2d, 0x38, 0xff, 0xf0],
        ]
    ) { bytes in
        let settings = TelnetSettings(maximumSubnegotiationBytes: 16, clientAddress: "192.0.2.1")
        var (whole, slow) = (TelnetConnection(settings), TelnetConnection(settings))
        var coders = ClientFraming.allCases.map { ClientCoder($0) }
        whole.receive(bytes) { event in
            for index in coders.indices {
                guard let message = try? coders[index].encode(event), message.isText else { continue }
                precondition(String(validating: message.bytes, as: UTF8.self) != nil)
            }
        }
        for byte in bytes { slow.receive([byte]) { _ in } }
        precondition(whole.output == slow.output)
    }

    /// What a client asks for, in every framing.
    static let clientRequest = FuzzTarget(
        name: "client-request",
        seeds: [
            #"{"type":"naws","width":80,"height":24}"#, #"{"type":"gmcp","package":"a","data":[1]}"#,
            #"{"type":"input","text":"\n"}"#, #"{"connect":1}"#,
        ].map { Array($0.utf8) }
    ) { bytes in
        for framing in ClientFraming.allCases {
            var coder = ClientCoder(framing)
            _ = coder.decode(bytes)
            _ = coder.decode(bytes)
        }
    }

    private static let frameSeeds: [[UInt8]] = [
        [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58, 0x89, 0x80, 0, 0, 0, 0],
        [0x01, 0x81, 0, 0, 0, 0, 0xce, 0x80, 0x81, 0, 0, 0, 0, 0xba, 0x88, 0x82, 0, 0, 0, 0, 3, 0xe8],
        [0xc1, 0x87, 0, 0, 0, 0, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x82, 0xfe, 0, 126, 0, 0, 0, 0],
    ]

    private struct Track: Equatable {
        var bytes: [UInt8] = []
        var controls: [ControlFrame] = []
        var violation: FrameViolation?
    }

    private static func track(_ bytes: [UInt8], piece: Int) -> Track {
        var track = Track()
        var tracker = FrameTracker(
            sender: .client, extensions: .permessageDeflate, limits: FrameLimits(frame: 1_000, message: 2_000))
        inPieces(bytes, of: piece) { part in
            var offset = 0
            while let event = tracker.next(in: part, from: &offset) {
                switch event {
                case .data(let passage): track.bytes += tracker.held.prefix(passage.heldCount) + part[passage.range]
                case .control(let frame, let passage):
                    track.controls.append(frame)
                    track.bytes += tracker.held.prefix(passage.heldCount) + part[passage.range]
                case .violation(let violation): track.violation = violation
                }
            }
        }
        return track
    }

    private struct Conversation: Equatable {
        var events: [WebSocketEndpoint.Event] = []
        var output: [UInt8] = []
    }

    private static func converse(_ bytes: [UInt8], piece: Int, _ compression: MessageCompression?) -> Conversation {
        var conversation = Conversation()
        let limits = FrameLimits(frame: 1_000, message: 2_000)
        var endpoint = WebSocketEndpoint(role: .server, limits: limits, compression: compression)
        inPieces(bytes, of: piece) { part in
            var offset = 0
            while let event = endpoint.next(in: part, from: &offset) {
                if case .message(let kind, let content) = event {
                    precondition(content.count <= 2_000)
                    precondition(kind == .binary || String(validating: content, as: UTF8.self) != nil)
                    endpoint.send(kind, content)
                }
                conversation.events.append(event)
            }
        }
        conversation.output = endpoint.takeOutput()
        return conversation
    }

    private static func inPieces(_ bytes: [UInt8], of count: Int, _ read: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = start + min(count, bytes.count - start)
                read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }
}
