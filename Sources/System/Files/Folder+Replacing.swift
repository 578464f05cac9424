import CLibrary

/// A step of replacing a file, at which the process may end: tests end it there.
public enum ReplacementStep: String, CaseIterable, Sendable {
    /// What an earlier attempt left is gone.
    case removed
    /// The new file is there, and empty.
    case created
    /// It has all its bytes.
    case written
    /// The disk has them.
    case synchronised
    /// It has taken the place of the old one.
    case renamed
    /// The disk knows that.
    case settled
}

/// What is told when a step was reached, and for which file.
public typealias StepObserver = (_ step: ReplacementStep, _ name: String) -> Void

extension Folder {
    /// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - bytes: the new content.
    ///   - permissions: less what the process withholds.
    ///   - onStep: is told of each step.
    public func replace(
        _ name: String, with bytes: UnsafeRawBufferPointer, permissions: FilePermissions = .ownerReadWrite,
        onStep: StepObserver = { _, _ in }
    ) throws(FileError) {
        let staged = name + ".new"
        try stage(bytes, as: staged, permissions: permissions, onStep: onStep)
        do throws(FileError) {
            try promote(staged, to: name, onStep: onStep)
        } catch {
            try? remove(staged)
            throw error
        }
    }

    /// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - bytes: the new content.
    ///   - permissions: less what the process withholds.
    ///   - onStep: is told of each step.
    public func replace(
        _ name: String, with bytes: [UInt8], permissions: FilePermissions = .ownerReadWrite,
        onStep: StepObserver = { _, _ in }
    ) throws(FileError) {
        try bytes.withUnsafeBufferPointer { memory throws(FileError) in
            try replace(name, with: UnsafeRawBufferPointer(memory), permissions: permissions, onStep: onStep)
        }
    }

    /// The first half of replacing a file: writes all of it under a name of its own, through to the disk. What has that
    /// name is removed before, and on failure nothing is left.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - name: the name until it is promoted.
    ///   - permissions: less what the process withholds.
    ///   - onStep: is told of each step.
    package func stage(
        _ bytes: UnsafeRawBufferPointer, as name: String, permissions: FilePermissions = .ownerReadWrite,
        onStep: StepObserver = { _, _ in }
    ) throws(FileError) {
        try remove(name)
        onStep(.removed, name)
        let file = try create(name, permissions: permissions)
        onStep(.created, name)
        do throws(FileError) {
            try file.write(bytes)
            onStep(.written, name)
            try file.synchronise()
            onStep(.synchronised, name)
        } catch {
            try? remove(name)
            throw error
        }
    }

    /// The second half: gives what was staged its final name, and sees that the folder remembers it. On failure what
    /// was staged stays, since it may be the only file that is of use by then.
    ///
    /// - Parameters:
    ///   - staged: the name until now.
    ///   - name: the final name.
    ///   - onStep: is told of each step.
    package func promote(
        _ staged: String, to name: String, onStep: StepObserver = { _, _ in }
    ) throws(FileError) {
        try rename(staged, to: name)
        onStep(.renamed, name)
        try synchronise()
        onStep(.settled, name)
    }

    /// Gives a file another name, in the place of what has that name. ``synchronise()`` makes it last.
    ///
    /// - Parameters:
    ///   - name: the name until now.
    ///   - other: the new name.
    ///   - folder: where the new name is; nil for here.
    public func rename(_ name: String, to other: String, in folder: Folder? = nil) throws(FileError) {
        let target = folder ?? self
        let place = try target.place(of: other)
        _ = try self.place(of: name)
        guard renameat(descriptor.rawValue, name, target.descriptor.rawValue, other) == 0 else {
            throw .last(place, .replace)
        }
    }

    /// Overwrites a file with zeros in place and removes it; one that is missing is no error. A file with more names
    /// becomes zeros under all of them; what breaks the rules is removed as it is. On most disks the old bytes survive
    /// somewhere: only losing the key makes them worthless.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - rules: what is asked of a file that is overwritten.
    ///   - onOverwritten: is told when the disk has the zeros.
    public func overwriteAndRemove(
        _ name: String, rules: FileRules = .regular, onOverwritten: () -> Void = {}
    ) throws(FileError) {
        do throws(FileError) {
            guard let file = try open(name, for: .writeOnly, rules: rules) else { return }
            try file.overwriteWithZeros()
            onOverwritten()
        } catch {
            // Removing is what counts: its failure is the one to tell.
        }
        try remove(name)
        try synchronise()
    }
}
