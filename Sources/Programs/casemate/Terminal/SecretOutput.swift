import Console
import Foundation
import SecretMemory

/// Writes a secret out of locked memory, without a copy on the way.
enum SecretOutput {
    static func write(_ secret: SecretBytes, to descriptor: Int32) throws {
        try secret.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Foundation.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else {
                    throw Failure.descriptor(option: "--phrase-fd", reason: String(cString: strerror(errno)))
                }
                done += count
            }
        }
    }
}

extension Terminal {
    /// Shows a secret; what fails to be shown is missing on the screen, which the person sees.
    func write(secret: SecretBytes) {
        try? SecretOutput.write(secret, to: descriptor)
    }
}
