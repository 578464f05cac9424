internal import NIOCore
internal import WebSocketFrames

/// One of the two ends of a relay, at the tail of its channel's pipeline.
///
/// It reads from its channel only while the other end's channel takes what is read: so at most one buffer for each
/// direction is on its way, beside what the system holds.
final class RelaySide: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How many frames of the gate's own wait for the end of somebody else's frame.
    static let maximumWaiting = 4

    private let relay: Relay
    private let maskingKeys: (() -> MaskingKey)?
    /// Follows the frames that come from this end.
    var tracker: FrameTracker
    /// What the tracker has counted and the metrics have already.
    var counted: FrameTally
    private(set) var context: ChannelHandlerContext?
    private var waiting: [ControlFrame] = []
    private var wantsRead = false
    private var needsFlush = false
    /// Whether reading waits although the other end takes bytes, because too many messages came.
    var isHeld = false
    /// Whether a close frame went out here, and whether one came from here.
    private(set) var hasSentClose = false
    var hasReceivedClose = false
    /// Whether it has answered a close frame, and so has read all that was sent to it.
    private(set) var hasAnsweredClose = false
    private(set) var isOpen = true
    private var hasClosedOutput = false

    /// - Parameter masks: whether this is a server, to which frames are masked.
    init(_ relay: Relay, _ tracker: FrameTracker, masks: Bool) {
        self.relay = relay
        self.tracker = tracker
        counted = tracker.tally
        maskingKeys = masks ? { MaskingKey(.random(in: 0...UInt32.max)) } : nil
    }

    private var other: RelaySide? { relay.other(self) }

    // MARK: Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isOpen = context.channel.isActive
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        relay.receive(unwrapInboundIn(data), from: self)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        other?.flush()
        flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if canRead { context.read() } else { wantsRead = true }
    }

    private var canRead: Bool { !isHeld && other?.isTaking != false }

    /// Whether its channel takes more bytes. One that has gone takes all: they are dropped.
    private var isTaking: Bool { !isOpen || context?.channel.isWritable != false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.resume() }
        context.fireChannelWritabilityChanged()
    }

    /// Reads on if it may.
    func resume() {
        guard wantsRead, canRead, let context else { return }
        wantsRead = false
        context.read()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        relay.lose(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: Writing

    /// Writes bytes of the other end.
    func pass(_ bytes: ByteBuffer) {
        guard isOpen, !hasSentClose, let context else { return }
        needsFlush = true
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    /// Notes that the bytes that were just passed are a close frame.
    func notePassedClose() { hasSentClose = true }

    /// Notes that a close frame came from here.
    func noteReceivedClose() {
        hasReceivedClose = true
        hasAnsweredClose = hasSentClose
    }

    /// Sends a frame of the gate's own, at once or behind the frame that is passing.
    func inject(_ frame: ControlFrame) {
        guard isOpen, !hasSentClose else { return }
        if case .close = frame { waiting.removeAll() }
        guard waiting.count < Self.maximumWaiting else { return }
        waiting.append(frame)
        injectWaiting()
    }

    /// Writes what waits, if what was passed so far ends with a whole frame.
    func injectWaiting() {
        guard !waiting.isEmpty, other?.tracker.isAtBoundary != false else { return }
        for frame in waiting {
            pass(ByteBuffer(bytes: frame.encoded(maskingKey: maskingKeys?())))
            if case .close = frame { hasSentClose = true }
        }
        waiting.removeAll()
        flush()
    }

    func flush() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    // MARK: Ends

    /// Whether nothing is to be expected of it any more: both close frames have passed, or it has gone.
    var isDone: Bool { !isOpen || hasSentClose && hasReceivedClose }

    func closeOutput() {
        guard isOpen, !hasClosedOutput, let context else { return }
        hasClosedOutput = true
        flush()
        context.close(mode: .output, promise: nil)
    }

    func close() { context?.close(promise: nil) }

    func cut() { context?.channel.cut() }
}
