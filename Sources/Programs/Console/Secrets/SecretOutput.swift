import SecretMemory

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a secret out of locked memory, without a copy on the way.
package enum SecretOutput {
    /// - Parameter option: the option that gave the descriptor, named in the message if it cannot be written.
    package static func write(_ secret: SecretBytes, to descriptor: Int32, option: String) throws {
        try secret.withUnsafeBytes { bytes in
            guard Descriptor.writeAll(bytes, to: descriptor) else {
                throw InteractionError.descriptor(
                    option: option, reason: "it cannot be written: \(String(cString: strerror(errno)))")
            }
        }
    }
}

extension Terminal {
    /// Shows a secret; what fails to be shown is missing on the screen, which the person sees.
    package func write(secret: SecretBytes) {
        try? SecretOutput.write(secret, to: descriptor, option: "the terminal")
    }
}
