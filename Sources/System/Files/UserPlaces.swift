import CLibrary
internal import CLinux

/// Where programs of a user keep what is theirs.
package enum UserPlaces {
    /// The home of the user: `$HOME`, or what the list of users has where that is no absolute path. A process with more
    /// rights than who started it takes no home from them.
    package static func home(_ variable: String? = getenv("HOME").map { String(cString: $0) }) -> String {
        if let variable, variable.hasPrefix("/"), clinux_has_raised_rights() == 0 { return variable }
        return UserAccount.effective?.home ?? "/"
    }

    /// `$XDG_DATA_HOME/<name>`, or the same below `~/.local/share`.
    ///
    /// Source: XDG Base Directory Specification 0.8; a relative path is passed over.
    package static func data(_ name: String) -> String {
        let folder = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? ""
        return "\(folder.hasPrefix("/") ? folder : "\(home())/.local/share")/\(name)"
    }
}
