/// What a built-in worker can be told to do. None does harm where it succeeds.
///
/// The host sends one command of eight bytes, the deed and its argument. Workers that then speak FF1 say HELLO.
package enum Deed: UInt32, CaseIterable, Sendable {
    /// An attempt of the audit, by its index; answered by what it returned, eight bytes.
    case attempt
    /// Ends with the argument as its code.
    case exit
    case unwrapNil, fatalError, abort, writeToAddress8, recurse, spin, spinWithoutSignal, allocate
    /// As many as the filter lets through.
    case int80, signalItself, fork
    case stop
    /// Nothing at all, not even HELLO.
    case silence
    /// FF1, answering with the request's own bytes.
    case echo
    /// FF1, answering never, or only to CANCEL.
    case neverAnswer, answerCancel
    /// FF1, and in a call: a damaged frame; the end of the channel without the end of the process; the end of the
    /// process.
    case sendDamagedFrame, closeChannel, exitInCall
    /// FF1, and in a call: half of its answer, or the whole, and then at once the end of the process.
    case halfAnswerAndExit, answerAndExit
    /// FF1, and it stops itself in a call.
    case stopInCall
    /// FF1 of other methods.
    case otherInterface
    /// Text without end on standard output.
    case flood
}
