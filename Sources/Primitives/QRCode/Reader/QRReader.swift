/// Finds QR codes in a picture.
public protocol QRReader: Sendable {
    /// All codes that could be read, each with its exact bytes.
    func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading]
}

/// One QR code of a picture.
public struct QRReading: Hashable, Sendable {
    /// The content, byte for byte: byte segments as they are, digits and letters as ASCII.
    public var bytes: [UInt8]
    /// The corners: top left, top right, bottom right, bottom left, in pixels.
    public var corners: [Corner]
    /// How the code was written; nil where the reader does not know.
    public var symbol: Symbol?

    /// A corner of a symbol in the picture.
    public struct Corner: Hashable, Sendable {
        /// Pixels from the left.
        public var x: Int
        /// Pixels from the top.
        public var y: Int

        /// Makes it of its parts.
        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// What a code says about itself, and how it is seen.
    public struct Symbol: Hashable, Sendable {
        /// The size of the symbol.
        public var version: QRVersion
        /// How much damage the symbol survives.
        public var level: QRLevel
        /// The number of the mask, 0 to 7.
        public var mask: Int
        /// Whether the symbol is seen from behind.
        public var isMirrored: Bool
        /// Whether modules are light on dark ground.
        public var isInverted: Bool
        /// The character sets (ECI numbers) that the code names, in order. They do not change ``QRReading/bytes``.
        package var extendedChannels: [Int]
        /// Its place among symbols that belong together, if it names one.
        public var structuredAppend: StructuredAppend?
        /// The mark of GS1 or an industry, if there is one.
        package var functionOne: FunctionOne?
    }

    /// The code is one of several that belong together.
    public struct StructuredAppend: Hashable, Sendable {
        /// The number of this symbol, from 0.
        public var index: Int
        /// The number of symbols, 1 to 16.
        public var count: Int
        /// All bytes of the whole message, added without carry.
        public var parity: UInt8
    }

    /// The industry whose rules the code follows, as FNC1 says.
    package enum FunctionOne: Hashable, Sendable {
        /// The rules of GS1.
        case first
        /// The rules of the AIM application with this indicator.
        case second(application: UInt8)
    }

    /// Makes it of its parts.
    public init(bytes: [UInt8], corners: [Corner], symbol: Symbol? = nil) {
        self.bytes = bytes
        self.corners = corners
        self.symbol = symbol
    }
}

/// Why a picture could not be searched. (A picture without codes is no error.)
public enum QRReaderError: Error, Equatable, Sendable {
    /// The backend gave up, with its own words.
    case backend(String)
}

extension QRReaderError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .backend(let reason): "The QR reader gave up on the picture: \(reason)."
        }
    }
}
