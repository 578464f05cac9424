import BasicFoundation
import Files
import ForceField

/// What commands read and write. None of it waits for ever: a named pipe is waited for ten seconds, a device is
/// refused.
enum CommandFiles {
    /// Bytes of a request.
    static let limit = 64 << 20

    static func read(_ path: String?) throws(Failure) -> [UInt8] {
        guard let path else { return [] }
        do {
            if path == "-" { return try InputFile(standardInput: ()).content(limit: limit) }
            return try InputFile.content(of: FilePath(path), limit: limit)
        } catch { throw Failure(error) }
    }

    /// Refuses a place that no report can be written to before there is anything to report.
    static func requirePlace(_ path: String?) throws(Failure) {
        guard let path else { return }
        let type = (try? Stat(FilePath(path)))?.type
        guard type == nil || type == .regular || type == .directory else { return }
        do throws(FileError) { _ = try PreparedFile(for: FilePath(path)) } catch {
            throw .cannotWrite(path: path, reason: "\(error.reason)")
        }
    }

    /// The report, as one line.
    static func write(_ report: TerminationReport, to path: String?) throws(Failure) {
        guard let path else { return }
        let bytes = Array((report.jsonText + "\n").utf8)
        do throws(FileError) {
            let place = FilePath(path)
            let type = (try? Stat(place))?.type
            guard let type, type != .regular else { return try PreparedFile.replace(place, with: bytes) }
            // A named pipe without a reader is refused rather than waited for.
            let file = try OpenFile(place, for: .writeOnly, rules: .anything, followsLinks: true)
            if let fault = write(bytes, to: file.descriptor.rawValue) {
                throw FileError(place, .write, because: .system(fault))
            }
        } catch {
            let isUnread = error.errno == .noSuchAddressOrDevice
            throw .cannotWrite(path: path, reason: isUnread ? "it is a pipe that nobody reads" : "\(error.reason)")
        }
    }

    /// - Returns: why not all of it was taken; nil where it was.
    static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Errno? {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { BasicFoundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            let fault = count < 0 ? Errno(rawValue: errno) : .ioError
            if fault == .wouldBlock {
                // Whoever made it so, as the other end of a terminal can, is waited for all the same.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            } else if fault != .interrupted {
                return fault
            }
        }
        return nil
    }

    /// An executable that locks itself in when it is told to: one without the words of stage 0 would run free.
    static func requireWorker(_ path: String) throws(Failure) {
        do {
            _ = try OpenFile(FilePath(path), rules: .regular, followsLinks: true)
        } catch { throw Failure(error) }
        guard let content = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        let isLinked = content.withUnsafeBytes { holds(Array("FORCEFIELD_STAGE".utf8), in: $0) }
        guard isLinked else { throw .notLinked(path: path) }
    }

    /// Whether a word is somewhere in a file. The standard library's own search takes a hundred times as long.
    private static func holds(_ word: [UInt8], in content: UnsafeRawBufferPointer) -> Bool {
        var rest = content[...]
        while let start = rest.firstIndex(of: word[0]) {
            rest = rest[start...]
            if rest.starts(with: word) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

extension Failure {
    fileprivate init(_ error: FileError) { self = .unreadable(path: error.path.string, reason: "\(error.reason)") }
}
