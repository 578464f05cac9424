/// The bytes of one image: a file, a slice of one, or what a process has mapped.
struct ImageView: Sendable {
    let source: any ImageBytes
    /// Where in the source the header is.
    let origin: UInt64
    /// Bytes of the image; nil in memory, where no file bounds it.
    let size: UInt64?

    /// Where in the source a byte of the image is. Addresses may wrap, as the sum of a slide and an address does.
    func position(_ offset: UInt64) -> UInt64 { origin &+ offset }

    /// Whether the image has all of these bytes, as far as is known.
    func contains(_ extent: Extent) -> Bool {
        extent.fits(below: size.map { UInt128($0) } ?? ImageClass.bits64.addressLimit)
    }

    /// Reads a small piece.
    ///
    /// - Parameter refusal: what it means if the image ends before.
    func bytes(_ extent: Extent, orRefuse refusal: ImageError) throws(ImageFailure) -> [UInt8] {
        guard contains(extent), let count = Int(exactly: extent.length) else {
            throw .refused(refusal, offset: position(extent.start))
        }
        return try source.bytes(at: position(extent.start), count: count)
    }

    func refusal(_ error: ImageError, at offset: UInt64) -> ImageFailure {
        .refused(error, offset: position(offset))
    }
}

extension ImageBytes {
    /// - Parameter count: bounded by the caller.
    func bytes(at offset: UInt64, count: Int) throws(ImageFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: ImageFailure?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(ImageFailure) {
                try read(at: offset, into: buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Hands all bytes of a part to `body`, piece by piece.
    ///
    /// - Parameter pieceSize: bytes of a piece at the most.
    func forEachPiece(
        of extent: Extent, pieceSize: Int, _ body: (UnsafeRawBufferPointer) throws(ImageFailure) -> Void
    ) throws(ImageFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(clamping: min(extent.length, UInt64(pieceSize))), alignment: 64)
        defer { buffer.deallocate() }
        var done: UInt64 = 0
        while done < extent.length {
            let count = min(buffer.count, Int(clamping: extent.length - done))
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try read(at: extent.start &+ done, into: piece)
            try body(UnsafeRawBufferPointer(piece))
            done += UInt64(count)
        }
    }
}
