/// What a digest hashes, in order: words of its definition, and content that is given or read.
struct DigestPlan {
    enum Step {
        /// Bytes that the definition puts around the content.
        case framing([UInt8])
        /// Content that stands in place of the file's.
        case constant([UInt8])
        /// Content at these offsets of the source.
        case content(Extent)
        /// The content of a segment is complete.
        case endOfSegment
    }

    private(set) var steps: [Step] = []

    init() {}

    /// All of a file.
    init(file size: UInt64) { steps = [.content(Extent(at: 0, count: size))] }

    mutating func frame(_ text: String) { steps.append(.framing(Array(text.utf8) + [0])) }
    mutating func frame(_ bytes: [UInt8]) { steps.append(.framing(bytes)) }
    mutating func read(_ extent: Extent) { steps.append(.content(extent)) }

    /// Adds the content of a segment, with other bytes where `replacements` say so.
    ///
    /// - Parameters:
    ///   - start: where in the source it begins.
    ///   - replacements: ascending, by their place in the file.
    mutating func add(_ segment: ImageSegment, at start: UInt64, replacements: [LoadableImage.Replacement] = []) {
        let file = Extent(at: segment.fileOffset, count: segment.fileSize)
        // In bytes of the segment.
        var done: UInt64 = 0
        func readUp(to end: UInt64) {
            if end > done { steps.append(.content(Extent(at: start &+ done, count: end - done))) }
        }
        for replacement in replacements {
            let first = max(replacement.extent.start, file.start)
            let end = min(replacement.extent.end, file.end)
            guard UInt128(first) < end else { continue }
            readUp(to: first - file.start)
            let inside = Int(first - replacement.offset)..<Int(end - UInt128(replacement.offset))
            steps.append(.constant(Array(replacement.bytes[inside])))
            done = UInt64(end - UInt128(file.start))
        }
        readUp(to: segment.fileSize)
        steps.append(.endOfSegment)
    }
}
