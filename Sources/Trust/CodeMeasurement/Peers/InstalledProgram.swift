#if os(Linux)
    import Files
    import Glibc

    /// The one file that a peer may run, as root has installed it: set-group-ID to a group without members.
    ///
    /// The kernel hides a process that is started so from its first instruction, and the loader takes nothing from the
    /// environment of its caller. Such a process is known by its saved group, which no other can have: the programs of
    /// this house put the group aside as that (`CCleanStart`), and whatever a process runs next has it no more. Who is
    /// in the group all the same, and has it as the real one, is not changed by the start, and nothing is hidden.
    ///
    /// Source: `vigil` sections 1.2 and 4.1; execve(2), credentials(7), ld.so(8) "secure-execution mode".
    package struct InstalledProgram: Hashable, Sendable {
        package let path: String
        package let group: UInt32

        /// - Parameters:
        ///   - path: absolute; the caller makes sure that only root can change what lies on it.
        ///   - group: of the file, and of nothing else.
        package init(path: String, group: UInt32) {
            self.path = path
            self.group = group
        }

        /// The file that is installed now.
        ///
        /// - Throws: ``Reason/peerIdentity`` with what is wrong about it and what to do.
        package func file() throws(MeasurementRefusal) -> FileKey {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                throw refusal("cannot be examined: \(Errno(rawValue: errno))")
            }
            guard status.st_mode & S_IFMT == S_IFREG else { throw refusal("is not a regular file") }
            guard status.st_uid == 0 else { throw refusal("belongs to user \(status.st_uid), and not to root") }
            guard status.st_gid == group else { throw refusal("is of group \(status.st_gid), and not of \(group)") }
            // Without the right of its group to run it the bit means something else.
            let started = S_ISGID | S_IXGRP
            guard status.st_mode & started == started, status.st_mode & (S_ISUID | S_IWGRP | S_IWOTH) == 0 else {
                throw refusal("has mode \(String(status.st_mode & 0o7777, radix: 8)), and not 2755")
            }
            return FileKey(status)
        }

        /// Whether a process runs this file, and was started by the kernel as the file's mode says.
        ///
        /// - Throws: ``Reason/peerIdentity`` where it does not; ``Reason/unmeasurable`` where this process may not find
        ///   out.
        package func check(_ process: ObservedProcess) throws(MeasurementRefusal) {
            let number = process.process
            let expected = try file()
            var status = stat()
            guard stat("/proc/\(number)/exe", &status) == 0 else {
                let failure = Errno(rawValue: errno)
                guard failure.isRefusal else {
                    throw MeasurementRefusal(.peerIdentity, "process \(number) has ended: \(failure)")
                }
                throw MeasurementRefusal(
                    .unmeasurable,
                    "what process \(number) runs may not be known; this validator needs CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH"
                )
            }
            guard FileKey(status) == expected else {
                let name = SymbolicLink.destination(of: "/proc/\(number)/exe") ?? "another file"
                throw MeasurementRefusal(
                    .peerIdentity,
                    Finding("process \(number) runs \(name), and only \(path) is installed; run that one", path: name))
            }
            let text = try? ProcessObservation.readStatus(number).get()
            let groups = text.map { ProcessStatus($0) }
            let group = groups?.savedGroup
            guard group == UInt64(self.group) else {
                throw MeasurementRefusal(
                    .peerIdentity,
                    "process \(number) was not started set-group-ID to \(self.group) (it has \(group.map(String.init) ?? "none")): "
                        + "under no_new_privs, a debugger or a file system with nosuid the kernel leaves that out")
            }
            guard let real = groups?.realGroup, real != UInt64(self.group) else {
                throw MeasurementRefusal(
                    .peerIdentity,
                    "process \(number) was started by somebody in the group \(self.group), from whom the kernel hides "
                        + "nothing; nobody may be in it, nor may it be anybody's own: take them out of it")
            }
            try process.check()
        }

        private func refusal(_ what: String) -> MeasurementRefusal {
            MeasurementRefusal(.peerIdentity, Finding("\(path) \(what); install it again", path: path))
        }
    }
#endif
