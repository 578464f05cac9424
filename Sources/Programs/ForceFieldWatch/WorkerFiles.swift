import CForceField
import Files
import ForceField
import Glibc

/// The files that a worker is started from, open.
struct WorkerFiles {
    private let program: OpenFile
    private let target: OpenFile?
    private let input: OpenFile?

    /// The path of the program that runs already.
    private static let ownProgram = "/proc/self/exe"

    init(of plan: WorkerPlan) throws(WatchError) {
        program = try Self.open(plan.program)
        if plan.program != Self.ownProgram {
            do { try WorkerExecutable.requireTrustedPlace(of: program) } catch {
                throw .untrustedProgram(error)
            }
        }
        target = try plan.target.map { path throws(WatchError) in try Self.open(path) }
        input = try plan.input.map { path throws(WatchError) in try Self.open(path) }
    }

    /// Starts stage 0 with them.
    ///
    /// - Parameter words: the worker's name and its arguments.
    func spawn(_ policy: cforcefield_policy, words: [String]) throws(WatchError) -> cforcefield_spawned {
        var policy = policy
        var spawned = cforcefield_spawned()
        let error = Self.withArguments(words) { words in
            withUnsafePointer(to: &policy) { policy in
                var request = cforcefield_spawn_request(
                    policy: policy, program: program.descriptor.rawValue, target: target?.descriptor.rawValue ?? -1,
                    input: input?.descriptor.rawValue ?? -1, arguments: words)
                return withExtendedLifetime((program, target, input)) { cforcefield_spawn(&request, &spawned) }
            }
        }
        guard error == 0 else { throw .spawn(errno: error) }
        return spawned
    }

    /// A regular file. Anything else is refused without waiting for it: a named pipe would be waited for until it has a
    /// writer.
    private static func open(_ path: String) throws(WatchError) -> OpenFile {
        do { return try OpenFile(FilePath(path), followsLinks: true) } catch {
            switch error.reason {
            case .system(let code): throw .unreadable(path: path, errno: code.rawValue)
            case .folder: throw .unreadable(path: path, errno: EISDIR)
            default: throw .notRegular(path: path)
            }
        }
    }

    private static func withArguments<R>(
        _ words: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
    ) -> R {
        var pointers = words.map { UnsafePointer<CChar>(strdup($0)) }
        defer { for pointer in pointers { free(UnsafeMutableRawPointer(mutating: pointer)) } }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
