/// The code signature inside a Mach-O image, as far as it can be checked without certificates: hashes of pages.
///
/// Anyone can make a signature whose pages match (ad hoc). It tells what the file was when it was signed, and nothing
/// about who signed it.
///
/// Source: Vigil specification, 3.9; xnu, `osfmk/kern/cs_blobs.h`.
public struct CodeSignature: Hashable, Sendable {
    /// One for each hash function that it was made with.
    public let directories: [CodeDirectory]

    /// Whether a certificate stands behind it (a CMS blob that is not empty). It is not checked here.
    public let hasCertificate: Bool

    /// What the program asks the system for, as the signer wrote it: as a property list, and in DER.
    package let entitlements: [[UInt8]]

    /// Entries of its index at the most; Apple's tools make fewer than ten.
    static let entryLimit: UInt32 = 64
    /// Bytes of a list of entitlements at the most; those of Apple's own programs have some thousands.
    static let entitlementLimit: UInt64 = 1 << 20
}

/// A list of hashes of pages, and what it says about the program.
public struct CodeDirectory: Hashable, Sendable {
    /// The version of its format.
    package let version: UInt32
    /// What the system enforces.
    package let flags: CodeDirectoryFlags
    /// The identifier that the signer gave.
    public let identifier: String
    /// The signer's team; nil where it names none.
    public let teamIdentifier: String?
    /// 1 SHA-1, 2 SHA-256, 3 SHA-256 cut to 20 bytes, 4 SHA-384.
    package let hashType: UInt8
    /// 0: all is one page.
    package let pageSizeLog2: UInt8
    /// Pages that it has a hash of.
    package let pageCount: UInt32
    /// Bytes from the start of the image that the pages cover together.
    package let codeLimit: UInt64
    /// What Apple's systems name the program by: 20 bytes of the hash of this directory.
    public let cdhash: [UInt8]
    /// Whether the signature's lists of entitlements are those, and all of those, that it has hashes of.
    package let sealsEntitlements: Bool
    /// The numbers of the pages whose hash is another.
    package let badPages: [UInt32]
    /// Whether it has hashes up to the code limit.
    public let isComplete: Bool
    /// Whether its pages end where the signature begins, so that no code lies behind them.
    package let reachesSignature: Bool
}

/// What the system enforces of a signed program.
package struct CodeDirectoryFlags: OptionSet, Hashable, Sendable {
    /// The bits, as the signature has them.
    package let rawValue: UInt32

    /// - Parameter rawValue: the bits, as the signature has them.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The signature was made without a certificate.
    package static let adHoc = CodeDirectoryFlags(rawValue: 0x2)
    /// `CS_RUNTIME`: the kernel holds the process to the rules of the hardened runtime.
    package static let hardenedRuntime = CodeDirectoryFlags(rawValue: 0x1_0000)
    /// The linker has signed it, and nobody else.
    package static let linkerSigned = CodeDirectoryFlags(rawValue: 0x2_0000)
}

extension ExecutableFile {
    /// Reads the code signature of a Mach-O image and hashes the pages that it covers.
    ///
    /// - Returns: nil if the image has none.
    /// - Throws: ``ImageError/codeSignatureOutOfBounds`` if its structure is damaged.
    public func codeSignature(of image: LoadableImage) throws(ImageFailure) -> CodeSignature? {
        guard case .machO(let details) = image.details, let extent = details.signature else { return nil }
        let view = ImageView(
            source: bytes, origin: image.range.lowerBound, size: image.range.upperBound - image.range.lowerBound)
        return try SuperBlob(parsing: view, extent).signature()
    }
}
