import BasicFoundation

/// Where cleartext may lie for a while: in memory, in a folder of this user alone.
///
/// Source: `mainkey` section 23.
package struct CleartextPlaces: Sendable {
    /// A folder that may hold cleartext, if the one that it lies in is there.
    struct Candidate: Sendable {
        let parent: String
        let name: String
        /// Whether the parent belongs to the user, as a runtime folder does, or to all, as `/dev/shm`.
        let isUsersOwn: Bool

        var path: String { parent + "/" + name }
    }

    private let candidates: [Candidate]
    private let allowsDisk: Bool

    /// `$XDG_RUNTIME_DIR/mainkey`, else `/dev/shm/mainkey-<uid>`.
    ///
    /// - Parameter allowsDisk: takes a place that is not in memory too, at the worst in the folder for temporary files.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment, allowsDisk: Bool = false
    ) {
        var candidates: [Candidate] = []
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            candidates.append(Candidate(parent: runtime, name: "mainkey", isUsersOwn: true))
        }
        let name = "mainkey-\(geteuid())"
        candidates.append(Candidate(parent: "/dev/shm", name: name, isUsersOwn: false))
        if allowsDisk {
            candidates.append(Candidate(parent: environment["TMPDIR"] ?? "/tmp", name: name, isUsersOwn: false))
        }
        self.init(candidates, allowsDisk: allowsDisk)
    }

    init(_ candidates: [Candidate], allowsDisk: Bool) {
        self.candidates = candidates
        self.allowsDisk = allowsDisk
    }

    /// Makes the vault's folder in the first place that will do.
    ///
    /// - Throws: `noSecureTemp`, with what is wrong with each.
    func make(for vault: VaultID) throws(MainKeyError) -> PrivateDirectory {
        var reasons: [String] = []
        for candidate in candidates {
            do throws(MainKeyError) {
                return try make(for: vault, in: candidate)
            } catch {
                reasons.append("\(error)")
            }
        }
        throw .noSecureTemp(reason: reasons.joined(separator: " "))
    }

    private func make(for vault: VaultID, in candidate: Candidate) throws(MainKeyError) -> PrivateDirectory {
        var parent = stat()
        guard stat(candidate.parent, &parent) == 0 else {
            throw .system(candidate.parent, failure: "it cannot be used")
        }
        guard !candidate.isUsersOwn || parent.st_uid == geteuid() else {
            throw .configError(reason: "\(candidate.parent) belongs to user \(parent.st_uid)")
        }
        let folder = try PrivateDirectory(candidate.path, .creating)
        guard allowsDisk || FileSystemKind(of: folder) == .memory else {
            throw .configError(reason: "\(candidate.path) lies on a disk; mount a tmpfs there or allow the disk")
        }
        guard let own = try folder.subdirectory(vault.description, .creating) else {
            throw .internalFailure(reason: "a folder that was made is missing")
        }
        return own
    }

    /// The folders of the vault that are there, in whichever place. One that is not this user's own is left alone.
    func existing(for vault: VaultID) -> [PrivateDirectory] {
        candidates.compactMap { candidate in
            (try? PrivateDirectory(candidate.path, .existing))
                .flatMap { try? $0.subdirectory(vault.description, .existing) }
        }
    }
}
