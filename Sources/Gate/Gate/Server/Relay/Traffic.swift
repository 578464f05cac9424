internal import WebSocketFrames

/// The counters that every message touches, without the others, which would be held and let go of each time.
struct Traffic {
    private let frames: CounterFamily2<Direction, FrameOpcode>
    private let bytes: CounterFamily<Direction>

    init(_ metrics: GateMetrics) { (frames, bytes) = (metrics.frames, metrics.bytes) }

    /// Counts what a direction has carried since it was counted last.
    func count(_ new: FrameTally, since old: FrameTally, bytes count: Int, _ direction: Direction) {
        if new.text != old.text { frames.add(direction, .text, count: new.text - old.text) }
        if new.binary != old.binary { frames.add(direction, .binary, count: new.binary - old.binary) }
        if new.continuation != old.continuation {
            frames.add(direction, .continuation, count: new.continuation - old.continuation)
        }
        if new.ping != old.ping { frames.add(direction, .ping, count: new.ping - old.ping) }
        if new.pong != old.pong { frames.add(direction, .pong, count: new.pong - old.pong) }
        if new.close != old.close { frames.add(direction, .close, count: new.close - old.close) }
        bytes.add(direction, count: count)
    }
}
