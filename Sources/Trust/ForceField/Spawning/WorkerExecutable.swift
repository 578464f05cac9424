#if os(Linux)
    import Files
    import Glibc

    /// A worker's executable, opened once and checked: what was checked is what runs, whatever lies at its path later.
    ///
    /// Source: `forcefield` section 4.
    package struct WorkerExecutable: Sendable {
        /// The path as it was resolved.
        let path: String
        /// The executable that links `CForceField`; stage 0 runs in it.
        let program: OpenFile
        /// What stage 0 executes in exec mode.
        let target: OpenFile?
        /// The worker's arguments, the first of them its name.
        let arguments: [String]
        /// The SHA-256 of the executable that does the work, if it was asked for.
        let digest: [UInt8]?

        private static let ownPath = "/proc/self/exe"

        /// - Parameter measure: gets the descriptor of the executable, open for reading; gives its SHA-256.
        /// - Throws: ``ForceFieldError``: `unusableProgram`.
        init(
            _ worker: WorkerProgram, measure: (@Sendable (Int32) throws -> [UInt8])? = nil
        ) throws(ForceFieldError) {
            switch worker {
            case .beside(let name):
                guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".." else {
                    throw .unusableProgram(
                        path: name, reason: "it is no file name. Give the name alone, without a folder.")
                }
                path = try Self.ownFolder() + name
                arguments = [name]
            case .path(let given), .foreign(let given, _):
                guard given.hasPrefix("/") else {
                    throw .unusableProgram(path: given, reason: "it is not absolute. Give the whole path.")
                }
                path = given
                let name = String(given.split(separator: "/").last ?? "worker")
                if case .foreign(_, let rest) = worker { arguments = [name] + rest } else { arguments = [name] }
            case .currentExecutable(let role):
                path = Self.ownPath
                arguments = [role]
            }
            let executable = try Self.open(path)
            // A foreign one is not trusted at all, so it does not matter who may write it.
            if !worker.isForeign, path != Self.ownPath { try Self.requireTrustedPlace(of: executable) }
            target = worker.isForeign ? executable : nil
            program = worker.isForeign ? try Self.open(Self.ownPath) : executable
            guard let measure else {
                digest = nil
                return
            }
            do { digest = try measure(executable.number) } catch {
                throw .unusableProgram(path: path, reason: "\(error)")
            }
        }

        /// The folder of the running executable, with a slash at its end.
        private static func ownFolder() throws(ForceFieldError) -> String {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(ownPath, &buffer, buffer.count)
            let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else {
                throw .unusableProgram(
                    path: ownPath, reason: "it does not say where it lies (errno \(errno)). Mount /proc.")
            }
            return String(decoding: path[...slash], as: UTF8.self)
        }

        private static func open(_ path: String) throws(ForceFieldError) -> OpenFile {
            // A user who can write it can choose what runs. The running executable runs already.
            let rules = FileRules(type: .regular, forbidden: path == ownPath ? [] : [.groupWrite, .otherWrite])
            do throws(FileError) { return try OpenFile(FilePath(path), rules: rules, followsLinks: true) } catch {
                throw .unusableProgram(path: path, reason: reason(error))
            }
        }

        private static func reason(_ error: FileError) -> String {
            switch error.reason {
            case .system(let code):
                "it cannot be opened (errno \(code.rawValue)). Check that it is installed."
            case .openToOthers: "others may write it. Remove their right (chmod go-w)."
            default: "it is no regular file."
            }
        }
    }

    // MARK: Who may put another file in its place

    extension WorkerExecutable {
        /// Refuses an executable that others may exchange. A program that links the force field locks itself in, and
        /// runs as the user who starts it until then. Where that is root, neither another user nor one who may write to
        /// the folders above it may choose what runs. A user who could put another file in the place of the running
        /// executable gains nothing by this, so its owner and the folders above it are trusted as it is.
        ///
        /// - Parameter executable: opened by the path that was given; a link on the way is another way in.
        /// - Throws: ``ForceFieldError``: `unusableProgram`.
        package static func requireTrustedPlace(of executable: OpenFile) throws(ForceFieldError) {
            guard geteuid() == 0 else { return }
            let path = executable.path.string
            let owners: Set<UserID> = (try? Stat(FilePath(ownPath))).map { [.root, $0.userID] } ?? [.root]
            let owner = try? executable.facts().userID
            guard let owner, owners.contains(owner) else {
                let user = owner.map { "\($0.rawValue)" } ?? "unknown"
                throw .unusableProgram(
                    path: path, reason: "it belongs to user \(user). Root runs what is root's: chown root.")
            }
            let trusted = Set(folders(above: target(of: ownPath)))
            for given in [path, target(of: "/proc/self/fd/\(executable.number)")] {
                let folders = folders(above: given)
                for folder in folders where !trusted.contains(folder) {
                    let facts = try? Stat(FilePath(folder))
                    guard let facts, isClosed(facts, isNearest: folder == folders.last) else {
                        throw .unusableProgram(
                            path: path,
                            reason:
                                "others may write the folder \(folder). Root runs nothing from there: chown root, chmod go-w."
                        )
                    }
                }
            }
        }

        /// In a sticky folder others make files and cannot replace ours: enough for one that leads to a folder of
        /// root's.
        private static func isClosed(_ folder: Stat, isNearest: Bool) -> Bool {
            let othersWrite = !folder.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
            return folder.userID == .root && (!othersWrite || !isNearest && folder.permissions.contains(.saveText))
        }

        /// The folders from the root to the one that the file lies in.
        private static func folders(above path: String) -> [String] {
            path.utf8.split(separator: UInt8(ascii: "/")).dropLast().reduce(into: ["/"]) { folders, part in
                folders.append((folders.last == "/" ? "/" : folders[folders.count - 1] + "/") + Substring(part))
            }
        }

        /// Where a link of the kernel's leads; nothing if it does not say.
        private static func target(of link: String) -> String {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(link, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
#endif
