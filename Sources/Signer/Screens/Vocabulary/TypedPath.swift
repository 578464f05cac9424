/// A path in a field that anybody can read, where no password belongs. Slashes are bytes: a mark behind one is read
/// with it, and begins what follows.
package enum TypedPath {
    /// Whether a password begins in it: behind three slashes.
    package static func hasPassword(_ path: String) -> Bool { path.utf8.firstRange(of: "///".utf8) != nil }

    /// Whether it neither has a password nor ends with a slash, which together with three further ones would begin one.
    package static func isPlain(_ path: String) -> Bool {
        !hasPassword(path) && path.utf8.last != UInt8(ascii: "/")
    }
}
