/// Several digests in one pass over the bytes: a piece is read once and goes to each digest that covers it, so that all
/// of them are of the same bytes even if someone writes meanwhile. Only a digest whose content is not in ascending
/// order, which linkers do not make, reads some bytes again.
struct DigestPass {
    /// Small enough for the processor's second cache, so that hashing reads what was just copied.
    static let pieceSize = 256 * 1024

    private var runs: [Run] = []

    /// - Returns: the number of the digest, to ask ``result(_:)`` with.
    mutating func add(_ plan: DigestPlan, _ sink: any DigestSink) -> Int {
        runs.append(Run(plan: plan, sink: sink))
        return runs.count - 1
    }

    /// Reads and hashes all.
    mutating func run(over source: any ImageBytes) throws(ImageFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 64)
        defer { buffer.deallocate() }
        while let start = try nextOffset() {
            let end = furthestEnd(from: start, within: UInt64(buffer.count))
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(end - UInt128(start))])
            try source.read(at: start, into: piece)
            for index in runs.indices { try runs[index].feed(UnsafeRawBufferPointer(piece), at: start) }
        }
    }

    func result(_ number: Int) throws(ImageFailure) -> ImageDigest { try runs[number].sink.finish() }

    /// How many bytes are read at once: as many as the longest content has, and a piece at the most.
    private var bufferSize: Int {
        let longest = runs.flatMap(\.plan.steps).reduce(into: UInt64(0)) { longest, step in
            if case .content(let extent) = step { longest = max(longest, extent.length) }
        }
        return Int(min(longest, UInt64(Self.pieceSize)))
    }

    private mutating func nextOffset() throws(ImageFailure) -> UInt64? {
        var least: UInt64?
        for index in runs.indices {
            guard let offset = try runs[index].nextOffset() else { continue }
            least = min(least ?? offset, offset)
        }
        return least
    }

    /// How far to read: as far as any digest that begins inside the piece wants bytes.
    private func furthestEnd(from start: UInt64, within size: UInt64) -> UInt128 {
        let limit = UInt128(start) + UInt128(size)
        return runs.reduce(UInt128(start)) { end, run in
            guard let wanted = run.pending, wanted.start >= start, UInt128(wanted.start) < limit else { return end }
            return max(end, min(wanted.end, limit))
        }
    }
}

extension DigestPass {
    /// A digest under way.
    fileprivate struct Run {
        let plan: DigestPlan
        let sink: any DigestSink
        private var step = 0
        /// What is still to come of the content that the step reads.
        private(set) var pending: Extent?

        init(plan: DigestPlan, sink: any DigestSink) {
            self.plan = plan
            self.sink = sink
        }

        /// Does all that needs no reading.
        ///
        /// - Returns: where the next content is; nil if the plan is done.
        mutating func nextOffset() throws(ImageFailure) -> UInt64? {
            while pending == nil, step < plan.steps.count {
                switch plan.steps[step] {
                case .framing(let bytes): sink.frame(bytes)
                case .constant(let bytes): try sink.absorb(bytes)
                case .content(let extent): pending = extent.isEmpty ? nil : extent
                case .endOfSegment: try sink.endSegment()
                }
                step += 1
            }
            return pending?.start
        }

        /// Takes from a piece of the source what comes next in the plan, as far as it is in there.
        mutating func feed(_ piece: UnsafeRawBufferPointer, at start: UInt64) throws(ImageFailure) {
            while let offset = try nextOffset(), let wanted = pending, offset >= start,
                UInt128(offset) < UInt128(start) + UInt128(piece.count)
            {
                let first = Int(offset - start)
                let count = min(piece.count - first, Int(clamping: wanted.length))
                try sink.absorb(UnsafeRawBufferPointer(rebasing: piece[first..<first + count]))
                let rest = wanted.length - UInt64(count)
                pending = rest == 0 ? nil : Extent(at: wanted.start &+ UInt64(count), count: rest)
            }
        }
    }
}

extension DigestSink {
    /// Without closures, which could not throw a typed error out of the standard library's functions.
    fileprivate func absorb(_ bytes: [UInt8]) throws(ImageFailure) {
        var failure: ImageFailure?
        bytes.withUnsafeBytes { buffer in
            do throws(ImageFailure) {
                try absorb(buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
