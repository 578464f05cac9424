import CForceField
import Glibc

/// The pipes of one worker's outputs, as long as it may write to them.
struct WatchedOutputs {
    private(set) var open: [WatchedWorker.Output: Int32]
    /// The last bytes of standard error.
    private(set) var errorTail: [UInt8] = []
    /// Whether a pipe is for both: a linked worker has one.
    private let isShared: Bool

    /// Bytes of standard error that are kept.
    private static let tailLimit = 64 << 10

    init(_ spawned: cforcefield_spawned) {
        open = [.standard: spawned.output]
        if spawned.errors >= 0 { open[.error] = spawned.errors }
        isShared = spawned.errors < 0
    }

    /// - Returns: nil where nothing has come, or nothing comes any more, after which the pipe is closed.
    mutating func read(_ output: WatchedWorker.Output) -> [UInt8]? {
        guard let descriptor = open[output] else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        guard !bytes.isEmpty else {
            if errno == EAGAIN || errno == EINTR {
                errno = 0
                return nil
            }
            close(descriptor)
            open[output] = nil
            return nil
        }
        if output == .error || isShared { errorTail = (errorTail + bytes).suffix(Self.tailLimit) }
        return bytes
    }

    mutating func closeAll() {
        for descriptor in open.values { close(descriptor) }
        open = [:]
    }
}
