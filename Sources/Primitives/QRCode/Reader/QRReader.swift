/// Finds QR codes in a picture.
public protocol QRReader: Sendable {
    /// All codes that could be read, each with its exact bytes.
    func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading]
}

/// One QR code of a picture.
public struct QRReading: Hashable, Sendable {
    /// The content, byte for byte.
    public var bytes: [UInt8]
    /// Top left, top right, bottom right, bottom left, in pixels.
    public var corners: [Corner]

    public struct Corner: Hashable, Sendable {
        public var x: Int
        public var y: Int

        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    public init(bytes: [UInt8], corners: [Corner]) {
        self.bytes = bytes
        self.corners = corners
    }
}

/// Why a picture could not be searched. (A picture without codes is no error.)
public enum QRReaderError: Error, Equatable, Sendable {
    /// The backend gave up, with its own words.
    case backend(String)
}

extension QRReaderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .backend(let reason): "The QR reader gave up on the picture: \(reason)."
        }
    }
}
