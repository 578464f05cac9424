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
    ///   - isTaken: whether a path gives no new key: such a number is left out.
    /// - Returns: `base//n`, `base//n+1` and so on.
    package static func next(
        below base: String, among existing: some Sequence<String>, count: UInt32, isTaken: (String) -> Bool
    ) throws(SignerError) -> [String] {
        guard 1...mostAtOnce ~= count else { throw .incrementCount }
        let highest = existing.compactMap { number(of: $0, below: base) }.max()
        var free = highest.map { UInt64($0) + 1 } ?? 0
        var paths: [String] = []
        while paths.count < count {
            guard free <= UInt64(UInt32.max) else { throw .incrementOverflow }
            let path = "\(base)//\(free)"
            if !isTaken(path) { paths.append(path) }
            free += 1
        }
        return paths
    }

    /// The path that a new key is offered: that of the network, or the lowest free number below it.
    ///
    /// - Parameter isTaken: whether a path gives no new key.
    package static func suggestion(pathID: String, isTaken: (String) -> Bool) -> String {
        guard isTaken(pathID) else { return pathID }
        var number = 0
        while isTaken("\(pathID)//\(number)") { number += 1 }
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
