import BasicFoundation
import CLinux
import Dispatch
import Sockets

/// Tells, within milliseconds, that another process changed something in a folder.
///
/// A change of a file's content in place is not told: the files here are replaced as a whole.
///
/// Source: `mainkey` section 22; inotify(7).
// @unchecked: what watches is set up before `init` returns; after that it is only cancelled, which any thread may do.
package final class DirectoryWatch: @unchecked Sendable {
    package enum Change: Equatable, Sendable {
        /// A file of this name came, or was replaced.
        case name(String)
        /// A file of this name went.
        case removed(String)
        /// Look at all of it: more happened than was kept, or the system does not tell names.
        case anything
        /// The folder itself was removed or moved away.
        case gone
    }

    #if os(Linux)
        private let source: DescriptorWatch
    #else
        private let source: any DispatchSourceProtocol
    #endif

    /// - Parameter onChange: is called on a queue of the watch, one change after the other, until ``stop()``; a call
    ///   that is under way then still ends.
    package init(
        _ directory: PrivateDirectory, onChange: @escaping @Sendable (Change) -> Void
    ) throws(MainKeyError) {
        let queue = DispatchQueue(label: "casemate.mainkey.watch")
        #if os(Linux)
            let descriptor = clinux_watch_open(directory.descriptor)
            guard descriptor >= 0 else { throw Self.failure(errno, directory) }
            let watch = DescriptorWatch(
                descriptor, on: queue,
                onReadable: {
                    var report = onChange
                    let result = withUnsafeMutablePointer(to: &report) {
                        clinux_watch_take(descriptor, Self.report, $0)
                    }
                    if result != 0 { onChange(.anything) }
                },
                onEnd: { close(descriptor) })
            guard let watch else {
                close(descriptor)
                throw Self.failure(EMFILE, directory)
            }
            source = watch
        #else
            let descriptor = fcntl(directory.descriptor, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw .system(directory.path, failure: "the folder cannot be watched") }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .delete, .rename], queue: queue)
            source.setEventHandler { [unowned source] in
                onChange(source.data.isDisjoint(with: [.delete, .rename]) ? .anything : .gone)
            }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            self.source = source
        #endif
    }

    deinit { source.cancel() }

    package func stop() { source.cancel() }

    #if os(Linux)
        /// The error of a watch. inotify(7) says EMFILE also when the user, not the process, has too many.
        private static func failure(_ code: Int32, _ directory: PrivateDirectory) -> MainKeyError {
            guard code == EMFILE else {
                return .system(directory.path, failure: "the folder cannot be watched", code: code)
            }
            return .limitExceeded(
                reason: "too many folders are watched; raise ulimit -n or the sysctl fs.inotify.max_user_instances")
        }

        private static let report:
            @convention(c) (UnsafeMutableRawPointer?, clinux_watch_event, UnsafePointer<CChar>?) -> Void = {
                context, event, name in
                guard let context else { return }
                let onChange = context.assumingMemoryBound(to: (@Sendable (Change) -> Void).self).pointee
                switch event {
                case clinux_watch_name: onChange(.name(name.map { String(cString: $0) } ?? ""))
                case clinux_watch_removed: onChange(.removed(name.map { String(cString: $0) } ?? ""))
                case clinux_watch_gone: onChange(.gone)
                default: onChange(.anything)
                }
            }
    #endif
}
