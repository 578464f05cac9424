/// Why an image could not be read or hashed.
public enum ImageFailure: Error, Hashable, Sendable {
    /// The image breaks a rule of its format.
    ///
    /// - Parameter offset: the byte of the file, or the address, where this was found; nil where it is about all of it.
    case refused(ImageError, offset: UInt64?)

    /// Bytes could not be had.
    ///
    /// - Parameters:
    ///   - offset: where reading began; nil if it could not begin.
    ///   - reason: in the words of where the bytes come from.
    case unreadable(offset: UInt64?, reason: String)

    /// The file became another while it was read.
    case sizeChanged(from: UInt64, to: UInt64)

    /// The system's cryptographic library does not offer the hash function, or has no memory.
    case noHash(HashFunction)

    /// The identifier of the broken rule, if it is one.
    public var error: ImageError? {
        if case .refused(let error, _) = self { error } else { nil }
    }
}

extension ImageFailure: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        switch self {
        case .refused(let error, nil): "\(error)"
        case .refused(let error, let offset?): "At byte \(offset): \(error)"
        case .unreadable(nil, let reason): "It cannot be read: \(reason)."
        case .unreadable(let offset?, let reason): "The bytes from \(offset) on cannot be read: \(reason)."
        case .sizeChanged(let before, let now):
            "The file changed from \(before) to \(now) bytes while it was read. Try again when nothing writes to it."
        case .noHash(let function): "The cryptographic library gives no \(function.rawValue). Check its configuration."
        }
    }
}
