#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// The right to look into processes of other users and into those that hide, which has effect only while a look is
    /// taken: CAP_SYS_PTRACE, and CAP_DAC_READ_SEARCH for the page tables and the environment, whose files in `/proc`
    /// belong to root.
    ///
    /// A process that has it can read the memory of every process, so that it is the one right that a validator is
    /// given.
    package enum LookingRight {
        /// Gives up all rights of this process but this one, which has no effect from then on until ``raised(_:)``. For
        /// the first thread, before there are others. Root keeps its own.
        ///
        /// - Throws: what the kernel says.
        package static func keepAlone() throws(Errno) {
            guard clinux_keep_rights_to_look() == 0 else { throw Errno(rawValue: errno) }
        }

        /// Whether this process has it.
        package static var isHeld: Bool { clinux_has_rights_to_look() == 1 }

        /// Whether another process has it.
        ///
        /// - Returns: nil where there is no such process.
        package static func isHeld(by process: Int32) -> Bool? {
            (try? ProcessObservation.readStatus(process).get())
                .flatMap { ProcessStatus($0).permittedCapabilities }
                .map { $0 & clinux_rights_to_look() == clinux_rights_to_look() }
        }

        /// Takes a look with the right, if this process has it. What is looked at is read by the thread that calls.
        package static func raised<R, E: Error>(_ look: () throws(E) -> R) throws(E) -> R {
            let isRaisedHere = clinux_raise_rights_to_look() == 1
            defer { if isRaisedHere { _ = clinux_lower_rights_to_look() } }
            return try look()
        }
    }
#endif
