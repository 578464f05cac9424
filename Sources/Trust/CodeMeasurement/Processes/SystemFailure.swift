#if os(Linux)
    import Glibc

    /// What a call of the system said.
    package struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The error number, as in `errno`.
        package let code: Int32

        package init(code: Int32) {
            self.code = code
        }

        package var description: String { String(cString: strerror(code)) }

        /// Whether the kernel keeps what was asked for from this process, and from others like it.
        var isRefusal: Bool { code == EACCES || code == EPERM }

        /// Whether there is no such process (any more).
        var isAbsence: Bool { code == ENOENT || code == ESRCH }
    }

    /// Looks at something; what the system refuses makes it unmeasurable.
    ///
    /// - Parameter what: for the finding.
    func examining<T>(
        _ what: @autoclosure () -> String, _ look: () throws(SystemFailure) -> T
    ) throws(MeasurementRefusal) -> T {
        do throws(SystemFailure) {
            return try look()
        } catch {
            throw MeasurementRefusal(.unmeasurable, "\(what()) cannot be examined: \(error)")
        }
    }
#endif
