import PictureService
import Pictures
import QRCode

/// The film that is being read.
actor FilmSession {
    private let reader: any QRReader
    private var film = FilmReader()
    private var follower: LinkReader
    private var held: UInt64 = 0
    private var isWhole = false
    /// The number of pictures that were read, skipped or damaged.
    private var index: UInt64 = 0

    init(reader: any QRReader) {
        self.reader = reader
        follower = LinkReader(reader: reader)
    }

    func append(_ piece: FilmPiece) -> FilmPosition {
        if piece.position == 0 { begin() }
        guard piece.position == held, !isWhole else { return FilmPosition(held: 0) }
        film.append(piece.bytes)
        held += UInt64(piece.bytes.count)
        if piece.isLast {
            film.finish()
            isWhole = true
        }
        return FilmPosition(held: held)
    }

    private func begin() {
        film = FilmReader()
        follower = LinkReader(reader: reader)
        (held, index, isWhole) = (0, 0, false)
    }

    func next(_ asked: NextPicture) -> FilmStep {
        guard asked.index == index, held > 0 || isWhole else { return step(.lost) }
        do throws(PictureError) {
            if asked.use == .skip { return try film.skip() ? count(.skipped) : step(rest) }
            guard let picture = try film.next() else { return step(rest) }
            return count(.picture(see(picture, asked.use)))
        } catch {
            return count(.damaged(PictureDamage(error), isOver: film.hasEnded))
        }
    }

    /// What is behind the last picture that could be read.
    private var rest: FilmEvent { isWhole || film.hasEnded ? .ended : .needsBytes }

    private func step(_ event: FilmEvent) -> FilmStep {
        FilmStep(index: index, consumed: UInt64(film.consumed), event: event)
    }

    private func count(_ event: FilmEvent) -> FilmStep {
        defer { index += 1 }
        return step(event)
    }

    private func see(_ picture: LumaImage, _ use: NextPicture.Use) -> SeenPicture {
        // A reader that gives up on a picture has read nothing in it.
        SeenPicture(
            picture, readings: use == .follow ? follower.read(picture) : (try? reader.read(picture)) ?? [])
    }
}
