internal import WebSocketFrames

/// The counters that every message touches, without the others, which would be held and let go of each time.
struct Traffic {
    private let frames: CounterFamily2<Direction, FrameOpcode>
    private let bytes: CounterFamily<Direction>

    init(_ metrics: GateMetrics) { (frames, bytes) = (metrics.frames, metrics.bytes) }

    /// Counts what a direction has carried since it was counted last.
    func count(_ new: FrameTally, since old: FrameTally, bytes count: Int, _ direction: Direction) {
        if new.text != old.text { frames.add(new.text - old.text, direction, .text) }
        if new.binary != old.binary { frames.add(new.binary - old.binary, direction, .binary) }
        if new.continuation != old.continuation {
            frames.add(new.continuation - old.continuation, direction, .continuation)
        }
        if new.ping != old.ping { frames.add(new.ping - old.ping, direction, .ping) }
        if new.pong != old.pong { frames.add(new.pong - old.pong, direction, .pong) }
        if new.close != old.close { frames.add(new.close - old.close, direction, .close) }
        bytes.add(count, direction)
    }
}
