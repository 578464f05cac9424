/// The frames of an animated PNG (PNG specification, third edition, 11.3.6).
struct PNGAnimation {
    private(set) var frames: [Frame] = []

    struct Frame {
        let area: Canvas.Area
        let disposal: Disposal
        /// Whether it replaces what its area showed, instead of being laid over it.
        let replaces: Bool
        /// Where its compressed pixels lie.
        var data: [Range<Int>] = []
    }

    /// - Returns: nil for a file that does not move.
    init?(_ file: PNGFile, of bytes: [UInt8]) throws(PictureError) {
        let canvas = Canvas.Area(x: 0, y: 0, width: file.header.width, height: file.header.height)
        var isAnimated = false
        var sequence: UInt32 = 0
        var chunk = try PNGChunk(at: PNGReader.signature.count, in: bytes)
        while chunk.type != .end {
            switch chunk.type {
            case .animationControl: isAnimated = true
            case .frameControl, .frameData:
                guard chunk.content.count >= 4, PNGChunk.number(at: chunk.content.lowerBound, in: bytes) == sequence
                else {
                    throw chunk.malformed("it is not number \(sequence) of the animation")
                }
                sequence &+= 1
                if chunk.type == .frameControl {
                    frames.append(try Self.frame(chunk, of: bytes, on: canvas))
                } else if frames.isEmpty {
                    throw chunk.malformed("no fcTL chunk came before it")
                } else {
                    frames[frames.count - 1].data.append(chunk.content.lowerBound + 4..<chunk.content.upperBound)
                }
            // The picture itself belongs to the animation where a frame begins before it.
            case .imageData:
                if frames.count == 1 { frames[0].data.append(chunk.content) }
            default: break
            }
            chunk = try PNGChunk(at: chunk.end, in: bytes)
        }
        guard isAnimated else { return nil }
        guard let first = frames.first, frames.allSatisfy({ !$0.data.isEmpty }) else {
            throw chunk.malformed("a frame of the animation has no pixels")
        }
        guard first.data.first != file.imageData.first || first.area == canvas else {
            throw chunk.malformed("the first frame does not fill the picture")
        }
    }

    private static func frame(
        _ chunk: PNGChunk, of bytes: [UInt8], on canvas: Canvas.Area
    ) throws(PictureError) -> Frame {
        guard chunk.content.count == 26 else {
            throw chunk.malformed("it has \(chunk.content.count) bytes instead of 26")
        }
        func number(_ index: Int) -> Int { Int(PNGChunk.number(at: chunk.content.lowerBound + 4 * index, in: bytes)) }
        let area = Canvas.Area(x: number(3), y: number(4), width: number(1), height: number(2))
        guard area.width > 0, area.height > 0, area.x + area.width <= canvas.width,
            area.y + area.height <= canvas.height
        else { throw chunk.malformed("the frame does not lie inside the picture") }
        let blend = bytes[chunk.content.upperBound - 1]
        guard blend <= 1 else { throw chunk.malformed("blend operation \(blend) does not exist") }
        let disposal: Disposal
        switch bytes[chunk.content.upperBound - 2] {
        case 0: disposal = .keep
        case 1: disposal = .clear
        case 2: disposal = .restore
        case let other: throw chunk.malformed("dispose operation \(other) does not exist")
        }
        return Frame(area: area, disposal: disposal, replaces: blend == 0)
    }
}
