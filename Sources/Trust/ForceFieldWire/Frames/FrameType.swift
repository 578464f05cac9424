/// What a frame is.
///
/// Source: `forcefield` section 11.
package enum FrameType: UInt8, CaseIterable, Sendable {
    case hello = 0x01
    case welcome = 0x02
    case request = 0x10
    case response = 0x11
    case error = 0x12
    case cancel = 0x13
    case item = 0x14
    case credit = 0x15
    case progress = 0x16
    case hostCall = 0x20
    case hostReply = 0x21
    case hostError = 0x22
    case log = 0x30
    case shutdown = 0x3e
    case goodbye = 0x3f

    package var isFromWorker: Bool {
        switch self {
        case .hello, .response, .error, .item, .progress, .hostCall, .log, .goodbye: true
        case .welcome, .request, .cancel, .credit, .hostReply, .hostError, .shutdown: false
        }
    }

    /// Payload bytes, whatever the method's own limit.
    ///
    /// - Parameter maxFrame: that both sides agreed on.
    package func limit(maxFrame: Int) -> Int {
        switch self {
        case .hello: Hello.count
        case .welcome, .hostCall, .hostReply: FrameLimits.small
        case .request, .response, .item: maxFrame
        case .error, .hostError, .log: FrameLimits.text
        case .progress: 16
        case .cancel, .credit, .shutdown, .goodbye: 0
        }
    }
}

/// Sizes that the protocol fixes.
///
/// Source: `forcefield` section 11.
package enum FrameLimits {
    /// Payload bytes of any frame, unless a side says less.
    package static let defaultFrame = 16 << 20
    /// The most that may be said.
    package static let largestFrame = 64 << 20
    /// The least: room for every frame of fixed size and a small body.
    package static let smallestFrame = 4 << 10
    /// Bytes of configurations and of host calls with their answers.
    package static let small = 64 << 10
    /// Bytes of UTF-8 in errors and log lines.
    package static let text = 1_024
    /// Items that one CREDIT allows.
    package static let credit = 1...65_535
    /// Host calls that a worker may have open.
    package static let hostCalls = 8
}
