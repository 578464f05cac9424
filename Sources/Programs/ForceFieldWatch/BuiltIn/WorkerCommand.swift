/// What a built-in worker can be told to do. None does harm where it succeeds.
///
/// The host sends eight bytes: the command and its argument. Workers that then speak FF1 say HELLO.
package enum WorkerCommand: UInt32, CaseIterable, Sendable {
    /// An attempt of the audit, by its index; answered by what it returned, eight bytes.
    case attempt
    /// Ends with the argument as its code.
    case exit
    case unwrapNil, fatalError, abort, writeToAddress8, recurse, spin, spinWithoutSignal, allocate
    /// Does what is named as often as the filter lets it.
    case int80, signalItself, fork
    case stop
    /// Says nothing at all, not even HELLO.
    case silence
    /// Speaks FF1 and answers with the request's own bytes.
    case echo
    /// Speaks FF1 and answers never, or only to CANCEL.
    case neverAnswer, answerCancel
    /// FF1, and in a call: a damaged frame; the end of the channel without the end of the process; the end of the
    /// process.
    case sendDamagedFrame, closeChannel, exitInCall
    /// FF1, and in a call: half of its answer, or the whole, and then at once the end of the process.
    case halfAnswerAndExit, answerAndExit
    /// Speaks FF1 and stops itself in a call.
    case stopInCall
    /// Speaks FF1 with other methods.
    case otherInterface
    /// Writes text without end on standard output.
    case flood
}
