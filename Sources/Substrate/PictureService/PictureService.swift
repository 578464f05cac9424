import ForceFieldWire

/// What `casemate-worker` does for its host: takes the bytes of pictures from outside, and answers with the contents of
/// their codes. It expands compressed metadata too, and tries its walls when the host wants to know.
///
/// A film is given in pieces and read picture by picture, so that a worker that dies loses one picture. Its state is
/// the worker's: a host keeps to one worker for a film, and learns from ``FilmEvent/lost`` that it speaks to another
/// one.
///
///     append(position 0, bytes) → held          next(picture 0) → picture, damaged, needsBytes, ended
///
/// A host that has lost a worker gives a new one the same film from its begin, and skips the pictures up to the one
/// that killed it.
///
/// Replies are outside bytes: `checked` before they are used. What a code says may still be a lie of the worker's, as a
/// picture may lie: what a person signs is shown from the payload's bytes.
///
/// Source: `forcefield` section 23.
package enum PictureService {
    /// Gives the next bytes of a film; position 0 begins a new one.
    package static let append = Method<FilmPiece, FilmPosition>("film.append", maxReplyBytes: 256)
    /// Reads or skips one picture of the film.
    package static let next = Method<NextPicture, FilmStep>("film.next", maxReplyBytes: replyLimit)
    /// Reads one picture of a camera. The codes of pictures that follow each other are followed.
    package static let frame = Method<CameraFrame, SeenPicture>("camera.frame", maxReplyBytes: replyLimit)

    /// Expands compressed metadata, on a worker that reads no film then.
    package static let expand = Method<PackedBytes, Expansion>("metadata.expand", maxReplyBytes: 5 << 20)

    /// Tries to get out, on a worker of its own, for the self check.
    package static let escape = Method<Escape, EscapeOutcome>("walls.try", maxReplyBytes: 256)

    package static func interface() throws(InterfaceError) -> Interface {
        try Interface([append.signature, next.signature, frame.signature, expand.signature, escape.signature])
    }

    /// Bytes of a piece.
    package static let pieceLimit = 4 << 20
    /// Bytes of a camera's picture: 4K with two bytes a pixel fits.
    package static let frameLimit = FrameLimits.largestFrame - (64 << 10)
    /// Codes of a picture; more are left out.
    package static let codeLimit = 64
    /// Bytes of a code: the digits of the largest symbol.
    package static let contentLimit = 7_089
    /// Bytes of a reply: the codes of the largest symbol with what surrounds them.
    static let replyLimit = 512 << 10
    /// Memory for a film of the largest size, for the host's policy.
    package static let memoryBytes: UInt64 = 2 << 30
    /// Frames that a camera's pictures fit into, for the host's policy.
    package static let maxFrameBytes = FrameLimits.largestFrame
}
