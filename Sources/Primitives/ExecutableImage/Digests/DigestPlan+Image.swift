/// Where the segments of an image are read.
enum Placement {
    /// Segments are read in the file, where a slice of a universal binary begins at this offset.
    case file(UInt64)
    /// Segments are read in memory, moved by this, to be added with wrap-around.
    case memory(slide: UInt64)

    func start(of segment: ImageSegment) -> UInt64 {
        switch self {
        case .file(let origin): origin &+ segment.fileOffset
        case .memory(let slide): slide &+ segment.address
        }
    }
}

extension LoadableImage {
    /// Source: Vigil specification, 3.3 and 3.5.
    func text1Plan(_ placement: Placement) -> DigestPlan {
        var plan = DigestPlan()
        for segment in textSegments { plan.add(segment, at: placement.start(of: segment)) }
        return plan
    }

    /// Source: Vigil specification, 3.6.
    func text2Plan(_ placement: Placement) -> DigestPlan {
        let segments = coveredSegments
        var plan = DigestPlan()
        frame("vigil/image/v2", count: segments.count, in: &plan)
        for segment in segments {
            plan.frame(segment.framing)
            plan.add(segment, at: placement.start(of: segment), replacements: replacements)
        }
        return plan
    }

    /// Source: Vigil specification, 3.6.
    func load2Plan(of bytes: any ImageBytes) throws(ImageFailure) -> DigestPlan {
        let segments = listedSegments
        let placement = Placement.file(range.lowerBound)
        var plan = DigestPlan()
        frame("vigil/load/v2", count: segments.count, in: &plan)
        for segment in segments {
            plan.frame(segment.framing)
            plan.add(segment, at: placement.start(of: segment), replacements: replacements)
        }
        let tail = try linkEditTail(of: bytes)
        plan.frame(tail.length.bigEndianBytes)
        plan.read(tail)
        return plan
    }

    /// Source: Vigil specification, 3.6.
    func pagePlan(_ placement: Placement, _ pageSize: PageSize) -> DigestPlan {
        let segments = coveredSegments
        var plan = DigestPlan()
        plan.frame("vigil/pages/v2")
        plan.frame(pageSize.rawValue.bigEndianBytes + UInt32(segments.count).bigEndianBytes)
        for segment in segments {
            // Segments have at most 1 GiB, and so fewer pages than 32 bits count.
            let pages = UInt32(truncatingIfNeeded: segment.pageCount(pageSize))
            plan.frame(segment.address.bigEndianBytes + pages.bigEndianBytes)
            plan.add(segment, at: placement.start(of: segment), replacements: replacements)
        }
        return plan
    }

    private func frame(_ name: String, count: Int, in plan: inout DigestPlan) {
        plan.frame(name)
        plan.frame([format.rawValue, `class`.rawValue, byteOrder.rawValue, 0])
        plan.frame(machine.bigEndianBytes + submachine.bigEndianBytes + UInt32(count).bigEndianBytes)
    }

    /// What `load2` covers of `__LINKEDIT`: up to the signature, without zero bytes at the end. Empty in ELF.
    private func linkEditTail(of bytes: any ImageBytes) throws(ImageFailure) -> Extent {
        guard case .machO(let details) = details, let linkEdit = details.linkEdit else {
            return Extent(at: 0, count: 0)
        }
        let start = range.lowerBound + linkEdit.fileOffset
        // The signature lies inside.
        let length = details.signature.map { $0.start - linkEdit.fileOffset } ?? linkEdit.fileSize
        return Extent(at: start, count: try bytes.lengthWithoutZeros(Extent(at: start, count: length)))
    }
}

extension ImageSegment {
    /// The bytes that `text2` and `load2` put before the content.
    fileprivate var framing: [UInt8] {
        address.bigEndianBytes + fileSize.bigEndianBytes + protection.rawValue.bigEndianBytes
    }

    /// Pages that its bytes in the file begin, counted from its first byte.
    package func pageCount(_ size: PageSize) -> UInt64 {
        let size = UInt64(size.rawValue)
        return fileSize / size + (fileSize % size == 0 ? 0 : 1)
    }
}

extension ImageBytes {
    /// The length up to the last byte that is not zero, looked for from behind.
    fileprivate func lengthWithoutZeros(_ extent: Extent) throws(ImageFailure) -> UInt64 {
        var length = extent.length
        while length > 0 {
            let count = min(length, 4096)
            let piece = try bytes(at: extent.start + (length - count), count: Int(count))
            if let last = piece.lastIndex(where: { $0 != 0 }) { return length - count + UInt64(last) + 1 }
            length -= count
        }
        return 0
    }
}
