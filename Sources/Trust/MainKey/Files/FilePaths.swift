extension FileEncryption {
    /// Encrypts a file into another, which is replaced at the end, or is the same.
    @discardableResult
    func run(_ source: String, to destination: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: source)
        return try AtomicOutput.write(destination) { (output) throws(MainKeyError) in
            try run(from: source, to: output)
        }
    }
}

extension FileDecryption {
    /// Decrypts a file into another, which appears when the last chunk has been verified.
    @discardableResult
    func run(_ source: String, to destination: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: source)
        return try AtomicOutput.write(destination) { (output) throws(MainKeyError) in
            try run(from: source, to: output)
        }
    }

    /// Verifies a whole file.
    ///
    /// - Returns: plaintext bytes.
    @discardableResult
    func check(_ source: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: source)
        return try run(from: source, to: nil)
    }
}

extension FileDecryption {
    /// Replaces a file by one of the same content under the active epoch's key. The plaintext is in memory only.
    ///
    /// - Returns: plaintext bytes.
    @discardableResult
    func renew(_ path: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: path)
        return try AtomicOutput.write(path) { (output) throws(MainKeyError) in
            try run(from: source) { (header, chunksPerPiece) throws(MainKeyError) in
                let writer = try EncryptedFileWriter(
                    to: output, context: context, keys: keys, chunkLog2: header.chunkLog2,
                    chunksPerPiece: chunksPerPiece)
                return { (piece, isLast) throws(MainKeyError) in try writer.append(piece, isLast: isLast) }
            }
        }
    }
}
