extension CodeSignature {
    /// By which other code gets into a program in spite of the hardened runtime, or a debugger.
    private static let opening = [
        "com.apple.security.cs.disable-library-validation",
        "com.apple.security.cs.allow-dyld-environment-variables",
        "com.apple.security.cs.disable-executable-page-protection",
        "com.apple.security.get-task-allow",
    ]

    /// Why the system lets other code into the process of a program with this signature; nil if it does not.
    ///
    /// The cdhash of a directory stands for its flags and, by their hashes, for the entitlements: a system that knows
    /// the program by its cdhash enforces them. It says nothing of libraries, which the hardened runtime alone
    /// keeps to those of Apple and of the same team. An entitlement counts if it is named at all, also with the value
    /// false.
    ///
    /// Source: Vigil specification, 11.1.
    package var wayInForOtherCode: String? {
        guard !directories.isEmpty else { return "it is not signed" }
        for directory in directories {
            if directory.flags.contains(.adHoc) { return "it is signed without a certificate" }
            if !directory.flags.contains(.hardenedRuntime) {
                return "it is signed without the hardened runtime. Sign it with codesign --options runtime"
            }
            if !directory.sealsEntitlements { return "its entitlements are not those that were signed" }
        }
        let name = Self.opening.first { name in
            let name = Array(name.utf8)
            return entitlements.contains { text in text.indices.contains { text[$0...].starts(with: name) } }
        }
        return name.map { "it has the entitlement \($0). Sign it without" }
    }
}
