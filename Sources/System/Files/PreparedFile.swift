/// A file that is opened beside its place before there is anything to write, and takes its place when it is whole.
///
/// What can be refused, such as a folder that is missing or closed, or a device in its place, is refused when it is
/// prepared. After a crash the old file is there or the new one. Until it takes its place it has no name, or another
/// one where the file system has no files without.
///
///     let output = try PreparedFile(for: path)
///     try output.write(bytes)
///     try output.commit()
public final class PreparedFile {
    /// The path as it was asked for.
    public let path: FilePath
    /// What is written to.
    public let file: OpenFile
    private let folder: Folder
    private let name: String
    private let draft: String
    private var draftHasName: Bool
    private var isOpen = true

    /// - Parameters:
    ///   - path: where it will be. A symbolic link keeps leading to the file that is replaced.
    ///   - permissions: nil for those of the file that is replaced, or else for what new files of this process get.
    ///     Those of its group are kept where the new file can be of that group, and no access control list is lost.
    /// - Throws: ``FileError``.
    public init(for path: FilePath, permissions: FilePermissions? = nil) throws(FileError) {
        self.path = path
        let former = try Self.former(at: path)
        let place = former?.place ?? path
        guard let name = place.lastComponent?.string else { throw FileError(path, .write, because: .badName) }
        self.name = name
        let above = place.removingLastComponent()
        do throws(FileError) {
            folder = try Folder(above.isEmpty ? "." : above, followsLinks: true)
        } catch {
            throw FileError(path, .write, because: error.reason)
        }
        // A name of its own length: beside the longest name there is no room for a longer one.
        draft = ".\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
        // From the first moment no wider than it will be: who opens a wider draft reads what is written later.
        let kept = permissions == nil ? former : nil
        let mode =
            permissions ?? kept?.permissions.subtracting(.groupReadWriteExecute)
            ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
        let unnamed = folder.createUnnamed(for: path, permissions: mode)
        draftHasName = unnamed == nil
        do throws(FileError) {
            if let unnamed { file = unnamed } else { file = try folder.create(draft, permissions: mode) }
        } catch {
            throw FileError(path, .write, because: error.reason)
        }
        // What the process withholds from new files, the file that is replaced may have had.
        if let kept { try file.setPermissions(Self.permissions(of: file, replacing: kept)) }
    }

    deinit {
        if isOpen, draftHasName { try? folder.remove(draft) }
    }

    /// Writes all of `bytes` behind what was written before.
    public func write(_ bytes: some Collection<UInt8>) throws(FileError) {
        try file.write(Array(bytes))
    }

    /// Brings it to the disk and puts it in its place.
    public func commit() throws(FileError) {
        precondition(isOpen, "a prepared file takes its place once")
        defer {
            if draftHasName { try? folder.remove(draft) }
            isOpen = false
        }
        do throws(FileError) {
            try file.synchronise()
            if !draftHasName {
                try folder.name(file, as: draft)
                draftHasName = true
            }
            try folder.rename(draft, to: name)
            draftHasName = false
            try folder.synchronise()
        } catch {
            throw FileError(path, .write, because: error.reason)
        }
    }

    /// A file that will be replaced.
    private struct Former {
        /// Where the file itself is, behind links.
        let place: FilePath
        let permissions: FilePermissions
        let group: GroupID
        /// Whether an access control list says more than the permissions do, or may say so.
        let hasAccessList: Bool
    }

    /// The permissions of the file that is replaced, without those of its group where they would be given to others.
    ///
    /// A new file is of the group of this process. And where there is an access control list, the bits of the group are
    /// the most that anybody on the list may do, and not what the group may.
    private static func permissions(
        of draft: OpenFile, replacing former: Former
    ) throws(FileError) -> FilePermissions {
        var isOfGroup = try draft.facts().groupID == former.group
        if !isOfGroup { isOfGroup = draft.tryGiving(to: former.group) }
        guard isOfGroup, !former.hasAccessList, !draft.hasAccessList else {
            return former.permissions.subtracting(.groupReadWriteExecute)
        }
        return former.permissions
    }

    /// What will be replaced; nil if there is nothing.
    ///
    /// - Throws: ``FileError`` for a folder or a device, which a file must not take the place of.
    private static func former(at path: FilePath) throws(FileError) -> Former? {
        let facts: Stat
        do {
            facts = try Stat(path, followTargetSymlink: true, retryOnInterrupt: true)
        } catch {
            // A link that leads nowhere is there itself.
            guard error == .noSuchFileOrDirectory, (try? Stat(path, followTargetSymlink: false)) == nil else {
                throw FileError(path, .write, because: .system(error))
            }
            return nil
        }
        if let objection = FileRules.regular.objection(to: facts) {
            throw FileError(path, .write, because: objection)
        }
        // New content does not inherit the rights of an owner or a group.
        let permissions = facts.permissions.subtracting([.setUserID, .setGroupID, .saveText])
        do {
            let place = try path.resolved()
            return Former(
                place: place, permissions: permissions, group: facts.groupID,
                hasAccessList: OpenFile.hasAccessList(place))
        } catch {
            throw FileError(path, .write, because: .system(error))
        }
    }

    /// Replaces a file at once.
    ///
    /// - Parameters:
    ///   - path: where it is or will be.
    ///   - bytes: the new content.
    ///   - permissions: nil for those of the file that is replaced, or else for what new files of this process get.
    public static func replace(
        _ path: FilePath, with bytes: [UInt8], permissions: FilePermissions? = nil
    ) throws(FileError) {
        let file = try PreparedFile(for: path, permissions: permissions)
        try file.write(bytes)
        try file.commit()
    }
}
