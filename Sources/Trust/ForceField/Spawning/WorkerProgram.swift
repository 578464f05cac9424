/// The executable that a worker runs.
///
/// Never looked for in `$PATH`: a name is resolved beside the running executable only.
///
/// Source: `forcefield` sections 4 and 21.
public enum WorkerProgram: Hashable, Sendable {
    /// A program of this name in the folder of the running executable. It links `ForceFieldWorker`.
    case beside(String)
    /// A program at an absolute path. It links `ForceFieldWorker`.
    case path(String)
    /// The running executable itself, which calls `ForceFieldWorker.runIfRequested` first thing in `main`.
    ///
    /// - Parameter role: told to the worker as its name.
    case currentExecutable(role: String)
    /// A statically linked program at an absolute path, of which nothing is trusted. The running executable starts it.
    case foreign(path: String, arguments: [String])

    /// Whether nothing of the program is trusted, not even its first instruction.
    var isForeign: Bool {
        if case .foreign = self { true } else { false }
    }
}
