import PictureService

/// The pictures of a file, read as it is needed, in a worker of its own.
struct FilmFile: LinkSource {
    private let reader: PictureReader
    private var bytes: FilmBytes
    /// What the worker has.
    private var given = Given()
    /// The picture that comes next.
    private var index: UInt64 = 0
    private var losses = 0
    private var isOver = false
    private var spending = FilmSpending()

    private struct Given {
        var bytes: UInt64 = 0
        var isWhole = false
        /// Pictures that it has passed.
        var pictures: UInt64 = 0
        /// Whether it cannot go on without more bytes.
        var needsBytes = true
        /// Bytes that it needs no more.
        var consumed: UInt64 = 0
        /// Bytes, not consumed, that were once too few for a picture.
        var tooFew: UInt64 = 0
    }

    init(path: String, reader: PictureReader) throws(LinkError) {
        self.reader = reader
        bytes = try FilmBytes(path: path)
        reader.changeWorker()
    }

    mutating func next() throws(LinkError) -> LinkItem? {
        while !isOver { if let item = try step() { return item } }
        return nil
    }

    var spentShare: Double? { spending.share(of: reader.terms.budget) }

    /// Reads the next picture, or passes over one that another worker has read.
    private mutating func step() throws(LinkError) -> LinkItem? {
        if let part = spending.exceeded(of: reader.terms.budget) {
            isOver = true
            reader.changeWorker()
            let spent = SpentBudget(part: part, budget: reader.terms.budget, pictures: index)
            return .unread(path: bytes.path, .overBudget(spent))
        }
        let asked = NextPicture(
            index: given.pictures, use: given.pictures < index ? .skip : reader.terms.use)
        var piece: FilmPiece?
        if needsPiece {
            piece = try bytes.piece(at: given.bytes)
            guard let piece else { return lose(.replaced) }
            given.bytes += UInt64(piece.bytes.count)
            given.isWhole = piece.isLast
            given.needsBytes = false
        }
        let held = given.bytes
        let clock = SuspendingClock()
        let began = clock.now
        let reply = try reader.ask(PictureService.next, asked, after: piece) { step in
            _ = try step.checked(for: asked, held: held)
        }
        spending.add(clock.now - began)
        switch reply {
        case .success(let step):
            given.consumed = step.consumed
            return take(step.event, asked)
        case .failure(let ending): return lose(ending)
        }
    }

    /// Where bytes are there for the asking, the worker is not asked for a picture first that it is not likely to have.
    private var needsPiece: Bool {
        !given.isWhole && (given.needsBytes || bytes.areAtHand && given.bytes <= given.consumed + given.tooFew)
    }

    private mutating func take(_ event: FilmEvent, _ asked: NextPicture) -> LinkItem? {
        switch event {
        case .picture(let picture):
            pass()
            spending.addPixels(width: picture.width, height: picture.height)
            return .picture(picture)
        case .skipped:
            pass()
            return nil
        case .damaged(let damage, let isLast):
            isOver = isLast
            pass()
            // Told already, by the worker before.
            return asked.use == .skip ? nil : .unread(path: bytes.path, .damaged(damage))
        case .needsBytes:
            guard !given.isWhole else { return lose(.unbelievable("\(ReplyRefusal.wrongEvent)")) }
            given.needsBytes = true
            given.tooFew = given.bytes - given.consumed
            return nil
        case .ended:
            isOver = true
            return nil
        case .lost: return lose(.replaced)
        }
    }

    private mutating func pass() {
        given.pictures += 1
        spending.addPicture()
        index = max(index, given.pictures)
    }

    /// The worker is gone, and with it the picture that it was to read. The next one gets the film from its begin.
    private mutating func lose(_ ending: PictureLoss.Ending) -> LinkItem? {
        losses += 1
        let wasRead = given.pictures < index
        isOver = losses >= reader.terms.lossLimit || wasRead || !bytes.canBeginAgain
        given = Given()
        // A picture that was lost before is not reported a second time.
        if !wasRead { index += 1 }
        reader.changeWorker()
        return .unread(path: bytes.path, .lost(PictureLoss(ending, picture: index, isLast: isOver)))
    }
}
