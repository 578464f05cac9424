/// The memory of an instance: one array of bytes, at most as large as the host allows. All accesses are checked.
public final class LinearMemory {
    /// Bytes of a page.
    public static let pageByteCount = 65_536

    /// Where the bytes begin; space for as many pages as there may be is reserved and never moves.
    let base: UnsafeMutableRawPointer
    private(set) var byteCount: Int
    let maximumPages: Int

    /// - Parameters:
    ///   - limits: as the module states them.
    ///   - pageLimit: pages that the host allows.
    /// - Throws: ``Trap/host(_:)`` if the least size is more.
    init(_ limits: SizeLimits, pageLimit: Int) throws(Trap) {
        guard Int(limits.minimum) <= pageLimit else {
            throw .host("it needs \(limits.minimum) pages of memory, and may have \(pageLimit)")
        }
        maximumPages = min(pageLimit, Int(limits.maximum ?? .max))
        base = .allocate(byteCount: max(1, maximumPages * Self.pageByteCount), alignment: 16)
        byteCount = 0
        _ = grow(by: UInt32(limits.minimum))
    }

    deinit { base.deallocate() }

    var pageCount: UInt32 { UInt32(byteCount / Self.pageByteCount) }

    /// Adds pages of zeros.
    ///
    /// - Returns: the pages before; nil if there may not be so many.
    func grow(by pages: UInt32) -> UInt32? {
        let before = pageCount
        guard Int(before) + Int(pages) <= maximumPages else { return nil }
        let added = Int(pages) * Self.pageByteCount
        (base + byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: added)
        byteCount += added
        return before
    }

    private func check(_ address: UInt32, _ count: Int) throws(Trap) {
        guard count >= 0, Int(address) <= byteCount, count <= byteCount - Int(address) else {
            throw .memoryOutOfBounds
        }
    }

    /// Bytes at an address.
    ///
    /// - Throws: ``Trap/memoryOutOfBounds``.
    public func read(at address: UInt32, count: Int) throws(Trap) -> [UInt8] {
        try check(address, count)
        return Array(UnsafeRawBufferPointer(start: base + Int(address), count: count))
    }

    /// Writes bytes at an address.
    ///
    /// - Throws: ``Trap/memoryOutOfBounds``; nothing is written then.
    public func write(_ bytes: some Collection<UInt8>, at address: UInt32) throws(Trap) {
        try check(address, bytes.count)
        UnsafeMutableRawBufferPointer(start: base + Int(address), count: bytes.count).copyBytes(from: bytes)
    }

    func fill(_ value: UInt8, at address: UInt32, count: UInt32) throws(Trap) {
        try check(address, Int(count))
        (base + Int(address)).initializeMemory(as: UInt8.self, repeating: value, count: Int(count))
    }

    /// Copies bytes, which may overlap.
    func copy(from source: UInt32, to destination: UInt32, count: UInt32) throws(Trap) {
        try check(source, Int(count))
        try check(destination, Int(count))
        (base + Int(destination)).copyMemory(from: base + Int(source), byteCount: Int(count))
    }

    /// Makes sure of at least so many bytes.
    ///
    /// - Returns: false where there may not be so many.
    public func reserve(_ wanted: Int) -> Bool {
        guard wanted > byteCount else { return true }
        let pages = (wanted - byteCount + Self.pageByteCount - 1) / Self.pageByteCount
        return UInt32(exactly: pages).flatMap(grow(by:)) != nil
    }
}
