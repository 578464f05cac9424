import ForceFieldWire

/// What a test asks of the hostile worker: the first byte of a request, before whatever the act is done with.
package enum HostileAct: UInt8, CaseIterable, Sendable {
    // Good behaviour.
    /// Gives the rest back.
    case echo
    case answerError
    /// Gives what a descriptor that came along holds.
    case readDescriptor
    /// Writes to a descriptor that came along.
    case writeDescriptor
    /// Makes a host call; the rest is capability (a line), then body. Gives the answer's body.
    case hostCall
    /// Connects by the host's help to `host port` and gives what is read there.
    case connect
    /// Draws the second frame of the surface and presents it.
    case draw
    /// Gives a fresh UUID's or any file's first bytes: the rest is a path.
    case readFile
    case progress
    /// Gives no answer, and takes the next request.
    case leaveOpen
    /// Answers ERROR 4 when CANCEL comes.
    case waitForCancel
    /// Gives what no other worker gives.
    case random
    /// Writes a line on standard error that hides text.
    case complain
    case log

    // Ends.
    case exit
    case exitWithCode
    case unwrapNil
    case abort
    case fault
    case allocate
    case spin
    case forbiddenCall
    case fork
    case execute
    case stop
    case killItself
    /// Signals by which others say why a process ends, sent to itself.
    case claimTimeIsOver
    case claimFileIsTooLarge
    case claimForbiddenCall

    // Floods.
    case floodLog
    case floodProgress
    case floodErrors
    case floodOutput
    /// Presents a frame again and again.
    case floodSurface
    /// Eight connections at a time, again and again, to `host port`.
    case floodNetwork

    // Broken protocol.
    case lieAboutLength
    case claimHugeFrame
    case helloAgain
    case replyTwice
    /// Answers, and sends what is no frame when nobody waits for it any more.
    case lieLater
    case replyToAnother
    case badCheckWord
    case unknownType
    case itemForUnary
    case descriptorsRide
    case halfHeader
    case halfBody
    case drip
    case halfBodyAndExit
    case closeAndLive
    case goodbyeInCall
    case ungrantedCall
    case manyHostCalls
    case silence

    // Streams.
    case items
    case endlessItems
    case itemsWithoutCredit
    case itemsOutOfSequence
    case itemsThenExit
}

package enum Hostile {
    package static let act = Method<[UInt8], [UInt8]>("act")
    package static let stream = StreamMethod<[UInt8], [UInt8]>("stream")
    /// Gives the strings back.
    package static let typed = Method<[String], [String]>("typed")

    package static func interface() throws -> Interface {
        try Interface([act.signature, stream.signature, typed.signature])
    }
}

/// What the worker does before a first request, by the name of its program.
package enum HostileStart: String, CaseIterable, Sendable {
    case exitBeforeHello = "exit-before-hello"
    case crashBeforeHello = "crash-before-hello"
    case silentBeforeHello = "silent-before-hello"
    case halfHello = "half-hello"
    case badHello = "bad-hello"
    case otherVersion = "other-version"
    case otherInterface = "other-interface"
    case exitAfterHello = "exit-after-hello"
    case deafAfterHello = "deaf-after-hello"
    case goodbyeAfterHello = "goodbye-after-hello"
    case ignoresShutdown = "ignores-shutdown"
    case floodsBeforeHello = "floods-before"
}

/// What the program does under some names, run as a foreign one.
package enum PlainProgram: String, CaseIterable, Sendable {
    case prints = "plain-prints"
    case floods = "plain-floods"
    /// Standard input to standard output.
    case copies = "plain-copies"
    case waits = "plain-waits"
    case opens = "plain-opens"
    case serves = "plain-serves"
}
