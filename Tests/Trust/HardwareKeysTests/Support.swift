import Foundation
import SecretMemory
import TestSupport

@testable import HardwareKeys

enum Fixture {
    static func json(_ name: String) throws -> JSON {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return try JSON(contentsOf: folder.appending(path: name + ".json"))
    }
}

extension SoftwareTPM {
    /// A connection as the programs make it.
    func open() throws -> TPM { try TPM(at: TPMAddress(tcti: tcti)) }
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    var bytes = bytes
    return try SecretBytes(movingFrom: &bytes)
}

/// A secret of 32 equal bytes.
func secret(of byte: UInt8) throws -> SecretBytes { try secret([UInt8](repeating: byte, count: 32)) }
