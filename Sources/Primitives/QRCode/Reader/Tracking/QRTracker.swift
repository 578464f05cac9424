/// Reads the code of a film picture by picture: an animated code before a camera.
///
///     var tracker = QRTracker()
///     for picture in film {
///         if case .reading(let reading) = tracker.observe(picture) { try transfer.add(reading.bytes) }
///     }
///
/// A code hardly moves from one picture to the next, so that its finders are looked for where they were and its modules
/// are taken at once; the whole picture is searched only when that fails. One code is followed; films of several are
/// for ``SwiftQRReader``.
///
/// Source: `raptorq-qr` section 14, tracking mode.
public struct QRTracker: Sendable {
    private let reader = SwiftQRReader()
    private var track: Track?
    /// Pictures in a row in which the code was seen and not read.
    private var misses = 0
    /// Codes that the last picture showed, as far as it was searched: one, where a code was followed.
    package private(set) var codesInView = 0

    /// Misses after which the place is no longer trusted. Pictures that mix two codes come one at a time.
    private static let missLimit = 4

    /// Makes a tracker that has seen nothing.
    public init() {}

    /// What a picture shows.
    public enum Sight: Equatable, Sendable {
        /// No code that can be read: there is none, or the picture mixes two.
        case nothing
        /// The code of the previous reading, not read again.
        case same
        /// A code was read.
        case reading(QRReading)
    }

    /// - Parameter image: the next picture of the film; another size, or another scene, only costs a search.
    public mutating func observe(_ image: LumaImage) -> Sight {
        codesInView = 1
        if let track, let sight = follow(track, image) { return sight }
        misses = 0
        let found = reader.search(image).located
        codesInView = found.count
        guard let located = found.first else {
            track = nil
            return .nothing
        }
        track = Track(located)
        return .reading(QRReading(located))
    }

    /// - Returns: nil if the code is not where it was.
    private mutating func follow(_ track: Track, _ image: LumaImage) -> Sight? {
        guard misses < Self.missLimit else { return nil }
        let upright = track.isInverted ? image.inverted : image
        var next = track
        switch next.advance(upright) {
        case .lost: return nil
        case .unread:
            misses += 1
            self.track = next
            return .nothing
        case .same:
            misses = 0
            self.track = next
            return .same
        case .read(let located):
            misses = 0
            self.track = next
            return .reading(QRReading(located))
        }
    }
}
