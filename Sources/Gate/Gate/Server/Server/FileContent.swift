internal import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A small file that a setting names, whole.
enum FileContent {
    static let maximumBytes = 1 << 20

    /// - Throws: with the setting that names the file, if it cannot be read, or if others may do with it what they must
    ///   not: read a secret, or write anything that the gate goes by.
    static func read(_ path: String, for name: SettingName) throws(GateServerError) -> [UInt8] {
        do throws(FileError) {
            let file = try InputFile(FilePath(path))
            if let problem = problem(of: file, isSecret: name.namesSecret) {
                throw GateServerError.setting(name, "\(path) cannot be read: \(problem).")
            }
            return try file.content(limit: maximumBytes)
        } catch {
            throw .setting(name, "\(error)")
        }
    }

    /// What is wrong with who may use a file. It is asked of the open file, whose name may lead elsewhere a moment
    /// later.
    private static func problem(of file: InputFile, isSecret: Bool) -> String? {
        var facts = stat()
        guard fstat(file.file.descriptor.rawValue, &facts) == 0 else { return String(cString: strerror(errno)) }
        guard file.kind == .regular else { return "it is no file" }
        guard [0, geteuid()].contains(facts.st_uid) else { return "it belongs to another user than this one and root" }
        let forbidden: mode_t = isSecret ? 0o037 : 0o022
        guard facts.st_mode & forbidden != 0 else { return nil }
        return isSecret ? "others may read or write it (chmod 600)" : "others may write it (chmod go-w)"
    }

    /// What changes when a file is replaced: when it was changed last, its size and its place.
    static func version(_ path: String) -> [Int64] {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return [] }
        #if canImport(Glibc)
            let time = facts.st_mtim
        #else
            let time = facts.st_mtimespec
        #endif
        return [Int64(time.tv_sec), Int64(time.tv_nsec), Int64(facts.st_size), Int64(facts.st_ino)]
    }
}

extension SettingName {
    /// Whether the file that it names holds a secret; its group may read that, and nobody else.
    fileprivate var namesSecret: Bool {
        switch self {
        case .tlsKeyPath, .nonceSecretPath, .adminTokenPath, .riskKeyPath, .accountSecretPath: true
        default: false
        }
    }
}
