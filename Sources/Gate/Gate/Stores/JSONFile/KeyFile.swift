package import Files
internal import Synchronization

/// The file of a key store: held against other processes, read as a whole, replaced as a whole.
///
/// Replacing writes a file of mode 0600 in a folder of mode 0700 beside the target, brings it to the disk, renames it
/// over the target and brings the folder to the disk: killed at any instruction, or without power, the old content is
/// there or the new.
///
/// Source: `appattest-gate` section 5.2.
package final class KeyFile: Sendable {
    /// The size of the largest file in bytes: a larger one is not this store's.
    static let maximumBytes = 256 << 20

    let path: String
    private let name: String
    private let folder: Folder
    private let rules: FileRules
    private let lock: Mutex<FileLock?>
    private let onStep: @Sendable (ReplacementStep) -> Void

    private static let temporaryName = "new"

    /// Holds the file for this process; makes its folder if that alone is missing.
    ///
    /// - Parameters:
    ///   - isGuarded: whether only root and this process's user may own the file, and change names in its folder.
    ///   - onStep: is told what was reached; for tests that end the process there.
    package init(
        _ path: String, isGuarded: Bool = false, onStep: @escaping @Sendable (ReplacementStep) -> Void = { _ in }
    ) throws(StoreError) {
        let split = path.lastIndex(of: "/")
        name = String(path[(split.map { path.index(after: $0) } ?? path.startIndex)...])
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw .refused("the path of the key file does not name a file")
        }
        self.path = path
        self.onStep = onStep
        rules =
            isGuarded ? .trustedFile : FileRules(type: .regular, forbidden: [.groupWrite, .otherWrite])
        let lock: FileLock?
        do throws(FileError) {
            folder = try Self.folder(split.map { $0 == path.startIndex ? "/" : FilePath(String(path[..<$0])) } ?? ".")
            if isGuarded { try Self.guardNames(in: folder) }
            lock = try folder.lockIfFree(name + ".lock")
        } catch {
            switch error.reason {
            case .foreignOwner(let owner, _) where error.path.lastComponent?.string == name + ".lock":
                throw .refused(
                    "\(error.path) belongs to user \(owner.rawValue): run this as that user, or remove it"
                )
            case .foreignOwner, .openToOthers:
                throw .refused("others may put another key file in its place: of the folder, \(error.reason)")
            default: throw StoreError(error)
            }
        }
        guard let lock else { throw .inUse(path: path) }
        self.lock = Mutex(lock)
    }

    private static func folder(_ path: FilePath) throws(FileError) -> Folder {
        do throws(FileError) { return try Folder(path, followsLinks: true) } catch {
            guard error.isMissing, let name = path.lastComponent?.string else { throw error }
            let above = path.removingLastComponent()
            let parent = try Folder(above.isEmpty ? "." : above, followsLinks: true)
            guard let folder = try parent.folder(name, makesMissing: true) else { throw error }
            return folder
        }
    }

    /// Refuses a folder in which other users may change names. Where it is sticky, as /tmp, they cannot change this
    /// one.
    private static func guardNames(in folder: Folder) throws(FileError) {
        var rules = FileRules.trustedFolder
        if try folder.facts().permissions.contains(.saveText) { rules.forbidden = [] }
        try folder.check(rules)
    }

    /// Gives the file free for other processes; nothing is written after this.
    func unlock() { lock.withLock { $0 = nil } }

    /// - Returns: nil if there is no file.
    func read() throws(StoreError) -> [UInt8]? {
        do throws(FileError) { return try folder.content(of: name, limit: Self.maximumBytes, rules: rules) } catch {
            switch error.reason {
            case .tooLarge: throw .corrupt("the key file is larger than \(Self.maximumBytes) bytes")
            case .openToOthers:
                throw .refused("others may write the key file, and so let in whom they like (chmod go-w)")
            case .foreignOwner:
                throw .refused("whoever owns the key file lets in whom they like: \(error.reason) (chown)")
            case .folder, .notRegular, .symbolicLink: throw .refused("the path of the key file names no file")
            default: throw StoreError(error)
            }
        }
    }

    /// What changes when somebody writes the file; empty where there is none.
    var version: [Int64] { ((try? folder.facts(of: name)) ?? nil)?.version ?? [] }

    /// Replaces the content by what `write` puts out.
    func replace(_ write: (inout FileOutput) throws(FileError) -> Void) throws(StoreError) {
        let saving = try savingFolder()
        do throws(FileError) {
            try saving.remove(Self.temporaryName)
            onStep(.removed)
            let file = try saving.create(Self.temporaryName)
            onStep(.created)
            do throws(FileError) {
                var output = FileOutput(file)
                try write(&output)
                try output.flush()
                onStep(.written)
                try file.synchronise()
                onStep(.synchronised)
                try saving.rename(Self.temporaryName, to: name, in: folder)
            } catch {
                try? saving.remove(Self.temporaryName)
                throw error
            }
            onStep(.renamed)
            try folder.synchronise()
            onStep(.settled)
        } catch {
            throw StoreError(error)
        }
    }

    /// Gives a file that cannot be read another name, which is not in use.
    ///
    /// - Returns: that name's path.
    func setAside() throws(StoreError) -> String {
        do throws(FileError) {
            for number in 1...1_000 {
                let suffix = ".unreadable-\(number)"
                // A second name for the file is refused if it is in use, and leaves no moment without any.
                do throws(FileError) { try folder.link(name, as: name + suffix) } catch {
                    guard error.errno == .fileExists else { throw error }
                    continue
                }
                try folder.remove(name)
                try folder.synchronise()
                return path + suffix
            }
        } catch {
            throw StoreError(error)
        }
        throw .refused("there are too many unreadable key files beside \(path)")
    }

    /// The folder for what is being written, which no other user can enter.
    private func savingFolder() throws(StoreError) -> Folder {
        let name = ".\(name).saving"
        do throws(FileError) {
            guard let saving = try folder.folder(name, rules: .privateFolder, makesMissing: true) else {
                throw FileError(folder.path(of: name), .make, because: .system(.noSuchFileOrDirectory))
            }
            return saving
        } catch {
            switch error.reason {
            case .foreignOwner, .openToOthers:
                throw .refused("the folder for saving keys is open to other users: remove \(name)")
            default: throw StoreError(error)
            }
        }
    }
}

extension StoreError {
    /// A file or a folder of the store that cannot be used.
    init(_ error: FileError) {
        // What it is told in ends the sentence itself.
        let text = "\(error)"
        self = .unavailable(text.hasSuffix(".") ? String(text.dropLast()) : text)
    }
}
