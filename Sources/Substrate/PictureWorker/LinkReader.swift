import QRCode
import ZXingReader

/// Finds the codes of pictures that follow each other.
///
/// A picture is searched as a whole, by our reader and, where it finds nothing, by zxing-cpp. Once there is a single
/// code, it is followed from picture to picture, which takes a fraction of the time, until it is lost.
struct LinkReader {
    private let reader: any QRReader
    private var tracker: QRTracker?
    private var last: [UInt8] = []
    /// Pictures in a row in which the code that is followed was not read.
    private var misses = 0

    /// Misses after which the whole picture is searched again. Pictures that mix two codes come one or two at a time.
    private static let missLimit = 5

    init() {
        self.init(reader: FallbackReader(SwiftQRReader(), ZXingReader()))
    }

    /// - Parameter reader: searches whole pictures.
    init(reader: any QRReader) {
        self.reader = reader
    }

    /// The contents of a picture's codes, each once.
    mutating func read(_ picture: LumaImage) -> [[UInt8]] {
        if let contents = follow(picture) { return contents }
        // A reader that gives up on a picture has read nothing in it.
        let readings = (try? reader.read(picture)) ?? []
        var contents: [[UInt8]] = []
        for reading in readings where !contents.contains(reading.bytes) { contents.append(reading.bytes) }
        if readings.count == 1 {
            tracker = QRTracker()
            (misses, last) = (0, contents[0])
        }
        return contents
    }

    /// - Returns: nil where no code is followed.
    private mutating func follow(_ picture: LumaImage) -> [[UInt8]]? {
        guard var tracker else { return nil }
        let sight = tracker.observe(picture)
        self.tracker = tracker
        switch sight {
        case .reading(let reading):
            (misses, last) = (0, reading.bytes)
            return [last]
        case .same:
            misses = 0
            return [last]
        case .nothing:
            misses += 1
            if misses >= Self.missLimit { self.tracker = nil }
            return []
        }
    }
}
