import QRCode

/// Writes a film of QR symbols, frame by frame: what the three functions return, one behind the other, is the file.
///
///     var writer = APNGWriter(shape)
///     var file = writer.head()
///     for symbol in symbols { file += writer.frame(symbol) }
///     file += writer.tail()
public protocol QRFilmWriter {
    init(_ shape: QRFilmShape)
    mutating func head() -> [UInt8]
    mutating func frame(_ symbol: QRSymbol) -> [UInt8]
    mutating func tail() -> [UInt8]
}

/// What all frames of a film have in common.
public struct QRFilmShape: Sendable {
    /// Modules of a symbol's side; of the largest, if they differ.
    public var symbolSize: Int
    /// How many frames the film has.
    public var frameCount: Int
    /// Frames shown in a second, 1 to 60.
    public var framesPerSecond: Int
    /// Pixels of a module's side.
    public var scale: Int
    /// The width of the light border, in modules.
    public var border: Int
    /// The colour of the dark modules; light ones are white.
    public var dark: QRPicture.Colour

    /// Makes it of its parts.
    public init(
        symbolSize: Int, frameCount: Int, framesPerSecond: Int = 15, scale: Int = 4, border: Int = 4,
        dark: QRPicture.Colour = (0, 0, 0)
    ) {
        self.symbolSize = symbolSize
        self.frameCount = frameCount
        self.framesPerSecond = framesPerSecond
        self.scale = scale
        self.border = border
        self.dark = dark
    }

    /// Modules of a frame's side.
    var modules: Int { symbolSize + 2 * border }
    /// Pixels of a frame's side.
    var side: Int { modules * scale }

    /// Whether a module of a frame is dark. Around a symbol all is light; around a smaller one more of it, right and
    /// below.
    func isDark(_ symbol: QRSymbol, x: Int, y: Int) -> Bool { symbol[x - border, y - border] }
}
