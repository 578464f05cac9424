/// The table of an instance: indices of functions, nil for an empty entry. It never grows.
final class FunctionTable {
    /// Where they stand as long as the table lives.
    let entries: UnsafeMutableBufferPointer<UInt32?>

    init(count: Int) {
        entries = .allocate(capacity: count)
        entries.initialize(repeating: nil)
    }

    deinit { entries.deallocate() }

    private func check(_ index: UInt32, _ count: Int) throws(Trap) {
        guard Int(index) + count <= entries.count else { throw .tableOutOfBounds }
    }

    /// - Throws: ``Trap/tableOutOfBounds``; nothing is written then.
    func write(_ functions: ArraySlice<UInt32>, at index: UInt32) throws(Trap) {
        try check(index, functions.count)
        for (offset, function) in functions.enumerated() { entries[Int(index) + offset] = function }
    }

    /// Copies entries, which may overlap.
    func copy(from source: UInt32, to destination: UInt32, _ count: UInt32) throws(Trap) {
        try check(source, Int(count))
        try check(destination, Int(count))
        let copied = Array(entries[Int(source)..<Int(source) + Int(count)])
        for (offset, entry) in copied.enumerated() { entries[Int(destination) + offset] = entry }
    }
}
