import Files
import SecretMemory

/// Decrypts a stream of the format `MKF1`, or verifies it.
package struct FileDecryption {
    let keys: FileKeySource
    /// The bytes that the file was bound to.
    let context: [UInt8]
    /// The digest of the header that the file has to have; nil where any will do.
    var expected: [UInt8]?
    /// Called with the plaintext bytes done so far.
    var progress: (UInt64) -> Void

    package init(keys: FileKeySource, context: [UInt8], progress: @escaping (UInt64) -> Void = { _ in }) {
        self.keys = keys
        self.context = context
        self.progress = progress
    }

    /// Decrypts from the source's position to its end.
    ///
    /// Each chunk is verified before it is written. That nothing is missing is certain only when this returns: who
    /// writes to a file lets it appear then.
    ///
    /// - Parameter sink: nil to verify only.
    /// - Returns: plaintext bytes.
    /// - Throws: what ``EncryptedFileHeader``, ``ChunkCipher`` and ``EncryptedFileLayout`` refuse;
    ///   ``MainKeyError/locked`` if the vault was locked meanwhile, ``MainKeyError/unknownEpoch(_:)`` if a rotation
    ///   dropped the epoch; ``MainKeyError/io(path:reason:)``.
    @discardableResult
    func run(from source: OpenFile, to sink: OpenFile?) throws(MainKeyError) -> UInt64 {
        let length = try source.remainingByteCount().map { $0 - EncryptedFileHeader.byteCount }
        let header = try EncryptedFileHeader(reading: source)
        try header.check(is: expected)
        let cipher = try ChunkCipher(header, context: context, keys: keys)
        if let length { _ = try EncryptedFileLayout(bodyByteCount: length, chunkByteCount: header.chunkByteCount) }
        let sealedByteCount = header.chunkByteCount + AEAD.tagByteCount
        let reader = PieceReader(source, unit: sealedByteCount, length: length)
        let output = PieceBuffer(count: reader.unitsPerPiece * header.chunkByteCount)
        var chunk = 0
        var done: UInt64 = 0
        repeat {
            try keys.check(header.epoch)
            let piece = try reader.next()
            var position = 0
            var opened = 0
            repeat {
                guard chunk < EncryptedFileLayout.chunkCountMost else {
                    throw .malformed(.file, reason: "it has more chunks than can be numbered")
                }
                let end = min(position + sealedByteCount, piece.count)
                let byteCount = end - position - AEAD.tagByteCount
                // Only an empty file has a chunk without content.
                guard byteCount > 0 || byteCount == 0 && chunk == 0 else { throw .truncated(.file) }
                try cipher.open(
                    UnsafeRawBufferPointer(rebasing: piece[position..<end]), chunk: chunk,
                    isLast: reader.isAtEnd && end == piece.count, into: output[opened..<opened + byteCount])
                position = end
                opened += byteCount
                chunk += 1
            } while position < piece.count
            if let sink { try onDisk(try sink.write(UnsafeRawBufferPointer(output[0..<opened]))) }
            done += UInt64(opened)
            progress(done)
        } while !reader.isAtEnd
        return done
    }
}

extension EncryptedFileHeader {
    /// Reads it from the position of a stream.
    init(reading source: OpenFile) throws(MainKeyError) {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        let count = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(MainKeyError) in
            try onDisk(try source.read(into: UnsafeMutableRawBufferPointer(buffer)))
        }
        try self.init(parsing: Array(bytes[..<count]))
    }
}
