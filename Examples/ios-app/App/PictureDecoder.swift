import ExtensionFoundation
import ForceField
import ForceFieldWire

/// Pictures from strangers are read by this app's helper extension, which can do nothing else: what makes a parser do
/// harm does it there.
@available(iOS 26, *)
enum PictureDecoder {
    struct Missing: Error {}

    static func measure(_ picture: [UInt8]) async throws -> PictureMethods.Measures {
        let monitor = try await AppExtensionPoint.Monitor(appExtensionPoint: .pictureDecoder)
        guard let identity = monitor.identities.first else { throw Missing() }
        // One field for each picture, and so a process that has read no other.
        let field = try ForceField(helper: identity, interface: PictureMethods.interface())
        let measures = try await field.call(PictureMethods.measure, Bytes(picture), deadline: .seconds(2))
        await field.terminate()
        return measures
    }
}

@available(iOS 26, *)
extension AppExtensionPoint {
    @Definition static var pictureDecoder: AppExtensionPoint {
        Name("picture-decoder")
        UserInterface(false)
        EnhancedSecurity(true)
    }
}
