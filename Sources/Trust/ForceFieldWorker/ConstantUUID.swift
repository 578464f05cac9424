#if os(Linux)
    import CLibrary

    /// The danger of a constant UUID: Foundation's `UUID()` gives one and the same value, and no error, where it cannot
    /// open `/dev/urandom`.
    ///
    /// Source: `forcefield` section 9.
    enum ConstantUUID {
        /// Names by which Swift's runtime finds the types: also in an executable that has no symbols.
        private static let types = ["10Foundation4UUIDV", "20FoundationEssentials4UUIDV"]

        /// Whether code of this process may be caught by it.
        static var isPossible: Bool {
            guard types.contains(where: { _typeByName($0) != nil }) else { return false }
            let source = open("/dev/urandom", O_RDONLY | O_CLOEXEC)
            guard source >= 0 else { return true }
            close(source)
            return false
        }
    }
#endif
