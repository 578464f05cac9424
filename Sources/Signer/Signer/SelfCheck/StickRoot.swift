import TextForms

/// The root of a bootable stick that this system runs from.
///
/// The kernel compares every block of it with one hash, which stands on its command line; that was verified with the
/// kernel as one program.
///
/// Source: `signer-product` section 12.3.
package struct StickRoot: Equatable, Sendable {
    private static let mark = "casemate.root="
    private static let digestBytes = 32

    /// SHA-256, the top of the tree of hashes: 32 bytes.
    package let hash: [UInt8]

    /// - Parameter commandLine: the kernel's.
    /// - Returns: nil where it names no such root, or names more than one: then nothing is known.
    package init?(commandLine: String) {
        let named = commandLine.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix(Self.mark) }
        guard named.count == 1, let hash = Hex.decode(String(named[0].dropFirst(Self.mark.count))),
            hash.count == Self.digestBytes
        else { return nil }
        self.hash = hash
    }
}
