#if os(Linux)
    import Glibc

    /// A worker's executable, opened once and checked: what was checked is what runs, whatever lies at its path later.
    ///
    /// Source: `forcefield` section 4.
    struct WorkerExecutable: Sendable {
        /// As it was resolved.
        let path: String
        /// Links `CForceField`; stage 0 runs in it.
        let program: OwnedDescriptor
        /// What stage 0 executes in exec mode.
        let target: OwnedDescriptor?
        /// The worker's arguments, the first of them its name.
        let arguments: [String]
        /// Of the executable that does the work, if it was asked for.
        let digest: [UInt8]?

        private static let ownPath = "/proc/self/exe"

        /// - Parameter measure: gets the descriptor of the executable, open for reading; gives its SHA-256.
        /// - Throws: ``ForceFieldError``: `unusableProgram`.
        init(
            _ worker: WorkerProgram, measure: (@Sendable (Int32) throws -> [UInt8])? = nil
        ) throws(ForceFieldError) {
            switch worker {
            case .beside(let name):
                guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
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

        /// Of the running executable, with a slash at its end.
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

        private static func open(_ path: String) throws(ForceFieldError) -> OwnedDescriptor {
            guard let file = OwnedDescriptor(taking: Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK))
            else {
                throw .unusableProgram(
                    path: path, reason: "it cannot be opened (errno \(errno)). Check that it is installed.")
            }
            var facts = stat()
            guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                throw .unusableProgram(path: path, reason: "it is no regular file.")
            }
            // Who can write it can choose what runs. The running executable runs already.
            guard path == ownPath || facts.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
                throw .unusableProgram(path: path, reason: "others may write it. Remove their right (chmod go-w).")
            }
            return file
        }
    }
#endif
