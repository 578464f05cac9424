import Foundation

/// Copies programs that a test is about to run.
///
/// What this process has open for writing a child that another test starts at that moment has open as well, until it
/// has become its own program; and what somebody has open for writing cannot be run (ETXTBSY). So a process of its own
/// writes it, which starts nobody.
package enum ExecutableCopy {
    /// - Parameters:
    ///   - source: a file; links are followed.
    ///   - target: where nothing is yet. Gets the permissions of the source.
    package static func make(of source: String, at target: String) throws {
        try Tool.run("/bin/cp", ["--no-target-directory", "--", source, target])
    }

    /// - Parameters:
    ///   - program: the content.
    ///   - target: as above. Everyone may run it.
    package static func make(_ program: Data, at target: String) throws {
        let source = target + ".content"
        try program.write(to: URL(filePath: source))
        defer { try? FileManager.default.removeItem(atPath: source) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: source)
        try make(of: source, at: target)
    }
}
