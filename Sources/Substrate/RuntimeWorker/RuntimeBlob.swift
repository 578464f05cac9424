import RuntimeService
import Zstandard

/// The file of a runtime: WebAssembly, or eight bytes of magic and a Zstandard frame of it.
///
/// Source: `signer-wire` section 8.6.
enum RuntimeBlob {
    /// The first seven bytes of all compressed files of code; the eighth tells what is in it.
    private static let magic: [UInt8] = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e]

    /// What the eighth byte stands for.
    private enum Content: UInt8 {
        case any = 5
        case proofOfValidity = 6
        case webAssembly = 7
        case polkaVM = 8
    }

    /// The module in a file.
    ///
    /// - Parameters:
    ///   - file: plain or compressed.
    ///   - limit: bytes that the module may have.
    static func module(in file: [UInt8], limit: Int = RuntimeService.blobLimit) throws(RuntimeRefusal) -> [UInt8] {
        if file.starts(with: Array("PVM\0".utf8)) { throw .notWebAssembly("code of PolkaVM") }
        guard file.starts(with: magic), file.count > magic.count else {
            guard file.count <= limit else { throw .tooLarge(limit: limit) }
            return file
        }
        switch Content(rawValue: file[magic.count]) {
        case .any, .webAssembly: break
        case .polkaVM: throw .notWebAssembly("compressed code of PolkaVM")
        case .proofOfValidity: throw .notWebAssembly("a compressed proof, and no runtime")
        case nil: throw .notWebAssembly("compressed content of an unknown kind (\(file[magic.count]))")
        }
        do throws(ZstdFrameError) {
            return try ZstdFrame.expand(Array(file[(magic.count + 1)...]), limit: limit)
        } catch {
            throw .compression(error)
        }
    }
}
