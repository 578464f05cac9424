import Foundation

/// The encrypted files of a folder, in a rotation. Other files in it are left alone.
public struct FileRotation: RotationPlace {
    private let root: String
    private let contexts: @Sendable (String) -> [[UInt8]]

    public var title: String { "files in \(root)" }

    /// - Parameters:
    ///   - root: the folder; folders in it are searched too.
    ///   - contexts: what a file may be bound to, by its path below the folder; the first that opens it is kept.
    public init(
        root: String, contexts: @escaping @Sendable (String) -> [[UInt8]] = { [[], Array($0.utf8)] }
    ) {
        self.root = root
        self.contexts = contexts
    }

    public func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        let epochs = try paths().compactMap { try Self.epoch(of: full($0)) }
        return (epochs.count, epochs.count { $0 != epoch })
    }

    public func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let active = try vault.activeEpoch
        for path in try paths() {
            guard let epoch = try Self.epoch(of: full(path)), epoch != active else { continue }
            try reseal(path, in: vault)
            try done(1)
        }
    }

    private func reseal(_ path: String, in vault: borrowing UnlockedVault) throws {
        var refusal = MainKeyError.fileKeyMismatch
        for context in contexts(path) {
            do throws(MainKeyError) {
                return try vault.resealFile(at: full(path), context: context)
            } catch {
                guard error == .fileKeyMismatch else { throw error }
                refusal = error
            }
        }
        throw refusal
    }

    private func full(_ path: String) -> String { root + "/" + path }

    /// - Returns: nil for what is no encrypted file.
    private static func epoch(of path: String) throws -> UInt32? {
        do throws(MainKeyError) { return try UnlockedVault.epoch(ofFileAt: path) } catch {
            switch error {
            case .badMagic, .truncated: return nil
            default: throw error
            }
        }
    }

    /// Regular files below the folder, sorted.
    private func paths() throws -> [String] {
        guard let walk = FileManager.default.enumerator(atPath: root) else {
            throw MainKeyError.io(path: root, reason: "the folder cannot be read")
        }
        var paths: [String] = []
        for case let path as String in walk where walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
            paths.append(path)
        }
        return paths.sorted()
    }
}
