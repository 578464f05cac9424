import CLibrary

extension Folder {
    /// The most folders within each other that are removed with what is in them; each takes a descriptor.
    private static let mostLevels = 64

    /// Removes what has a name with all that is in it, never leaving it by a symbolic link; what is missing is no
    /// error. Names in it are taken as the system has them, whether or not they are UTF-8.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - overwriting: puts zeros over files first.
    /// - Throws: the first failure, when all is gone that can be removed.
    package func removeTree(_ name: String, overwriting: Bool = false) throws(FileError) {
        _ = try place(of: name)
        try removeTree(FilePath(name), overwriting, levels: Self.mostLevels)
    }

    private func removeTree(_ name: FilePath, _ overwriting: Bool, levels: Int) throws(FileError) {
        let place = path.appending(name.components)
        // What the system says of a path that is too long.
        guard levels > 0 else { throw FileError(place, .remove, because: .system(.fileNameTooLong)) }
        let folder: Folder
        do throws(FileError) {
            folder = try Folder(place, below: descriptor, name: name, rules: .folder, followsLinks: false)
        } catch {
            if error.isMissing { return }
            // What cannot be overwritten is removed all the same.
            if overwriting { try? overwrite(name, at: place) }
            return try unlink(name, at: place)
        }
        var firstFailure: FileError?
        for entry in try folder.components() {
            do throws(FileError) {
                try folder.removeTree(FilePath(root: nil, components: entry), overwriting, levels: levels - 1)
            } catch {
                firstFailure = firstFailure ?? error
            }
        }
        if let firstFailure { throw firstFailure }
        try unlink(name, at: place, AT_REMOVEDIR)
    }

    private func overwrite(_ name: FilePath, at place: FilePath) throws(FileError) {
        try OpenFile(
            place, below: descriptor, name: name, for: .writeOnly, options: [.noFollow], permissions: nil
        ).overwriteWithZeros()
    }

    private func unlink(_ name: FilePath, at place: FilePath, _ flags: CInt = 0) throws(FileError) {
        let result = name.withPlatformString { unlinkat(descriptor.rawValue, $0, flags) }
        guard result == 0 || Errno.last == .noSuchFileOrDirectory else { throw .last(place, .remove) }
    }
}
