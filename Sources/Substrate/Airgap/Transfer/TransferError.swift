/// Why the content of a QR symbol does not fit those read before it, or no payload comes of them.
///
/// Nothing that was read is lost by an error: reading may go on, or start anew with ``TransferReader/reset()``. Behind
/// ``sameNumber(index:)`` it has to start anew, and behind ``mixedTransfers`` where each further frame is refused.
public enum TransferError: Error, Equatable, Sendable {
    /// The frame number is not below the number of frames.
    case lengthExceeded(index: Int, count: Int)
    /// A frame comes again with other data.
    case sameNumber(index: Int)
    /// Frames tell of different numbers of frames.
    case conflictingLegacyLengths(was: Int, found: Int)
    /// Frames tell of payloads of different sizes.
    case conflictingPayloads(was: Int, found: Int)
    /// Frames of one payload have different sizes.
    case conflictingFrameSize(was: Int, found: Int)
    /// A fountain frame came among legacy frames.
    case legacyInterruptedByFountain
    /// A legacy frame came among fountain frames.
    case fountainInterruptedByLegacy
    /// A code that is a whole payload came among frames.
    case dynamicInterruptedByStatic
    /// The frame is malformed.
    case malformedFrame(reason: String)
    /// The payload is larger than the limit.
    case payloadTooLarge(size: Int, limit: Int)
    /// The frames contradict each other in every numbering: they are of two payloads of the same size.
    case mixedTransfers
    /// The input has ended before enough frames were seen.
    case unableToDecode(distinct: Int, needed: Int)
    /// The frames give a payload in both numberings, and no further frame tells which is right.
    case numberingUnknown
    /// Codes of too many payloads at a time.
    case tooManyTransfers
    /// The symbol says that its message goes on in others (structured append).
    case partOfMessage(index: Int, count: Int)

    /// The name that the specification gives it.
    public var code: String {
        switch self {
        case .lengthExceeded: "LengthExceeded"
        case .sameNumber: "SameNumber"
        case .conflictingLegacyLengths: "ConflictingLegacyLengths"
        case .conflictingPayloads: "ConflictingPayloads"
        case .conflictingFrameSize: "ConflictingFrameSize"
        case .legacyInterruptedByFountain: "LegacyInterruptedByFountain"
        case .fountainInterruptedByLegacy: "FountainInterruptedByLegacy"
        case .dynamicInterruptedByStatic: "DynamicInterruptedByStatic"
        case .malformedFrame: "MalformedFrame"
        case .payloadTooLarge: "PayloadTooLarge"
        case .mixedTransfers: "MixedTransfers"
        case .unableToDecode: "UnableToDecode"
        case .numberingUnknown: "NumberingUnknown"
        case .tooManyTransfers: "TooManyTransfers"
        case .partOfMessage: "PartOfMessage"
        }
    }
}

extension TransferError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .lengthExceeded(let index, let count):
            "A QR code says it is frame \(index + 1) of \(count), which cannot be. Show the codes again from their source."
        case .sameNumber(let index):
            "Frame \(index + 1) comes twice with different data: codes of two payloads are mixed. Show one of them."
        case .conflictingLegacyLengths(let was, let found):
            "A QR code is one of \(found), those before it were of \(was): codes of two payloads are mixed. Show one of them."
        case .conflictingPayloads(let was, let found):
            "A QR code belongs to a payload of \(found) bytes, those before it to one of \(was): two are mixed. Show one of them."
        case .conflictingFrameSize(let was, let found):
            "A QR code holds \(found) bytes, those before it \(was): codes of two payloads are mixed. Show one of them."
        case .legacyInterruptedByFountain:
            "A code of a moving picture came among numbered codes. Show one payload at a time."
        case .fountainInterruptedByLegacy:
            "A numbered code came among those of a moving picture. Show one payload at a time."
        case .dynamicInterruptedByStatic:
            "A code that is complete by itself came before the moving picture was read. Show one payload at a time."
        case .malformedFrame(let reason): "A QR code is no frame that can be read: \(reason)."
        case .payloadTooLarge(let size, let limit):
            "The payload has \(size) bytes; at most \(limit) are read."
        case .mixedTransfers:
            "The codes contradict each other: they are of two payloads of the same size, or one was made up. Start again and show "
                + "one of them."
        case .unableToDecode(let distinct, let needed):
            "\(distinct) different codes of at least \(needed) were seen. Show the moving picture for longer."
        case .numberingUnknown:
            "The codes can be read in two ways, and no further one tells which is right. Show the moving picture for longer, or say "
                + "which numbering its sender uses."
        case .tooManyTransfers:
            "Codes of more than \(TransferSessions.sessionLimit) payloads are mixed. Show fewer at a time."
        case .partOfMessage(let index, let count):
            "A QR code is number \(index + 1) of \(count) that hold one message between them, which is not read. Have it shown as one "
                + "code, or as a moving picture."
        }
    }
}
