/// The rows of one pass: filters undone, samples turned to brightness.
struct PNGScanlines {
    let header: PNGHeader
    let pass: PNGHeader.Pass
    let palette: PNGPalette

    /// - Parameter start: where the pass begins in `scanlines`; behind it afterwards.
    func write(_ scanlines: [UInt8], from start: inout Int, to output: inout [UInt8]) throws(PictureError) {
        let step = max(1, header.bitsPerPixel / 8)
        var previous = [UInt8](repeating: 0, count: pass.rowBytes)
        for row in 0..<pass.height {
            let filter = scanlines[start]
            var line = Array(scanlines[start + 1..<start + 1 + pass.rowBytes])
            start += 1 + pass.rowBytes
            guard Self.unfilter(filter, &line, previous, step) else {
                throw PNGReader.malformed("a row has an unknown filter", 8)
            }
            let base = (pass.startY + row * pass.stepY) * header.width + pass.startX
            for column in 0..<pass.width {
                guard let luma = luma(line, column) else {
                    throw PNGReader.malformed("a pixel has a colour that the palette has not", 8)
                }
                output[base + column * pass.stepX] = luma
            }
            previous = line
        }
    }

    /// - Parameter step: bytes to the pixel on the left.
    /// - Returns: false for an unknown filter.
    private static func unfilter(_ filter: UInt8, _ line: inout [UInt8], _ above: [UInt8], _ step: Int) -> Bool {
        switch filter {
        case 0: break
        case 1:
            for index in line.indices.dropFirst(step) { line[index] &+= line[index - step] }
        case 2:
            for index in line.indices { line[index] &+= above[index] }
        case 3:
            for index in line.indices {
                let left = index >= step ? Int(line[index - step]) : 0
                line[index] &+= UInt8((left + Int(above[index])) / 2)
            }
        case 4:
            for index in line.indices {
                let left = index >= step ? Int(line[index - step]) : 0
                let corner = index >= step ? Int(above[index - step]) : 0
                line[index] &+= paeth(left, Int(above[index]), corner)
            }
        default: return false
        }
        return true
    }

    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> UInt8 {
        let estimate = left + above - corner
        let (toLeft, toAbove, toCorner) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
        if toLeft <= toAbove && toLeft <= toCorner { return UInt8(left) }
        return UInt8(toAbove <= toCorner ? above : corner)
    }

    /// Brightness of a pixel; nil if it is not in the palette.
    private func luma(_ line: [UInt8], _ column: Int) -> UInt8? {
        switch header.colour {
        case .grey: return UInt8(sample(line, column))
        case .palette:
            let index = rawSample(line, column)
            return index < palette.luma.count ? palette.luma[index] : nil
        case .greyAlpha:
            return Self.overWhite(sample(line, 2 * column), alpha: sample(line, 2 * column + 1))
        case .rgb, .rgbAlpha:
            let channels = header.colour.channels
            let grey = PictureDecoder.luma(
                sample(line, channels * column), sample(line, channels * column + 1),
                sample(line, channels * column + 2))
            return Self.overWhite(grey, alpha: channels == 4 ? sample(line, channels * column + 3) : 255)
        }
    }

    /// A sample scaled to 0…255.
    private func sample(_ line: [UInt8], _ index: Int) -> Int {
        header.depth < 8 ? rawSample(line, index) * 255 / ((1 << header.depth) - 1) : rawSample(line, index)
    }

    /// A sample as it is stored; of 16 bits the upper eight.
    private func rawSample(_ line: [UInt8], _ index: Int) -> Int {
        switch header.depth {
        case 16: return Int(line[2 * index])
        case 8: return Int(line[index])
        default:
            let bit = index * header.depth
            return Int(line[bit / 8]) >> (8 - header.depth - bit % 8) & ((1 << header.depth) - 1)
        }
    }

    static func overWhite(_ grey: Int, alpha: Int) -> UInt8 {
        UInt8((grey * alpha + 255 * (255 - alpha)) / 255)
    }
}
