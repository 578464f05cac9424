import QRCode
import ZXingReader

/// Finds the codes of pictures that follow each other.
///
/// A picture is searched as a whole, by our reader and, where it finds nothing, by zxing-cpp. Once there is a single
/// code, it is followed from picture to picture, which takes a fraction of the time, until it is lost. Once in a while
/// the whole picture is searched all the same: a second code may have come, or was blurred in the first picture.
struct LinkReader {
    private let reader: any QRReader
    private var tracker: QRTracker?
    private var last: QRReading?
    /// Pictures in a row in which the code that is followed was not read.
    private var misses = 0
    /// Pictures in which a code was followed, so far.
    private var followed = 0
    /// Pictures of a single code that are still to come before it is followed.
    private var untilFollowed = Self.firstLook

    /// Pictures that are searched as a whole at first, so that a second code which is blurred in one is not missed.
    private static let firstLook = 3
    /// One of so many is searched as a whole: twice a second before a camera.
    private static let searchInterval = 15
    /// Misses after which the whole picture is searched again. Pictures that mix two codes come one or two at a time.
    private static let missLimit = 5

    init() {
        self.init(reader: FallbackReader(SwiftQRReader(), ZXingReader()))
    }

    /// - Parameter reader: searches whole pictures.
    init(reader: any QRReader) {
        self.reader = reader
    }

    /// A picture's codes, each content once.
    mutating func read(_ picture: LumaImage) -> [QRReading] {
        if let readings = follow(picture) { return readings }
        // A reader that gives up on a picture has read nothing in it.
        var readings: [QRReading] = []
        for reading in (try? reader.read(picture)) ?? [] where !readings.contains(where: { $0.bytes == reading.bytes })
        {
            readings.append(reading)
        }
        if readings.count > 1 { untilFollowed = 2 * Self.searchInterval }
        // A code that our reader does not read cannot be followed by it either.
        if readings.count == 1, readings[0].symbol != nil {
            guard untilFollowed == 0 else {
                untilFollowed -= 1
                return readings
            }
            tracker = QRTracker()
            (misses, last) = (0, readings[0])
        }
        return readings
    }

    /// - Returns: nil where no code is followed, or not any more because there are several.
    private mutating func follow(_ picture: LumaImage) -> [QRReading]? {
        guard var tracker else { return nil }
        followed += 1
        if followed % Self.searchInterval == 0, let found = try? reader.read(picture), found.count > 1 {
            self.tracker = nil
            return nil
        }
        let sight = tracker.observe(picture)
        guard tracker.codesInView < 2 else {
            self.tracker = nil
            return nil
        }
        self.tracker = tracker
        switch sight {
        case .reading(let reading):
            (misses, last) = (0, reading)
            return [reading]
        case .same:
            misses = 0
            return last.map { [$0] } ?? []
        case .nothing:
            misses += 1
            if misses >= Self.missLimit { self.tracker = nil }
            return []
        }
    }
}
