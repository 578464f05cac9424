import ForceField
import Foundation

/// What commands read and write.
enum Files {
    /// Bytes of a request.
    static let limit = 64 << 20

    static func read(_ path: String?) throws(Failure) -> [UInt8] {
        guard let path else { return [] }
        guard let file = FileHandle(forReadingAtPath: path == "-" ? "/dev/stdin" : path) else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { try? file.close() }
        do {
            let content = try file.read(upToCount: limit + 1) ?? Data()
            guard content.count <= limit else {
                throw Failure.unreadable(path: path, reason: "it has more than \(limit) bytes")
            }
            return Array(content)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreadable(path: path, reason: "it is a folder, or the disk fails")
        }
    }

    /// The report, as one line.
    static func write(_ report: TerminationReport, to path: String?) throws(Failure) {
        guard let path else { return }
        guard let file = fopen(path, "w") else {
            throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        let line = report.json + "\n"
        let isWritten = fputs(line, file) >= 0
        guard fclose(file) == 0, isWritten else {
            throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// - Returns: whether somebody took it all.
    @discardableResult static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// An executable that locks itself in when it is told to: one without the words of stage 0 would run free.
    static func requireWorker(_ path: String) throws(Failure) {
        guard let content = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard content.range(of: Data("FORCEFIELD_STAGE".utf8)) != nil else { throw .notLinked(path: path) }
    }
}
