/// The digests of an image; nil where one was not asked for.
public struct ImageDigests: Hashable, Sendable {
    /// The raw text segment.
    public fileprivate(set) var text1: ImageDigest?
    /// The canonical content of the image.
    public fileprivate(set) var text2: ImageDigest?
    /// All that is mapped and not writable, as it is loaded.
    public fileprivate(set) var load2: ImageDigest?
    /// The digest over those of all pages.
    public fileprivate(set) var pageRoot: ImageDigest?

    /// The digest of a kind; nil where it was not asked for.
    public subscript(kind: DigestKind) -> ImageDigest? {
        switch kind {
        case .text1: text1
        case .text2: text2
        case .load2: load2
        case .pageRoot: pageRoot
        case .file, .fsverity: nil
        }
    }
}

/// The digests of a file; nil where one was not asked for.
public struct FileDigests: Hashable, Sendable {
    /// The digest of all its bytes.
    public fileprivate(set) var file: ImageDigest?
    /// The digest by which the kernel knows the file (fs-verity).
    public fileprivate(set) var fsverity: ImageDigest?
    /// One for each of the images that were asked for, in their order.
    public fileprivate(set) var images: [ImageDigests] = []
}

extension ExecutableFile {
    /// Computes digests in one pass over the file, in pieces of 256 KiB.
    ///
    /// - Parameters:
    ///   - images: of which to compute them; all if nil.
    ///   - pageSize: of `pageRoot`.
    /// - Throws: what reading throws, and ``ImageFailure/noHash(_:)``.
    ///
    /// Source: Vigil specification, 3.3 to 3.8.
    public func digests(
        _ kinds: Set<DigestKind>, of images: [LoadableImage]? = nil, pageSize: PageSize = .kib4
    ) throws(ImageFailure) -> FileDigests {
        var pass = DigestPass()
        var requests: [[DigestKind: Int]] = []
        for image in images ?? self.images {
            var numbers: [DigestKind: Int] = [:]
            let placement = Placement.file(image.range.lowerBound)
            if kinds.contains(.load2) { numbers[.load2] = pass.add(try image.load2Plan(of: bytes), try WholeDigest()) }
            try pass.add(kinds, of: image, at: placement, pageSize: pageSize, numbers: &numbers)
            requests.append(numbers)
        }
        let file = kinds.contains(.file) ? pass.add(DigestPlan(file: size), try WholeDigest()) : nil
        let fsverity =
            kinds.contains(.fsverity) ? pass.add(DigestPlan(file: size), try VerityDigest(size: size)) : nil
        try pass.run(over: bytes)
        var digests = FileDigests()
        if let file { digests.file = try pass.result(file) }
        if let fsverity { digests.fsverity = try pass.result(fsverity) }
        for request in requests { digests.images.append(try pass.results(request)) }
        return digests
    }

    /// The digests of the pages of what `text2` covers, by segment.
    package func pageDigests(
        of image: LoadableImage, pageSize: PageSize = .kib4
    ) throws(ImageFailure) -> [SegmentPages] {
        try image.pageDigests(.file(image.range.lowerBound), of: bytes, pageSize)
    }
}

extension LoadableImage {
    /// The digests that memory tells: `text1`, `text2` and `pageRoot`. They equal those of the file that was loaded, if
    /// nothing has changed the code since. Data is changed by the loader already, so that there is no `load2`.
    ///
    /// - Parameters:
    ///   - memory: where offsets are addresses.
    ///   - slide: how far the image was moved, added with wrap-around.
    ///
    /// Source: Vigil specification, 3.9.
    public func digests(
        _ kinds: Set<DigestKind>, in memory: any ImageBytes, slide: UInt64, pageSize: PageSize = .kib4
    ) throws(ImageFailure) -> ImageDigests {
        var pass = DigestPass()
        var numbers: [DigestKind: Int] = [:]
        try pass.add(kinds, of: self, at: .memory(slide: slide), pageSize: pageSize, numbers: &numbers)
        try pass.run(over: memory)
        return try pass.results(numbers)
    }

    /// The digests of pages in memory, by segment.
    package func pageDigests(
        in memory: any ImageBytes, slide: UInt64, pageSize: PageSize = .kib4
    ) throws(ImageFailure) -> [SegmentPages] {
        try pageDigests(.memory(slide: slide), of: memory, pageSize)
    }

    fileprivate func pageDigests(
        _ placement: Placement, of bytes: any ImageBytes, _ pageSize: PageSize
    ) throws(ImageFailure) -> [SegmentPages] {
        var pass = DigestPass()
        let sink = try PagedDigest(pageSize: pageSize, keepsPages: true)
        _ = pass.add(pagePlan(placement, pageSize), sink)
        try pass.run(over: bytes)
        return zip(coveredSegments, sink.pages).map { SegmentPages(segment: $0, pageSize: pageSize, digests: $1) }
    }
}

/// The digests of the pages of a segment, counted from its first byte; the last page as short as it is.
package struct SegmentPages: Hashable, Sendable {
    /// The segment whose pages they are.
    package let segment: ImageSegment
    /// Bytes of a page.
    package let pageSize: PageSize
    /// One digest for each page, in their order.
    package let digests: [ImageDigest]
}

extension DigestPass {
    /// Adds what is the same in a file and in memory.
    fileprivate mutating func add(
        _ kinds: Set<DigestKind>, of image: LoadableImage, at placement: Placement, pageSize: PageSize,
        numbers: inout [DigestKind: Int]
    ) throws(ImageFailure) {
        if kinds.contains(.text1) { numbers[.text1] = add(image.text1Plan(placement), try WholeDigest()) }
        if kinds.contains(.text2) { numbers[.text2] = add(image.text2Plan(placement), try WholeDigest()) }
        if kinds.contains(.pageRoot) {
            numbers[.pageRoot] = add(image.pagePlan(placement, pageSize), try PagedDigest(pageSize: pageSize))
        }
    }

    fileprivate func results(_ numbers: [DigestKind: Int]) throws(ImageFailure) -> ImageDigests {
        var digests = ImageDigests()
        for (kind, number) in numbers {
            switch kind {
            case .text1: digests.text1 = try result(number)
            case .text2: digests.text2 = try result(number)
            case .load2: digests.load2 = try result(number)
            case .pageRoot: digests.pageRoot = try result(number)
            case .file, .fsverity: break
            }
        }
        return digests
    }
}
