/// How far a scan has come, for those who watch it.
package struct ScanUpdate: Sendable {
    /// The newest picture of a camera, smaller than it came; nil where there is none to be shown (``GreyPicture``).
    package var picture: GreyPicture?
    /// The corners of each code that was found in the newest picture that was read.
    package var outlines: [[ScanPoint]] = []
    /// Different codes of the payload that were read; nil before the first.
    package var have: Int?
    /// Codes that it takes at the least. Moving codes may ask for one or two more.
    package var need: Int?
    /// Codes read in a second, of late; nil before there is anything to count.
    package var codesPerSecond: Double?
    /// Seconds that the rest takes if new codes come as they do; nil where none come.
    package var secondsLeft: Double?
    /// What would help; nil where all is well.
    package var advice: ScanAdvice?

    package init() {}
}

/// A place in a picture: 0 and 0 are its top left corner, 1 and 1 its bottom right one. Places may lie outside.
package struct ScanPoint: Hashable, Sendable {
    package var x, y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

extension ScanUpdate {
    /// Takes corners as a worker tells them: x and y in pixels, one after the other.
    static func outline(_ corners: [Int], width: Int, height: Int) -> [ScanPoint]? {
        guard corners.count == 8, width > 0, height > 0 else { return nil }
        return stride(from: 0, to: corners.count, by: 2).map {
            ScanPoint(x: Double(corners[$0]) / Double(width), y: Double(corners[$0 + 1]) / Double(height))
        }
    }
}
