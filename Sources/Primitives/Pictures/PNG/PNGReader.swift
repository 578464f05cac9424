import QRCode

/// A strict PNG reader, of every colour type and bit depth, interlaced or not (PNG specification, third edition).
///
/// Every checksum is verified, the order of chunks too, and the compressed pixels must expand to exactly the picture.
/// Transparent pixels are laid over white; of 16 bits a sample the upper eight count. What is held in memory is the
/// grey pixels and two rows, never the expanded file. What follows the last chunk is not looked at.
struct PNGReader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    let bytes: [UInt8]
    let file: PNGFile
    private let pixels: PNGPixels

    /// - Parameter bytes: a file that starts with the signature.
    init(_ bytes: [UInt8]) throws(PictureError) {
        self.bytes = bytes
        file = try PNGFile(bytes)
        pixels = PNGPixels(file)
    }

    /// The picture itself; of an animation the one for programs that know none.
    func decode() throws(PictureError) -> LumaImage {
        var canvas = Canvas(width: file.header.width, height: file.header.height)
        try draw(file.imageData, on: &canvas, in: canvas.whole, replacing: true)
        return canvas.image
    }

    /// Draws compressed pixels, which must fill an area.
    ///
    /// - Parameter replacing: whether nothing of what the canvas showed there shines through.
    func draw(
        _ data: [Range<Int>], on canvas: inout Canvas, in area: Canvas.Area, replacing: Bool
    ) throws(PictureError) {
        var inflater = try Inflater(bytes, ranges: data)
        for pass in file.header.passes(width: area.width, height: area.height) {
            var previous = [UInt8](repeating: 0, count: (pass.width * file.header.bitsPerPixel + 7) / 8)
            for passRow in 0..<pass.height {
                let row = try self.row(&inflater, previous: previous)
                let start = canvas.position(x: area.x + pass.x, y: area.y + pass.y + passRow * pass.stepY)
                for column in 0..<pass.width {
                    let position = start + column * pass.stepX
                    let below = replacing ? Canvas.white : canvas.luma[position]
                    guard let value = pixels.luma(at: column, in: row, over: below) else {
                        throw .png("a pixel names a colour that the palette lacks", at: data[0].lowerBound)
                    }
                    canvas.luma[position] = value
                }
                previous = row
            }
        }
        try inflater.finish()
    }

    /// The next row, restored.
    private func row(_ inflater: inout Inflater, previous: [UInt8]) throws(PictureError) -> [UInt8] {
        var filterType: [UInt8] = [0]
        try inflater.fill(&filterType)
        guard let filter = PNGFilter(rawValue: filterType[0]) else {
            throw inflater.malformed("filter type \(filterType[0]) does not exist")
        }
        var row = [UInt8](repeating: 0, count: previous.count)
        try inflater.fill(&row)
        filter.restore(&row, previous: previous, distance: max(1, file.header.bitsPerPixel / 8))
        return row
    }
}

extension PictureError {
    /// - Parameter offset: from the start of the file, in bytes.
    static func png(_ reason: String, at offset: Int) -> PictureError {
        .malformed(format: "PNG", reason: reason, offset: offset)
    }
}
