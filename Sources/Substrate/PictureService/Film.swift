/// Bytes of a film, in the order of the film.
package struct FilmPiece: Codable, Hashable, Sendable {
    /// The offset of the first byte from the beginning of the film.
    package var position: UInt64
    /// The bytes, at most ``PictureService/pieceLimit``.
    package var bytes: [UInt8]
    /// Whether no more comes.
    package var isLast: Bool

    package init(position: UInt64, bytes: [UInt8], isLast: Bool) {
        self.position = position
        self.bytes = bytes
        self.isLast = isLast
    }
}

/// How much of a film the worker has.
package struct FilmPosition: Codable, Hashable, Sendable {
    /// Bytes given so far.
    package var held: UInt64

    package init(held: UInt64) { self.held = held }

    /// - Returns: whether the worker has the piece and what came before it; false if it is another one than had those.
    package func holds(_ piece: FilmPiece) -> Bool { held == piece.position + UInt64(piece.bytes.count) }
}

/// One picture of the film that was given.
public struct NextPicture: Codable, Hashable, Sendable {
    /// What is to be done with a picture.
    public enum Use: String, Codable, Sendable {
        /// Passed over, and not decoded where the format allows.
        case skip
        /// Follows the code of the pictures before: fast, for films of one code at a time.
        case follow
        /// Searched by itself, with all that is known of its codes.
        case search
    }

    /// Pictures of the film before it, with those that were skipped or damaged.
    package var index: UInt64
    package var use: Use

    package init(index: UInt64, use: Use) {
        self.index = index
        self.use = use
    }
}

/// What became of a picture.
package struct FilmStep: Codable, Hashable, Sendable {
    /// The worker's count of pictures before it.
    package var index: UInt64
    /// Bytes from the film's begin that no later picture needs.
    package var consumed: UInt64
    package var event: FilmEvent

    package init(index: UInt64, consumed: UInt64, event: FilmEvent) {
        self.index = index
        self.consumed = consumed
        self.event = event
    }

    /// The event, if it answers what was asked and can be true.
    ///
    /// - Parameter held: bytes of the film that were given.
    /// - Throws: ``ReplyRefusal``
    package func checked(for asked: NextPicture, held: UInt64) throws(ReplyRefusal) -> FilmEvent {
        if case .lost = event { return event }
        // Each picture takes a byte at the least, so that a lie comes to an end.
        guard index == asked.index, index <= held, consumed <= held else { throw .wrongPlace }
        switch event {
        case .picture(let picture):
            guard asked.use != .skip else { throw .wrongEvent }
            try picture.check()
        case .skipped:
            guard asked.use == .skip else { throw .wrongEvent }
        case .damaged(let damage, _): try damage.check()
        case .needsBytes, .ended, .lost: break
        }
        return event
    }
}

package enum FilmEvent: Codable, Hashable, Sendable {
    case picture(SeenPicture)
    case skipped
    /// Why the picture could not be decoded, and whether the film ends with it. It counts as a picture.
    case damaged(PictureDamage, isOver: Bool)
    /// Nothing more can be read before more bytes are given.
    case needsBytes
    /// There are no more pictures.
    case ended
    /// This worker does not have this film, or is not at this picture.
    case lost
}
