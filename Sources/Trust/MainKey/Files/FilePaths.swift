import Files

extension FileEncryption {
    /// Encrypts a file into another, which is replaced at the end, or is the same.
    @discardableResult
    func run(_ source: String, to destination: String) throws(MainKeyError) -> UInt64 {
        let (waiting, byteCount) = try prepare(source, for: destination)
        try waiting.takePlace()
        return byteCount
    }

    /// Encrypts a file into another that does not take its place yet.
    ///
    /// - Returns: it, and the bytes of plaintext.
    func prepare(
        _ source: String, for destination: String
    ) throws(MainKeyError) -> (waiting: WaitingFile, byteCount: UInt64) {
        let source = try OpenFile(reading: source)
        let (output, result) = try SealedOutput.prepare(destination) { (output) throws(MainKeyError) in
            try write(from: source, to: output)
        }
        return (WaitingFile(output, result.header), result.byteCount)
    }
}

extension FileDecryption {
    /// Decrypts a file into another, which appears when the last chunk has been verified.
    @discardableResult
    package func run(_ source: String, to destination: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: source)
        return try SealedOutput.write(destination) { (output) throws(MainKeyError) in
            try run(from: source, to: output)
        }
    }

    /// The same for a file that was compared with what the vault lists.
    func run(_ file: FreshFile, to destination: String) throws(MainKeyError) -> UInt64 {
        let decryption = expecting(file)
        return try SealedOutput.write(destination) { (output) throws(MainKeyError) in
            try decryption.run(from: file.source, to: output)
        }
    }

    /// Verifies a whole file.
    ///
    /// - Returns: plaintext bytes.
    @discardableResult
    func check(_ source: String) throws(MainKeyError) -> UInt64 {
        try check(FreshFile(source: try OpenFile(reading: source)))
    }

    func check(_ file: FreshFile) throws(MainKeyError) -> UInt64 {
        try expecting(file).run(from: file.source, to: nil)
    }

    /// What decrypts the file with the header that was compared, and no other.
    func expecting(_ file: FreshFile) -> FileDecryption {
        var decryption = self
        decryption.expected = file.digest
        return decryption
    }
}
