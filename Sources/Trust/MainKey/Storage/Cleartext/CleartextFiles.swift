import BasicFoundation
import CLinux
import Files
import Synchronization

/// Cleartext in files, for as long as it is needed and no longer: in memory, readable for this user alone, removed with
/// its owner, when the vault is locked, when the process ends, and, if it was killed, when the vault is opened again.
///
/// Memory may be swapped: it is for the person to encrypt the swap, and for `doctor` to say so.
///
/// Source: `mainkey` section 23.
package final class CleartextFiles: Sendable {
    private struct State: Sendable {
        var folder: CleartextFolder?
        /// The files that are there, by number.
        var open: [Int: OpenFile] = [:]
        var made = 0
        /// How often all of them were removed.
        var removals = 0
    }

    private struct NewFile {
        let file: OpenFile
        var path: String?
    }

    private let vault: VaultID
    private let places: CleartextPlaces
    private let state = Mutex(State())

    package init(of vault: VaultID, in places: CleartextPlaces = CleartextPlaces()) {
        self.vault = vault
        self.places = places
    }

    deinit { try? removeAll() }

    /// Removes what processes left behind that are gone; to be called when the vault is opened.
    ///
    /// - Returns: how many processes, and why something stayed.
    @discardableResult
    package func sweep() -> (count: Int, failures: [MainKeyError]) {
        var swept = (count: 0, failures: [MainKeyError]())
        for place in places.existing(for: vault) {
            let (count, failures) = CleartextFolder.sweep(place)
            swept.count += count
            swept.failures += failures
        }
        return swept
    }

    /// How often all files were removed: whoever asks before the vault is found unlocked notices that it locked since.
    var removals: Int { state.withLock { $0.removals } }

    /// An empty file without a name, to be passed on by its descriptor (`/proc/self/fd/<n>`, or a child's).
    ///
    /// - Parameter removals: what ``removals`` has to be still; nil where it does not matter.
    /// - Throws: `noSecureTemp` if there is no place for it; `locked`, `io`, `busy`.
    package func makeUnnamed(since removals: Int? = nil) throws(MainKeyError) -> CleartextFile {
        try make(since: removals) { (folder, _) throws(MainKeyError) in
            let number = clinux_open_unnamed(folder.files.descriptor)
            if number >= 0 {
                return NewFile(file: OpenFile(owning: FileDescriptor(rawValue: number), path: folder.files.folder.path))
            }
            guard errno == ENOTSUP || errno == EISDIR || errno == EINVAL else {
                throw .system(folder.files.path, failure: "a file cannot be made")
            }
            // The next best: a name for a moment.
            let name = "unnamed"
            let file = try Self.makeFile(name, in: folder.files)
            try folder.files.remove(name)
            return NewFile(file: file)
        }
    }

    /// An empty file for programs that want a path.
    ///
    /// - Parameters:
    ///   - name: one component; programs go by what follows its last dot.
    ///   - removals: what ``removals`` has to be still; nil where it does not matter.
    /// - Throws: `noSecureTemp` if there is no place for it; `configError` for a name that is none; `locked`, `io`,
    ///   `busy`.
    package func makeNamed(_ name: String, since removals: Int? = nil) throws(MainKeyError) -> CleartextFile {
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255, !name.utf8.contains(0),
            !name.utf8.contains(UInt8(ascii: "/"))
        else { throw .configError(reason: "the name of a file is one name of at most 255 bytes") }
        return try make(since: removals) { (folder, number) throws(MainKeyError) in
            // A folder for each, so that two may have one name.
            guard let own = try folder.files.subdirectory("\(number)", .creating) else {
                throw .internalFailure(reason: "a folder that was made is missing")
            }
            return NewFile(file: try Self.makeFile(name, in: own), path: own.pathOf(name))
        }
    }

    private static func makeFile(_ name: String, in directory: PrivateDirectory) throws(MainKeyError) -> OpenFile {
        try onDisk(try directory.folder.create(name, for: .readWrite))
    }

    private func make(
        since removals: Int?, _ open: (CleartextFolder, _ number: Int) throws(MainKeyError) -> NewFile
    ) throws(MainKeyError) -> CleartextFile {
        try state.withLock { (state) throws(MainKeyError) in
            guard removals == nil || removals == state.removals else { throw .locked }
            let folder = try folder(in: &state)
            state.made += 1
            let made = try open(folder, state.made)
            state.open[state.made] = made.file
            return CleartextFile(number: state.made, path: made.path, file: made.file, files: self)
        }
    }

    private func folder(in state: inout State) throws(MainKeyError) -> CleartextFolder {
        if let folder = state.folder { return folder }
        let folder = try CleartextFolder(in: places.make(for: vault))
        state.folder = folder
        return folder
    }

    /// Empties and removes one file.
    fileprivate func remove(_ number: Int) {
        state.withLock { state in
            guard let file = state.open.removeValue(forKey: number), let folder = state.folder else { return }
            Self.empty(file, of: folder)
            try? folder.files.folder.removeTree("\(number)", overwriting: !folder.isInMemory)
        }
    }

    /// Empties and removes all files, also those that are in use: their descriptors give no more bytes.
    package func removeAll() throws(MainKeyError) {
        try state.withLock { (state) throws(MainKeyError) in
            state.removals += 1
            guard let folder = state.folder else { return }
            for file in state.open.values { Self.empty(file, of: folder) }
            state.open = [:]
            state.folder = nil
            try folder.remove()
        }
    }

    private static func empty(_ file: OpenFile, of folder: CleartextFolder) {
        if !folder.isInMemory { try? file.overwriteWithZeros() }
        ftruncate(file.descriptor.rawValue, 0)
    }
}

/// A file with cleartext, emptied and removed with its owner.
public struct CleartextFile: ~Copyable, Sendable {
    fileprivate let number: Int
    /// The path of the file; nil for a file without a name.
    public let path: String?
    /// The file, open for reading and writing.
    let file: OpenFile
    fileprivate let files: CleartextFiles

    /// The descriptor's number, open for reading and writing for as long as this value lives.
    public var fileDescriptor: Int32 { file.descriptor.rawValue }

    /// Where this process finds the file; another one only if it has a name.
    public var url: URL { URL(filePath: path ?? "/dev/fd/\(fileDescriptor)") }

    deinit { files.remove(number) }
}
