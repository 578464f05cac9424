internal import Files

/// A small file that a setting names, whole.
enum FileContent {
    static let maximumBytes = 1 << 20

    /// - Throws: with the setting that names the file, if it cannot be read, or if others may do with it what they must
    ///   not: read a secret, or write anything that the gate goes by.
    static func read(_ path: String, for name: SettingName) throws(GateServerError) -> [UInt8] {
        do throws(FileError) {
            return try OpenFile(FilePath(path), rules: name.rules, followsLinks: true).content(limit: maximumBytes)
        } catch {
            throw .setting(name, "\(error)")
        }
    }

    /// What changes when a file is replaced; nothing where there is none.
    static func version(_ path: String) -> [Int64] { (try? Stat(FilePath(path)))?.version ?? [] }
}

extension SettingName {
    /// What is asked of the file that it names; its group may read a secret.
    fileprivate var rules: FileRules {
        var rules = FileRules.trustedFile
        if namesSecret { rules.forbidden = [.groupWrite, .groupExecute, .otherReadWriteExecute] }
        return rules
    }

    /// Whether the file that it names holds a secret.
    private var namesSecret: Bool {
        switch self {
        case .tlsKeyPath, .nonceSecretPath, .adminTokenPath, .riskKeyPath, .accountSecretPath: true
        default: false
        }
    }
}
