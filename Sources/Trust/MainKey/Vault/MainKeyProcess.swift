import CLinux

/// What a program that holds keys does for itself, once.
public enum MainKeyProcess {
    /// Closes the ways by which memory of this process reaches a file or another process: no core dumps, no tracing by
    /// other processes, and no crash handler that prints memory. First thing in `main`.
    ///
    /// macOS ends a process that is traced already, as by Xcode. On iOS tracing is left to the system, which allows it
    /// for apps with the entitlement `get-task-allow`.
    ///
    /// - Throws: `internal` if the system refuses; a program that goes on then is not protected.
    public static func harden() throws(MainKeyError) {
        guard clinux_harden_process() == 0 else {
            throw .internalFailure(reason: "the system refuses to switch off core dumps and tracing for this process")
        }
    }

    /// Removes the cleartext files of all vaults of this process, for its handlers of signals that end it. At an
    /// ordinary end that happens by itself.
    public static func removeCleartext() { CleartextFolder.removeAll() }
}
