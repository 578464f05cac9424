extension LoadCommands {
    /// The header and load commands without what signing and the App Store change: the signature's command, the sizes
    /// of `__LINKEDIT`, the mark of encryption. Zero bytes behind it make it as long as before.
    ///
    /// Source: Vigil specification, 3.4.
    func canonicalHeader(_ header: MachOHeader) -> [UInt8] {
        var bytes = Array(header.bytes[..<end])
        if let linkEdit { Self.zeroSizes(ofSegmentAt: linkEdit.position, header.form.width, in: &bytes) }
        for encryption in encryptions { bytes.zero(at: encryption.position + 16, count: 4) }
        guard let signature else { return bytes }
        bytes.removeSubrange(signature.command)
        bytes.append(contentsOf: repeatElement(0, count: signature.command.count))
        bytes.put(header.commandCount - 1, at: MachOHeader.commandCountPosition, header.form.order)
        // Not below zero: the walk has found the command inside these sizes.
        bytes.put(
            header.commandSize - UInt32(signature.command.count), at: MachOHeader.commandSizePosition,
            header.form.order)
        return bytes
    }

    /// `vmsize` and `filesize`.
    private static func zeroSizes(ofSegmentAt position: Int, _ width: ImageClass, in bytes: inout [UInt8]) {
        let word = width.addressSize
        bytes.zero(at: position + 24 + word, count: word)
        bytes.zero(at: position + 24 + 3 * word, count: word)
    }
}

extension [UInt8] {
    fileprivate mutating func zero(at position: Int, count: Int) {
        replaceSubrange(position..<position + count, with: repeatElement(0, count: count))
    }

    fileprivate mutating func put(_ number: UInt32, at position: Int, _ order: ByteOrder) {
        let highestFirst = number.bigEndianBytes
        replaceSubrange(position..<position + 4, with: order == .big ? highestFirst : highestFirst.reversed())
    }
}
