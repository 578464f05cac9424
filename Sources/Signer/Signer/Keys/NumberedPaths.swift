/// Paths that are made by number, below a path that is there.
///
/// Source: `signer-product` section 3.5.
package enum NumberedPaths {
    /// So many keys are made at once at most.
    static let mostAtOnce: UInt32 = 1024

    /// Further paths behind the highest number below `base`.
    ///
    /// - Parameters:
    ///   - base: a path without password.
    ///   - existing: the paths of the seed in the network.
    ///   - count: how many.
    /// - Returns: `base//n`, `base//n+1` and so on.
    package static func next(
        below base: String, among existing: some Sequence<String>, count: UInt32
    ) throws(SignerError) -> [String] {
        guard 1...mostAtOnce ~= count else { throw .incrementCount }
        let highest = existing.compactMap { number(of: $0, below: base) }.max()
        let first = highest.map { UInt64($0) + 1 } ?? 0
        guard first + UInt64(count) - 1 <= UInt64(UInt32.max) else { throw .incrementOverflow }
        return (first..<first + UInt64(count)).map { "\(base)//\($0)" }
    }

    /// The path that a new key is offered: that of the network, or the lowest free number below it.
    package static func suggestion(pathID: String, among existing: Set<String>) -> String {
        guard existing.contains(pathID) else { return pathID }
        var number = 0
        while existing.contains("\(pathID)//\(number)") { number += 1 }
        return "\(pathID)//\(number)"
    }

    /// The number of a path that is exactly `base//n`, n in decimal without leading zeros.
    private static func number(of path: String, below base: String) -> UInt32? {
        // Bytes: a character may join a slash with the mark behind it.
        let start = Array((base + "//").utf8)
        guard path.utf8.starts(with: start) else { return nil }
        let digits = path.utf8.dropFirst(start.count)
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }), digits.count == 1 || digits.first != 0x30 else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self))
    }
}
