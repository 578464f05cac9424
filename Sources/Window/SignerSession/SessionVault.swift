import SignerCore

/// The vault that a window looks at.
package enum SessionVault: Sendable {
    /// One in memory, gone with the program.
    case memory(MemoryHost)
    case folder(FolderHost)

    var host: any CoreHost {
        switch self {
        case .memory(let host): host
        case .folder(let host): host
        }
    }

    /// Runs what waits for a person, which counts for autolock, and goes on counting where what came is by nobody.
    func whileWaiting<R>(until isByPerson: (R) -> Bool, _ body: () -> R) -> R {
        switch self {
        case .memory: body()
        case .folder(let host): host.whileWaiting(until: isByPerson, body)
        }
    }
}
