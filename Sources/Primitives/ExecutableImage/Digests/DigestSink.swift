/// What becomes of the bytes of a plan.
protocol DigestSink: AnyObject {
    func frame(_ bytes: [UInt8])
    func absorb(_ bytes: UnsafeRawBufferPointer) throws(ImageFailure)
    func endSegment() throws(ImageFailure)
    func finish() throws(ImageFailure) -> ImageDigest
}

/// The hash of all bytes.
final class WholeDigest: DigestSink {
    private let stream: HashStream

    init() throws(ImageFailure) { stream = try HashStream() }

    func frame(_ bytes: [UInt8]) { stream.update(bytes) }
    func absorb(_ bytes: UnsafeRawBufferPointer) { stream.update(bytes) }
    func endSegment() {}
    func finish() throws(ImageFailure) -> ImageDigest { try ImageDigest(of: stream) }
}

/// The hash of the framing and of the hashes of the pages, which are counted from the start of each segment.
final class PagedDigest: DigestSink {
    private let root: HashStream
    private let page: HashStream
    private let pageSize: Int
    /// Bytes in the page under way.
    private var filled = 0
    private let keepsPages: Bool
    /// The digests of the pages, by segment.
    private(set) var pages: [[ImageDigest]] = [[]]

    init(pageSize: PageSize, keepsPages: Bool = false) throws(ImageFailure) {
        root = try HashStream()
        page = try HashStream()
        self.pageSize = Int(pageSize.rawValue)
        self.keepsPages = keepsPages
    }

    func frame(_ bytes: [UInt8]) { root.update(bytes) }

    func absorb(_ bytes: UnsafeRawBufferPointer) throws(ImageFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = min(rest.count, pageSize - filled)
            page.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            filled += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if filled == pageSize { try endPage() }
        }
    }

    func endSegment() throws(ImageFailure) {
        if filled > 0 { try endPage() }
        pages.append([])
    }

    private func endPage() throws(ImageFailure) {
        let digest = try ImageDigest(of: page)
        digest.withUnsafeBytes { root.update($0) }
        if keepsPages { pages[pages.count - 1].append(digest) }
        filled = 0
    }

    func finish() throws(ImageFailure) -> ImageDigest { try ImageDigest(of: root) }
}
