import QRCode

/// A strict PNG reader, of every colour type and bit depth, interlaced or not (PNG specification, third edition).
///
/// Every checksum is verified, the order of chunks too, and the compressed pixels must expand to exactly the picture.
/// Transparent pixels are laid over white; of 16 bits a sample the upper eight count. What is held in memory is the grey
/// pixels and two rows, never the expanded file. What follows the last chunk is not looked at.
struct PNGReader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    private let bytes: [UInt8]

    /// - Parameter bytes: a file that starts with the signature.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func decode() throws(PictureError) -> LumaImage {
        let file = try PNGFile(bytes)
        let header = file.header
        let pixels = PNGPixels(file)
        var inflater = try Inflater(bytes, ranges: file.imageData)
        var luma = [UInt8](repeating: 0, count: header.width * header.height)
        for pass in header.passes {
            var previous = [UInt8](repeating: 0, count: (pass.width * header.bitsPerPixel + 7) / 8)
            for passRow in 0..<pass.height {
                let row = try self.row(&inflater, previous: previous, header: header)
                let start = (pass.y + passRow * pass.stepY) * header.width + pass.x
                for column in 0..<pass.width {
                    guard let value = pixels.luma(at: column, in: row) else {
                        throw malformed(file, "a pixel names a colour that the palette lacks")
                    }
                    luma[start + column * pass.stepX] = value
                }
                previous = row
            }
        }
        try inflater.finish()
        guard let image = LumaImage(width: header.width, height: header.height, pixels: luma) else {
            throw malformed(file, "the size does not fit the pixels")
        }
        return image
    }

    /// The next row, restored.
    private func row(
        _ inflater: inout Inflater, previous: [UInt8], header: PNGHeader
    ) throws(PictureError) -> [UInt8] {
        var filterType: [UInt8] = [0]
        try inflater.fill(&filterType)
        guard let filter = PNGFilter(rawValue: filterType[0]) else {
            throw inflater.malformed("filter type \(filterType[0]) does not exist")
        }
        var row = [UInt8](repeating: 0, count: previous.count)
        try inflater.fill(&row)
        filter.restore(&row, previous: previous, distance: max(1, header.bitsPerPixel / 8))
        return row
    }

    private func malformed(_ file: PNGFile, _ reason: String) -> PictureError {
        .png(reason, at: file.imageData[0].lowerBound)
    }
}

extension PictureError {
    /// - Parameter offset: from the start of the file, in bytes.
    static func png(_ reason: String, at offset: Int) -> PictureError {
        .malformed(format: "PNG", reason: reason, offset: offset)
    }
}
