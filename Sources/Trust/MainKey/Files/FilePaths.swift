import Files

extension FileEncryption {
    /// Encrypts a file into another, which is replaced at the end, or is the same.
    @discardableResult
    func run(_ source: String, to destination: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: source)
        return try SealedOutput.write(destination) { (output) throws(MainKeyError) in
            try run(from: source, to: output)
        }
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

    /// Verifies a whole file.
    ///
    /// - Returns: plaintext bytes.
    @discardableResult
    func check(_ source: String) throws(MainKeyError) -> UInt64 {
        let source = try OpenFile(reading: source)
        return try run(from: source, to: nil)
    }
}
