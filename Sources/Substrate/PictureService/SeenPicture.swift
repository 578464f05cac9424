/// What was seen in a picture.
public struct SeenPicture: Codable, Hashable, Sendable {
    /// Pixels; 0 where it could not be decoded.
    public var width, height: Int
    /// The codes of the picture, each content once, unless the picture was searched by itself.
    public var codes: [SeenCode]
    /// Why a camera's picture could not be decoded; a film says so by its event.
    public var damage: PictureDamage?

    package init(width: Int, height: Int, codes: [SeenCode], damage: PictureDamage? = nil) {
        self.width = width
        self.height = height
        self.codes = codes
        self.damage = damage
    }

    /// Pixels of a side, and of a picture, at the most.
    private static let pixelLimit = 64 << 20

    /// - Throws: ``ReplyRefusal`` if no picture can have this.
    package func check() throws(ReplyRefusal) {
        let sides = 0...Self.pixelLimit
        guard sides.contains(width), sides.contains(height), width * height <= Self.pixelLimit else { throw .size }
        guard codes.count <= PictureService.codeLimit else { throw .tooManyCodes(codes.count) }
        guard codes.isEmpty || (width > 0 && height > 0) else { throw .size }
        for code in codes { try code.check() }
        if let damage {
            guard codes.isEmpty else { throw .wrongEvent }
            try damage.check()
        }
    }
}

/// A code of a picture.
public struct SeenCode: Codable, Hashable, Sendable {
    /// Byte segments as they are, digits and letters as ASCII.
    public var content: [UInt8]
    /// The corners: top left, top right, bottom right, bottom left, each as x and y in pixels; where a code stands
    /// still, those of the picture in which it was read first.
    public var corners: [Int]
    /// How the code was written; nil where the reader does not know.
    public var symbol: Symbol?
    /// Its place among symbols that hold one message between them (structured append); nil where it is alone.
    package var part: Part?

    /// The place of one of several symbols.
    package struct Part: Codable, Hashable, Sendable {
        /// The number of this symbol, from 0.
        package var index: Int
        /// The number of symbols, 2 to 16.
        package var count: Int

        package init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }
    }

    /// How a code was written.
    public struct Symbol: Codable, Hashable, Sendable {
        /// The version, 1 to 40.
        public var version: Int
        /// The level, 0 to 3: low, medium, quartile, high.
        public var level: Int
        /// The number of the mask, 0 to 7.
        public var mask: Int

        package init(version: Int, level: Int, mask: Int) {
            self.version = version
            self.level = level
            self.mask = mask
        }
    }

    package init(content: [UInt8], corners: [Int] = [], symbol: Symbol? = nil, part: Part? = nil) {
        self.content = content
        self.corners = corners
        self.symbol = symbol
        self.part = part
    }

    /// Corners may lie outside of the picture, but not far.
    private static let cornerRange = -(1 << 27)...(1 << 27)

    func check() throws(ReplyRefusal) {
        guard content.count <= PictureService.contentLimit else { throw .contentTooLong(content.count) }
        guard corners.isEmpty || corners.count == 8, corners.allSatisfy(Self.cornerRange.contains) else {
            throw .corners
        }
        if let symbol {
            guard (1...40).contains(symbol.version), (0...3).contains(symbol.level), (0...7).contains(symbol.mask)
            else { throw .symbol }
        }
        if let part {
            guard (0...15).contains(part.index), (2...16).contains(part.count) else { throw .symbol }
        }
    }
}
