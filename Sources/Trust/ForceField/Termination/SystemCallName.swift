#if os(Linux)
    import CForceField

    /// Names of the kernel's calls.
    package enum SystemCallName {
        /// - Parameter architecture: AUDIT_ARCH_…, as the filter saw it.
        /// - Returns: nil for a number that is unknown.
        package static func of(_ number: UInt32, architecture: UInt32) -> String? {
            cforcefield_system_call_name(architecture, number).map { String(cString: $0) }
        }
    }
#endif
