package import AppAttest
package import Files

/// The keys of a store as a file of the JSON store.
package enum KeyExport {
    /// Writes the file, which is there whole or not at all, and for its owner alone.
    ///
    /// - Parameters:
    ///   - keys: one entry each, in whichever order.
    ///   - bans: the accounts that are banned.
    package static func write(_ keys: [AttestedKey], bans: [AccountBan], to path: FilePath) throws(FileError) {
        let file = try PreparedFile(for: path, permissions: .ownerReadWrite)
        var output = FileOutput(file.file)
        try KeyFileWriter.write(keys.map { KeyTable.Entry(key: $0) }, bans: bans, unreadable: [], to: &output)
        try output.flush()
        try file.commit()
    }
}
