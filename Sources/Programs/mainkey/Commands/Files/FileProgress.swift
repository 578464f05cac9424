import BasicFoundation
import Console
import Synchronization

/// Shows how far a file is, in MiB, where somebody looks.
final class FileProgress: Sendable {
    private let line: Mutex<ProgressLine>

    /// - Parameter path: `-` for a stream, whose length is not known.
    init(_ verb: String, of path: String) {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
        line = Mutex(ProgressLine(label: "\(verb) \(path): MiB", of: size >> 20))
    }

    func show(_ bytes: UInt64) { line.withLock { $0.show(Int(bytes >> 20)) } }

    func end() { line.withLock { $0.end() } }
}
