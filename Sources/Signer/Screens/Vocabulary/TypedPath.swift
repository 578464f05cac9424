/// A path in a field that anybody can read, where no password belongs.
package enum TypedPath {
    /// Whether a password begins in it: behind three slashes.
    package static func hasPassword(_ path: String) -> Bool { path.contains("///") }

    /// Whether it neither has a password nor ends with a slash, which together with three further ones would begin one.
    package static func isPlain(_ path: String) -> Bool { !hasPassword(path) && !path.hasSuffix("/") }
}
