import GateKnownAnswers
import WebSocketFrames

/// What a tracker said of a stream.
struct Track: Equatable {
    /// Bytes that went on.
    var forwarded: [UInt8] = []
    var controls: [ControlFrame] = []
    var violation: FrameViolation?
    var isAtBoundary = true
}

extension FrameTracker {
    /// Reads a piece to its end.
    ///
    /// - Parameter swallows: control frames that do not go on.
    mutating func read(_ piece: [UInt8], into track: inout Track, swallows: (ControlFrame) -> Bool = { _ in false }) {
        piece.withUnsafeBytes { bytes in
            var offset = 0
            while let event = next(in: bytes, from: &offset) {
                switch event {
                case .data(let passage): track.forwarded += held.prefix(passage.heldCount) + bytes[passage.range]
                case .control(let frame, let passage):
                    track.controls.append(frame)
                    if !swallows(frame) { track.forwarded += held.prefix(passage.heldCount) + bytes[passage.range] }
                case .violation(let violation): track.violation = violation
                }
            }
            precondition(offset == bytes.count || track.violation != nil)
        }
        track.isAtBoundary = isAtBoundary
    }
}

/// A server that echoes, behind a tracker for each direction.
final class ProxiedServer {
    private let server = EchoServer()
    private var toServer: FrameTracker
    private var toClient: FrameTracker
    private var output: [UInt8] = []
    private(set) var violation: FrameViolation?

    init(judgesText: Bool) {
        let limits = FrameLimits(frame: 16 << 20, message: 16 << 20)
        toServer = FrameTracker(sender: .client, limits: limits, judgesText: judgesText)
        toClient = FrameTracker(sender: .server, limits: limits, judgesText: judgesText)
    }

    func send(_ bytes: [UInt8]) {
        guard violation == nil else { return }
        var track = Track()
        toServer.read(bytes, into: &track)
        server.send(track.forwarded)
        takeAnswers()
        guard let broken = track.violation else { return }
        violation = broken
        if toClient.isAtBoundary {
            output += ControlFrame.close(ClosePayload(broken.code, reason: broken.rawValue)).encoded()
        }
    }

    private func takeAnswers() {
        guard case .bytes(let bytes) = server.receive(.zero) else { return }
        var track = Track()
        toClient.read(bytes, into: &track)
        precondition(track.violation == nil, "the endpoint broke \(String(describing: track.violation))")
        output += track.forwarded
    }

    func receive(_: Duration) -> WebSocketPlay.Received {
        guard output.isEmpty else {
            defer { output = [] }
            return .bytes(output)
        }
        return violation != nil || server.receive(.zero) == .ended ? .ended : .quiet
    }
}

/// What an endpoint made of a stream.
struct Conversation: Equatable {
    var events: [WebSocketEndpoint.Event] = []
    var output: [UInt8] = []
}

extension WebSocketEndpoint {
    mutating func read(_ piece: [UInt8], into conversation: inout Conversation) {
        piece.withUnsafeBytes { bytes in
            var offset = 0
            while let event = next(in: bytes, from: &offset) { conversation.events.append(event) }
        }
        conversation.output += takeOutput()
    }
}

/// A client's frame with a mask.
func masked(
    _ opcode: FrameOpcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false,
    key: UInt32 = 0x37fa_213d
) -> [UInt8] {
    var bytes: [UInt8] = []
    let header = FrameHeader(
        opcode, count: payload.count, isFinal: isFinal, isCompressed: isCompressed, maskingKey: MaskingKey(key))
    payload.withUnsafeBytes { header.append(to: &bytes, payload: $0) }
    return bytes
}

/// A server's frame.
func plain(_ opcode: FrameOpcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    let header = FrameHeader(opcode, count: payload.count, isFinal: isFinal, isCompressed: isCompressed)
    payload.withUnsafeBytes { header.append(to: &bytes, payload: $0) }
    return bytes
}
