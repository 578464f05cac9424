#if os(Linux)
    import Files

    extension Errno {
        /// Whether the kernel keeps what was asked for from this process, and from others like it.
        var isRefusal: Bool { self == .permissionDenied || self == .notPermitted }

        /// Whether there is no such process (any more).
        var isAbsence: Bool { self == .noSuchFileOrDirectory || self == .noSuchProcess }
    }

    /// Looks at something; what the system refuses makes it unmeasurable.
    ///
    /// - Parameter what: for the finding.
    func examining<T>(
        _ what: @autoclosure () -> String, _ look: () throws(Errno) -> T
    ) throws(MeasurementRefusal) -> T {
        do throws(Errno) {
            return try look()
        } catch {
            throw MeasurementRefusal(.unmeasurable, "\(what()) cannot be examined: \(error)")
        }
    }
#endif
