#if canImport(CTSS2)
    import CTSS2
    import CTSS2Sonames
    import LateLibraries

    /// The library tpm2-tss, which is opened when a TPM is first used: most commands use none.
    enum TSS2 {
        private static let library = LateLibrary<tss2_functions>(tss2_sonames(), functions: tss2_function_names())

        static func functions() throws(HardwareKeyError) -> UnsafePointer<tss2_functions> { try functions(of: library) }

        static func functions(
            of library: LateLibrary<tss2_functions>
        ) throws(HardwareKeyError) -> UnsafePointer<tss2_functions> {
            do { return try library.opened() } catch { throw .unavailable(.noLibrary(reason: error.reason)) }
        }
    }
#endif
