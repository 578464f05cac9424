import CSodium
import Foundation
import TextForms

/// A file that is installed beside the program. The manifest of a release covers code alone, so the program knows the
/// digests of what it ships with, and takes nothing else: metadata with other names in it would show a transfer as
/// something harmless.
package enum ShippedFile {
    #if os(Linux)
        /// Where the resources of a target lie: beside the program, and nowhere else.
        ///
        /// The accessor that the package manager generates (`Bundle.module`) looks in the folder of the build too. A
        /// program with that path in it takes files from there, and differs from folder to folder of the build.
        ///
        /// - Parameter target: one of this package that has resources.
        package static func folder(ofTarget target: String) -> URL {
            Bundle.main.bundleURL.appending(path: "casemate_\(target).resources", directoryHint: .isDirectory)
        }
    #endif

    /// Reads one whole.
    ///
    /// - Parameters:
    ///   - name: as ``digests`` has it.
    ///   - file: where it is installed; nil where it is not.
    /// - Throws: `shippedFileChanged` for any other content, `storageUnavailable`.
    package static func read(_ name: String, at file: URL?) throws -> [UInt8] {
        let missing = "it is missing from the installation"
        guard let file else { throw SignerError.storageUnavailable(path: name, reason: missing) }
        let content: [UInt8]
        do { content = Array(try Data(contentsOf: file)) } catch CocoaError.fileReadNoSuchFile {
            throw SignerError.storageUnavailable(path: file.path, reason: missing)
        } catch {
            throw SignerError.storageUnavailable(path: file.path, reason: error.localizedDescription)
        }
        guard digest(of: content) == digests[name] else { throw SignerError.shippedFileChanged(path: file.path) }
        return content
    }

    /// SHA-256 in lower-case hexadecimal digits.
    static func digest(of content: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = crypto_hash_sha256(&digest, content, UInt64(content.count))
        return Hex.encode(digest)
    }
}
