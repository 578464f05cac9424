import Foundation
import SecretMemory
import Signer

/// What programs show with: a phrase that everybody knows, and the picture of a transaction that its key can sign.
package enum Demonstration {
    /// The public development phrase, which is never a secret.
    package static func phrase() throws -> SecretBytes {
        var bytes = Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
        return try SecretBytes(movingFrom: &bytes)
    }

    /// What a hot wallet shows: a Westend batch transaction, as PNG.
    package static func picture() throws -> [UInt8] {
        try ShippedFile.read(pictureName, at: pictureFile)
    }

    /// Where that picture is.
    package static var picturePath: String? { pictureFile?.path }

    private static let pictureName = "westend-batch.png"

    private static var pictureFile: URL? {
        #if os(Linux)
            ShippedFile.folder(ofTarget: "InstalledSigner").appending(path: "Demo/\(pictureName)")
        #else
            Bundle.module.url(forResource: pictureName, withExtension: nil, subdirectory: "Demo")
        #endif
    }
}
