import CLibrary
internal import CLinux

extension Folder {
    /// Opens a file.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - mode: what it is opened for.
    ///   - rules: what is asked of it.
    /// - Returns: nil if there is none.
    public func open(
        _ name: String, for mode: FileDescriptor.AccessMode = .readOnly, rules: FileRules = .regular
    ) throws(FileError) -> OpenFile? {
        let place = try self.place(of: name)
        do throws(FileError) {
            let file = try OpenFile(
                place, below: descriptor, name: FilePath(name), for: mode, options: [.noFollow],
                permissions: nil)
            try file.check(rules, for: mode == .readOnly ? .read : .write)
            return file
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Makes a file that is not there yet.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - mode: what it is opened for.
    ///   - permissions: less what the process withholds.
    /// - Throws: ``FileError``, also if something of that name is there.
    public func create(
        _ name: String, for mode: FileDescriptor.AccessMode = .writeOnly,
        permissions: FilePermissions = .ownerReadWrite
    ) throws(FileError) -> OpenFile {
        try OpenFile(
            try place(of: name), below: descriptor, name: FilePath(name), for: mode,
            options: [.create, .exclusiveCreate, .noFollow], permissions: permissions)
    }

    /// Opens a file, which is made if it is not there.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - mode: what it is opened for.
    ///   - rules: what is asked of it, also if it was there.
    public func openOrCreate(
        _ name: String, for mode: FileDescriptor.AccessMode = .readWrite, rules: FileRules = .privateFile
    ) throws(FileError) -> OpenFile {
        let file = try OpenFile(
            try place(of: name), below: descriptor, name: FilePath(name), for: mode,
            options: [.create, .noFollow],
            permissions: .ownerReadWrite)
        try file.check(rules, for: .write)
        return file
    }

    /// Makes a file for this user alone that has no name, and that is gone when the process dies.
    ///
    /// - Parameters:
    ///   - path: what errors call it by.
    ///   - permissions: less what the process withholds.
    /// - Returns: nil where the file system has none. ``name(_:as:)`` gives it one.
    package func createUnnamed(for path: FilePath, permissions: FilePermissions = .ownerReadWrite) -> OpenFile? {
        let number = clinux_open_nameable(descriptor.rawValue, UInt32(permissions.rawValue))
        return number < 0 ? nil : OpenFile(owning: FileDescriptor(rawValue: number), path: path)
    }

    /// Gives a file without a name one that is not in use.
    ///
    /// - Parameters:
    ///   - file: made by ``createUnnamed(for:permissions:)``.
    ///   - name: of one part.
    public func name(_ file: OpenFile, as name: String) throws(FileError) {
        let place = try self.place(of: name)
        guard clinux_give_name(file.descriptor.rawValue, descriptor.rawValue, name) == 0 else {
            throw .last(place, .make)
        }
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - limit: bytes at the most.
    ///   - rules: what is asked of it.
    /// - Returns: nil if there is none.
    public func content(
        of name: String, limit: Int, rules: FileRules = .regular
    ) throws(FileError) -> [UInt8]? {
        try open(name, rules: rules)?.content(limit: limit)
    }

    /// What the system tells of a name; of a symbolic link, not of where it leads.
    ///
    /// - Returns: nil if there is nothing of that name.
    public func facts(of name: String) throws(FileError) -> Stat? {
        let place = try self.place(of: name)
        do {
            return try Stat(FilePath(name), relativeTo: descriptor, flags: .symlinkNoFollow, retryOnInterrupt: true)
        } catch {
            guard error != .noSuchFileOrDirectory else { return nil }
            throw FileError(place, .examine, because: .system(error))
        }
    }

    /// Removes a file; one that is missing is no error. ``synchronise()`` makes it last.
    public func remove(_ name: String) throws(FileError) {
        let place = try self.place(of: name)
        guard unlinkat(descriptor.rawValue, name, 0) == 0 || Errno.last == .noSuchFileOrDirectory else {
            throw .last(place, .remove)
        }
    }

    /// Removes an empty folder; one that is missing is no error.
    public func removeFolder(_ name: String) throws(FileError) {
        let place = try self.place(of: name)
        guard unlinkat(descriptor.rawValue, name, AT_REMOVEDIR) == 0 || Errno.last == .noSuchFileOrDirectory else {
            throw .last(place, .remove)
        }
    }

    /// Gives a file a second name, which must not be in use.
    ///
    /// - Parameters:
    ///   - name: the name that it has.
    ///   - other: the name that it gets too.
    public func link(_ name: String, as other: String) throws(FileError) {
        let place = try self.place(of: other)
        guard linkat(descriptor.rawValue, name, descriptor.rawValue, other, 0) == 0 else { throw .last(place, .make) }
    }
}
