/// A reader that knows of a picture in which it has read nothing whether another one should look at it.
package protocol DecisiveQRReader: QRReader {
    /// All codes that could be read, and whether the picture is one for others where that is none.
    func attempt(_ image: LumaImage) throws(QRReaderError) -> QRAttempt
}

/// What a reader has made of a picture.
package struct QRAttempt: Sendable {
    /// All codes that could be read.
    package var readings: [QRReading]
    /// Whether another reader may look at it where nothing was read.
    package var isForOthers: Bool

    /// Makes it of its parts.
    package init(readings: [QRReading], isForOthers: Bool) {
        self.readings = readings
        self.isForOthers = isForOthers
    }
}

extension SwiftQRReader: DecisiveQRReader {
    /// All codes that could be read. With more finder patterns than this reader looks at, a picture is for no other:
    /// one that tries all combinations of three of them, as zxing-cpp does, would be busy with it for half a minute.
    package func attempt(_ image: LumaImage) -> QRAttempt {
        let outcome = search(image)
        return QRAttempt(readings: outcome.located.map(QRReading.init), isForOthers: !outcome.isCrowded)
    }
}
