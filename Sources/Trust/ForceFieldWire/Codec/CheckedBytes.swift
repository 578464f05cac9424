/// An encoding that has been checked, and the ways to read it: by node of its outline.
///
/// Every offset comes from the outline of the same bytes, which the initialiser makes; a node that is none traps.
final class CheckedBytes: Sendable {
    private let bytes: [UInt8]
    private let nodes: ContiguousArray<Outline.Node>

    /// - Throws: ``CodecError``: one of those with an offset.
    init(_ bytes: [UInt8]) throws(CodecError) {
        self.bytes = bytes
        nodes = try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
            try Outline(of: UnsafeRawBufferPointer(buffer)).nodes
        }
    }

    static let root = 0

    func tag(_ node: Int) -> WireTag {
        guard let tag = WireTag(rawValue: bytes[offset(node)]) else { preconditionFailure("no value at node \(node)") }
        return tag
    }

    /// The node behind a value.
    func next(_ node: Int) -> Int { Int(nodes[node].next) }

    func int(_ node: Int) -> Int64 { Int64(bitPattern: load(node)) }
    func uint(_ node: Int) -> UInt64 { load(node) }
    func double(_ node: Int) -> Double { Double(bitPattern: load(node)) }
    func float(_ node: Int) -> Float { Float(bitPattern: load(node)) }

    func string(_ node: Int) -> String { slice(content(node)) { String(decoding: $0, as: UTF8.self) } }
    func bytes(_ node: Int) -> [UInt8] { slice(content(node)) { Array($0) } }

    /// The number of an array's elements or a map's entries.
    func count(_ node: Int) -> Int { Int(load(node) as UInt32) }

    /// The nodes of a map's keys, in the order of the keys; each value is the node behind its key.
    func keys(_ node: Int) -> ContiguousArray<UInt32> {
        var keys: ContiguousArray<UInt32> = []
        keys.reserveCapacity(count(node))
        var key = node + 1
        while key < next(node) {
            keys.append(UInt32(key))
            key = next(key + 1)
        }
        return keys
    }

    func key(_ node: Int) -> String { slice(keyRange(node)) { String(decoding: $0, as: UTF8.self) } }

    /// The order of the key at `node` against `other`.
    func compareKey(_ node: Int, with other: UnsafeBufferPointer<UInt8>) -> Int {
        slice(keyRange(node)) { key in
            for index in 0..<min(key.count, other.count) where key[index] != other[index] {
                return key[index] < other[index] ? -1 : 1
            }
            return key.count - other.count
        }
    }

    private func offset(_ node: Int) -> Int { Int(nodes[node].offset) }

    private func keyRange(_ node: Int) -> Range<Int> {
        let start = offset(node) + 1
        return start..<start + Int(bytes[start - 1])
    }

    /// The bytes of a string or of bytes.
    private func content(_ node: Int) -> Range<Int> {
        let start = offset(node) + 5
        return start..<start + count(node)
    }

    /// The number behind a value's tag.
    private func load<I: FixedWidthInteger>(_ node: Int) -> I {
        let start = offset(node) + 1
        return bytes.withUnsafeBytes { I(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: I.self)) }
    }

    private func slice<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
