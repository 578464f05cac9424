internal import GateRules

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A small file, whole.
enum FileContent {
    static let maximumBytes = 1 << 20

    enum Failure: Error {
        case unreadable(Int32)
        case tooLarge
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = systemRead(file, &page, page.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .unreadable(errno)
            }
            guard count > 0 else { return bytes }
            bytes += page[..<count]
            guard bytes.count <= maximumBytes else { throw .tooLarge }
        }
    }

    /// - Throws: with the setting that names the file.
    static func read(_ path: String, for name: SettingName) throws(GateServerError) -> [UInt8] {
        do throws(Failure) {
            return try read(path)
        } catch {
            switch error {
            case .unreadable(let code):
                throw .setting(name, "The file cannot be read: \(String(cString: strerror(code))).")
            case .tooLarge: throw .setting(name, "The file has more than \(maximumBytes) bytes.")
            }
        }
    }

    /// Whether others than its owner may read or write a file.
    static func isOpenToOthers(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & 0o077 != 0
    }

    /// What changes when a file is replaced: when it was changed last, its size and its place.
    static func version(_ path: String) -> [Int64] {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return [] }
        #if canImport(Glibc)
            let time = facts.st_mtim
        #else
            let time = facts.st_mtimespec
        #endif
        return [Int64(time.tv_sec), Int64(time.tv_nsec), Int64(facts.st_size), Int64(facts.st_ino)]
    }
}

/// The system's, whose name is also that of a method here.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
        Glibc.read(file, bytes, count)
    #else
        Darwin.read(file, bytes, count)
    #endif
}
