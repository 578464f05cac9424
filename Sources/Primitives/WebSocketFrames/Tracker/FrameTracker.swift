/// Follows the frames of one direction of a WebSocket connection that is passed through, byte for byte, to another.
///
/// It reads headers and says which bytes may go on. Payloads of data frames are neither copied nor looked at, however
/// large a frame is. What goes on is always a whole number of valid frames, or such a number and a part of a data
/// frame's payload: the header of a data frame and the whole of a control frame are held back until they are complete
/// and judged (at most 131 bytes). So a frame that breaks a rule never reaches the other side, a control frame can be
/// swallowed, and whenever ``isAtBoundary`` holds, a frame of the gate's own may be written.
///
///     var offset = 0
///     while let event = tracker.next(in: piece, from: &offset) {
///         switch event {
///         case .data(let passage): forward(passage)
///         case .control(.pong(heartbeat), _): break  // swallowed
///         case .control(_, let passage): forward(passage)
///         case .violation(let violation): close(violation.code, violation.rawValue)
///         }
///     }
///
/// Source: `appattest-gate` section 4.1.
public struct FrameTracker: Sendable {
    public enum Event: Hashable, Sendable {
        /// A run of bytes of any number of data frames, or of a part of one.
        case data(Passage)
        /// One whole control frame, and its bytes.
        case control(ControlFrame, Passage)
        /// The last event. Nothing more may go on.
        case violation(FrameViolation)
    }

    /// Bytes that may go on: first those held back from earlier pieces, then a range of this one.
    public struct Passage: Hashable, Sendable {
        /// How many bytes ``FrameTracker/held`` has for this event; often none.
        public let heldCount: Int
        /// Offsets in the piece.
        public let range: Range<Int>
    }

    private enum Phase: Hashable {
        case open
        /// A violation is the next event.
        case failing(FrameViolation)
        /// A close frame or a violation was the last event.
        case over
    }

    private var phase = Phase.open
    private var grammar: FrameGrammar
    /// Nil: text is not judged.
    private var judge: TextJudge?
    /// Bytes of the data frame that are still to come.
    private var payloadLeft = 0
    private var endsMessage = false
    /// Whether ``held`` belongs to an event that has been returned.
    private var isHeldGiven = false

    /// Whether each run of data ends with the first frame that ends in it: set while a frame waits to be written in
    /// between, which could wait for ever on a stream whose pieces all end inside of frames.
    package var pausesAtBoundaries = false
    /// Bytes of earlier pieces that belong to the latest event; valid until the next call of ``next(in:from:)``.
    public private(set) var held: [UInt8] = []
    package private(set) var tally = FrameTally()
    /// What the close frame said that ended this direction; what follows it is dropped.
    public private(set) var closed: ClosePayload?

    /// - Parameters:
    ///   - sender: whose frames these are.
    ///   - extensions: what the handshake settled on.
    ///   - judgesText: also checks that text messages are UTF-8, which reads their payloads. Compressed ones are not
    ///     judged.
    public init(
        sender: FrameSender, extensions: ExtensionUse = .none, limits: FrameLimits = FrameLimits(),
        judgesText: Bool = false
    ) {
        grammar = FrameGrammar(sender: sender, extensions: extensions, limits: limits)
        judge = judgesText && extensions != .unknown ? TextJudge() : nil
    }

    /// Whether the bytes that may go on so far end with a whole frame.
    package var isAtBoundary: Bool { payloadLeft == 0 }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - piece: the bytes that came; the same until this returns nil.
    ///   - offset: where to read on; 0 for a new piece.
    /// - Returns: nil when the piece is used up.
    public mutating func next(in piece: UnsafeRawBufferPointer, from offset: inout Int) -> Event? {
        if isHeldGiven {
            held.removeAll(keepingCapacity: true)
            isHeldGiven = false
        }
        switch phase {
        case .open: break
        case .failing(let violation): return fail(violation)
        case .over:
            offset = piece.count
            return nil
        }
        if !held.isEmpty {
            guard completeHeld(in: piece, from: &offset) else { return nil }
            let start = held.withUnsafeBytes { FrameStart($0) }
            guard let start, grammar.objection(start) == nil, !start.isControl else {
                isHeldGiven = true
                let passage = Passage(heldCount: held.count, range: offset..<offset)
                let frame = held
                return frame.withUnsafeBytes { takeUp($0, passage) }
            }
            guard begin(start) else { return fail(.invalidText) }
            payloadLeft = Int(start.length)
        }
        return run(in: piece, from: &offset)
    }

    /// The least bytes that a frame of a client has: its header with the key, and no payload.
    package static let leastFrameOfClient = 6

    /// How many messages would end in a piece, which is not taken.
    package func messages(in piece: UnsafeRawBufferPointer) -> Int {
        var ahead = self
        ahead.judge = nil
        var offset = 0
        while ahead.next(in: piece, from: &offset) != nil {}
        return ahead.tally.messages - tally.messages
    }

    /// Passes data frames until something else comes, which is taken up by itself once they have gone on.
    private mutating func run(in piece: UnsafeRawBufferPointer, from offset: inout Int) -> Event? {
        let first = offset
        // Locals, since a frame's worth of loads and stores would cost more than its header.
        var (position, left) = (first, payloadLeft)
        // Where the frame began whose payload is being passed, if that was in this run.
        var frame: Int?
        while position < piece.count {
            if left > 0 {
                let count = min(left, piece.count - position)
                let payload = UnsafeRawBufferPointer(rebasing: piece[position..<position + count])
                guard accept(payload, isLast: count == left) else {
                    // Better none of the frame than a part: the other side can then still be told.
                    if let frame {
                        (position, left) = (frame, 0)
                    } else if !held.isEmpty {
                        held.removeAll()
                        left = 0
                    }
                    break
                }
                position += count
                left -= count
                if left == 0, pausesAtBoundaries { break }
                continue
            }
            let rest = UnsafeRawBufferPointer(rebasing: piece[position...])
            guard let start = FrameStart(rest), grammar.objection(start) == nil, !start.isControl else {
                guard position == first, held.isEmpty else { break }
                return takeUp(rest, from: &offset)
            }
            guard begin(start) else { break }
            frame = position
            position += start.count
            left = Int(start.length)
            if left == 0, pausesAtBoundaries { break }
        }
        (offset, payloadLeft) = (position, left)
        guard position > first || !held.isEmpty else {
            if case .failing(let violation) = phase { return fail(violation) }
            return nil
        }
        isHeldGiven = true
        return .data(Passage(heldCount: held.count, range: first..<position))
    }

    /// Enters a data frame to which there is no objection.
    ///
    /// - Returns: false if it ends a text that is not complete.
    @inline(__always) private mutating func begin(_ start: FrameStart) -> Bool {
        let count = grammar.begin(start)
        endsMessage = start.isFinal
        tally.count(start)
        tally.payloadBytes &+= count
        judge?.begin(start)
        return count > 0 || accept(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    /// Takes bytes of the payload, unless they are not the text that they should be.
    ///
    /// - Parameter isLast: whether they are the last of the frame.
    @inline(__always) private mutating func accept(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
        let isEnd = endsMessage && isLast
        if judge?.accept(bytes, isEnd: isEnd) == false {
            phase = .failing(.invalidText)
            return false
        }
        if isEnd { tally.messages &+= 1 }
        return true
    }
}

// MARK: What is no plain data

extension FrameTracker {
    /// A frame in one piece.
    private mutating func takeUp(_ rest: UnsafeRawBufferPointer, from offset: inout Int) -> Event? {
        let count = Self.countNeeded(rest)
        let isRefused = rest.count >= 2 && grammar.objection(first: rest[0], second: rest[1]) != nil
        guard isRefused || rest.count >= count else {
            held += rest
            offset += rest.count
            return nil
        }
        let end = offset + min(count, rest.count)
        let passage = Passage(heldCount: 0, range: offset..<end)
        offset = end
        return takeUp(rest, passage)
    }

    /// A whole control frame, or one that begins with an offence.
    private mutating func takeUp(_ frame: UnsafeRawBufferPointer, _ passage: Passage) -> Event {
        if let objection = grammar.objection(first: frame[0], second: frame[1]) { return fail(objection) }
        guard let start = FrameStart(frame), let opcode = FrameOpcode(rawValue: start.first & 0x0f) else {
            return fail(.reservedOpcode)
        }
        if let objection = grammar.objection(start) { return fail(objection) }
        var payload = Array(frame[start.count..<start.count + grammar.begin(start)])
        payload.withUnsafeMutableBytes { start.key.apply(to: $0) }
        do throws(FrameViolation) {
            let control = try ControlFrame(opcode, payload: payload)
            tally.count(start)
            if case .close(let close) = control { (closed, phase) = (close, .over) }
            return .control(control, passage)
        } catch {
            return fail(error)
        }
    }

    private mutating func fail(_ violation: FrameViolation) -> Event {
        phase = .over
        return .violation(violation)
    }

    /// Adds to the bytes that are held back.
    ///
    /// - Returns: whether they are complete, or offend already.
    private mutating func completeHeld(in piece: UnsafeRawBufferPointer, from offset: inout Int) -> Bool {
        while true {
            let needed = held.withUnsafeBytes { Self.countNeeded($0) }
            if held.count >= 2, grammar.objection(first: held[0], second: held[1]) != nil { return true }
            if held.count >= needed { return true }
            let end = min(piece.count, offset + needed - held.count)
            guard end > offset else { return false }
            held += piece[offset..<end]
            offset = end
        }
    }

    /// How many bytes of a frame must be there before it is judged, as far as `bytes` tell: those of the header, and
    /// the payload of a control frame.
    private static func countNeeded(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count >= 2 else { return 2 }
        let form = bytes[1] & 0x7f
        let header = 2 + (form < 126 ? 0 : form == 126 ? 2 : 8) + (bytes[1] & 0x80 != 0 ? 4 : 0)
        return bytes[0] & 0x08 != 0 && form < 126 ? header + Int(form) : header
    }
}
