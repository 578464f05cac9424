internal import NIOCore
internal import WebSocketFrames

/// Bytes that have come from one end of a relay, for the time in which they are passed on.
struct RelayedPiece {
    let bytes: UnsafeRawBufferPointer
    /// Where they lie, if that can be held on to.
    let buffer: ByteBuffer?
}

/// One of the two ends of a relay: what it has said and heard of frames. How its bytes come and go is its subclass's.
///
/// It is read only while the other end takes what is read: so at most one buffer for each direction is on its way,
/// beside what the system holds.
class RelaySide {
    /// How many frames of the gate's own wait for the end of somebody else's frame.
    static let maximumWaiting = 4

    let relay: Relay
    private let maskingKeys: (() -> MaskingKey)?
    /// Follows the frames that come from this end.
    var tracker: FrameTracker
    /// What the tracker has counted and the metrics have already.
    var counted: FrameTally
    private var waiting: [ControlFrame] = [] {
        didSet { other?.tracker.pausesAtBoundaries = !waiting.isEmpty }
    }
    /// Whether reading waits although the other end takes bytes, because too many messages came.
    private(set) var isHeld = false
    /// Whether a close frame went out here, and whether one came from here.
    private(set) var hasSentClose = false
    var hasReceivedClose = false
    /// Whether it has answered a close frame, and so has read all that was sent to it.
    private(set) var hasAnsweredClose = false
    final var isOpen = true

    /// - Parameter sender: which end it is. To a server frames are masked.
    init(_ relay: Relay, _ sender: FrameSender) {
        self.relay = relay
        tracker = relay.tracker(of: sender)
        counted = tracker.tally
        maskingKeys = sender == .server ? { MaskingKey(.random(in: 0...UInt32.max)) } : nil
    }

    final var other: RelaySide? { relay.other(self) }

    // MARK: What each kind does

    /// Sends bytes behind all others, at the latest with the next ``flush()``.
    func write(_ bytes: [UInt8]) {}

    /// Sends a part of what the other end sent, in the same way.
    func write(_ range: Range<Int>, of piece: RelayedPiece) {}

    func flush() {}

    /// Reads nothing until ``release()``.
    func hold() { isHeld = true }

    /// Reads on.
    func release() { isHeld = false }

    /// Since when it has been read without a pause; nil while it is not.
    var readSince: NIODeadline? { nil }

    /// Sends the end of what goes out, behind everything that was written.
    func endOutput() {}

    /// Ends the connection, behind what the system has taken.
    func close() {}

    /// Ends the connection now.
    func cut() {}

    // MARK: Writing

    /// Whether anything may still be written to it.
    final var isListening: Bool { isOpen && !hasSentClose }

    /// Notes that the bytes that were just passed are a close frame.
    final func notePassedClose() { hasSentClose = true }

    /// Notes that a close frame came from here.
    final func noteReceivedClose() {
        hasReceivedClose = true
        hasAnsweredClose = hasSentClose
    }

    /// Sends a frame of the gate's own, at once or behind the frame that is passing.
    final func inject(_ frame: ControlFrame) {
        guard isListening else { return }
        if case .close = frame { waiting.removeAll() }
        guard waiting.count < Self.maximumWaiting else { return }
        waiting.append(frame)
        injectWaiting()
    }

    /// Writes what waits, if what was passed so far ends with a whole frame.
    final func injectWaiting() {
        guard !waiting.isEmpty, other?.tracker.isAtBoundary != false else { return }
        for frame in waiting where isListening {
            write(frame.encoded(maskingKey: maskingKeys?()))
            if case .close = frame { hasSentClose = true }
        }
        waiting.removeAll()
        flush()
    }

    // MARK: Ends

    /// Whether nothing is to be expected of it any more: both close frames have passed, or it has gone.
    final var isDone: Bool { !isOpen || hasSentClose && hasReceivedClose }
}
