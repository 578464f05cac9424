import Airgap
import PictureService
import TextForms

extension PictureReader {
    /// Expands compressed metadata in a worker that can only compute.
    ///
    /// - Parameter packed: an outside value; a signature over it says who made it.
    /// - Returns: exactly as many bytes as are stated, an outside value still.
    /// - Throws: ``ExpansionError``, or ``LinkError`` where there is no worker or no sandbox for it.
    public func expand(_ packed: PackedMetadata) throws -> [UInt8] {
        let asked = PackedBytes(byteCount: packed.byteCount, frame: packed.frame)
        // One that has read pictures may have been taken over by them.
        changeWorker()
        let ending = try ask(PictureService.expand, asked) { try $0.check(for: asked) }
        changeWorker()
        switch ending {
        case .success(.expanded(let bytes)): return bytes
        case .success(.refused(let reason)): throw ExpansionError(reason: reason)
        case .failure(let ending): throw ExpansionError(reason: "\(ending)")
        }
    }
}

/// Why compressed metadata were not expanded.
public struct ExpansionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in the words of what expanded them; fit for a screen.
    public let reason: String

    init(reason: String) { self.reason = ScreenText.escape(reason) }

    /// What happened, and what to do.
    public var description: String {
        "The compressed metadata cannot be expanded: \(reason). Have them sent again, or uncompressed."
    }
}
