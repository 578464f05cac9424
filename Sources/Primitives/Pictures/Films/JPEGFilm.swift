import QRCode

/// JPEG pictures behind each other, with anything between them (as in MJPEG files and in streams of cameras).
struct JPEGFilm: Sendable {
    static let signature: [UInt8] = [0xff, 0xd8]
    /// Bytes of one picture at the most.
    private static let pictureLimit = 64 << 20

    /// How far the picture that is waiting was looked through.
    private var scanned = 0
    private var isInScan = false

    mutating func next(from waiting: inout ByteQueue, isFinished: Bool) throws(PictureError) -> LumaImage? {
        guard let picture = try nextFile(from: &waiting, isFinished: isFinished) else { return nil }
        return try JPEGReader.decode(picture)
    }

    /// The next picture, not decoded.
    mutating func nextFile(from waiting: inout ByteQueue, isFinished: Bool) throws(PictureError) -> [UInt8]? {
        skipToPicture(in: &waiting)
        guard waiting.count >= Self.signature.count else { return nil }
        if scanned == 0 { scanned = Self.signature.count }
        guard let end = try end(of: &waiting) else {
            guard isFinished else { return nil }
            let offset = waiting.offset
            leave(&waiting, behind: waiting.count)
            throw Self.malformed("the last picture is cut off", at: offset)
        }
        let picture = waiting.takeFirst(end)
        leave(&waiting, behind: 0)
        return picture
    }

    private mutating func skipToPicture(in waiting: inout ByteQueue) {
        guard scanned == 0 else { return }
        while waiting.count >= 2, !waiting.starts(with: Self.signature) {
            let next = waiting.firstIndex(of: 0xff, limit: waiting.count) ?? waiting.count
            waiting.removeFirst(max(next, 1))
        }
    }

    private mutating func leave(_ waiting: inout ByteQueue, behind count: Int) {
        waiting.removeFirst(count)
        (scanned, isInScan) = (0, false)
    }

    /// Walks over the segments and, between them, the compressed pixels.
    ///
    /// - Returns: how many bytes the picture has; nil where it is not there as a whole.
    private mutating func end(of waiting: inout ByteQueue) throws(PictureError) -> Int? {
        while scanned + 2 <= waiting.count {
            guard scanned <= Self.pictureLimit else {
                let offset = waiting.offset
                leave(&waiting, behind: Self.signature.count)
                throw Self.malformed("a picture has over \(Self.pictureLimit >> 20) MiB", at: offset)
            }
            let (first, second) = (waiting[scanned], waiting[scanned + 1])
            // In compressed pixels FF is followed by 00, and restart marks stand among them.
            if isInScan, first != 0xff || second == 0 || (0xd0...0xd7).contains(second) {
                scanned += first == 0xff ? 2 : 1
                continue
            }
            isInScan = false
            guard first == 0xff else {
                let offset = waiting.offset + scanned
                leave(&waiting, behind: Self.signature.count)
                throw Self.malformed("a segment does not start with FF", at: offset)
            }
            switch second {
            case 0xff: scanned += 1
            case 0xd9: return scanned + 2
            // Marks without content.
            case 0x01, 0xd0...0xd8: scanned += 2
            default:
                guard scanned + 4 <= waiting.count else { return nil }
                let length = Int(waiting[scanned + 2]) << 8 | Int(waiting[scanned + 3])
                guard scanned + 2 + length <= waiting.count else { return nil }
                scanned += 2 + length
                isInScan = second == 0xda
            }
        }
        return nil
    }

    private static func malformed(_ reason: String, at offset: Int) -> PictureError {
        .malformed(format: "JPEG", reason: reason, offset: offset)
    }
}
