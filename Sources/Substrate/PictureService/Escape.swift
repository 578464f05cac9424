/// What a worker is asked to try, and its walls have to refuse. Each is one call of the system, which does no harm if
/// it succeeds.
///
/// Source: `forcefield` section 23.
package enum Escape: String, Codable, CaseIterable, Sendable {
    /// Opening a socket of the Internet.
    case internetSocket
    /// Opening a socket of this machine.
    case localSocket
    /// Opening a file that every process of a machine can read.
    case file
    /// Opening the root folder, which every process has.
    case rootFolder
}

/// What became of it, as the worker tells it: a fresh one, which has seen no picture.
package enum EscapeOutcome: Codable, Hashable, Sendable {
    /// The system refused it, with this number of an error.
    case refused(Int)
    /// It was let pass.
    case succeeded
    /// It was not tried: the worker is in no process namespace of its own.
    case notTried

    /// Numbers that the kernel gives to errors.
    private static let errors = 1...4_095

    /// - Parameters:
    ///   - result: what the call returned, or minus the number of its error.
    ///   - notTried: what stands for no call.
    package init(result: Int64, notTried: Int64) {
        self = result >= 0 ? .succeeded : result == notTried ? .notTried : .refused(Int(-result))
    }

    /// - Throws: ``ReplyRefusal`` for errors that there are not.
    package func check() throws(ReplyRefusal) {
        guard case .refused(let number) = self else { return }
        guard Self.errors.contains(number) else { throw .errorNumber(number) }
    }
}
