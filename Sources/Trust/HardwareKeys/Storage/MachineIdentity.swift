import BasicFoundation
import Files
import SecretMemory

#if os(macOS)
    // Makes CFStrings of Strings.
    import Foundation
    import IOKit
#endif

/// What software keys are bound to: this installation and this user. It protects against careless copying only: whoever
/// reads the key file as its owner can read this too.
///
/// Source: `vigil` section 5.3.
public struct MachineIdentity: Hashable, Sendable {
    /// The identifier of the machine, 16 bytes.
    let machineID: [UInt8]
    let userID: UInt32

    package init(machineID: [UInt8], userID: UInt32) {
        self.machineID = machineID
        self.userID = userID
    }

    /// The identity of the running system and the process's user.
    ///
    /// - Throws: ``HardwareKeyError/storageRefused(path:reason:)`` if the system has no `/etc/machine-id`, or its
    ///   platform no UUID. iOS tells apps nothing of that kind, and every device has a Secure Enclave.
    public static func current() throws(HardwareKeyError) -> MachineIdentity {
        #if os(macOS)
            let name = kIOPlatformUUIDKey
            guard let uuid = platformUUID() else {
                throw .storageRefused(path: name, reason: "the system does not tell it. Run this outside a sandbox")
            }
            return try MachineIdentity(text: uuid.replacing("-", with: ""), path: name, userID: geteuid())
        #elseif os(Linux)
            let path = "/etc/machine-id"
            guard let bytes = try? OpenFile(FilePath(path), followsLinks: true).content(limit: 4096) else {
                throw .storageRefused(path: path, reason: "it cannot be read. Make it with systemd-machine-id-setup")
            }
            return try MachineIdentity(text: String(decoding: bytes, as: UTF8.self), path: path, userID: geteuid())
        #else
            throw .storageRefused(
                path: "software keys", reason: "the system tells no app which device it is on. Use the Secure Enclave")
        #endif
    }

    #if os(macOS)
        /// The number of the hardware, which stays when the system is installed anew.
        private static func platformUUID() -> String? {
            let expert = IOServiceGetMatchingService(kIOMainPortDefault, IOServiceMatching("IOPlatformExpertDevice"))
            guard expert != IO_OBJECT_NULL else { return nil }
            defer { IOObjectRelease(expert) }
            let property = IORegistryEntryCreateCFProperty(
                expert, kIOPlatformUUIDKey as CFString, kCFAllocatorDefault, 0)
            return property?.takeRetainedValue() as? String
        }
    #endif

    /// - Parameters:
    ///   - text: 32 hexadecimal digits.
    ///   - path: where it was read, for the error.
    init(text: String, path: String, userID: UInt32) throws(HardwareKeyError) {
        var digits = text.drop(while: \.isWhitespace)
        while digits.last?.isWhitespace == true { digits.removeLast() }
        var bytes: [UInt8] = []
        while let byte = UInt8(digits.prefix(2), radix: 16), digits.count >= 2, digits.first != "+" {
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        guard digits.isEmpty, bytes.count == 16 else {
            throw .storageRefused(path: path, reason: "it does not hold 32 hexadecimal digits")
        }
        self.init(machineID: bytes, userID: userID)
    }

    /// A key for files of this installation and user.
    ///
    /// - Parameters:
    ///   - salt: 32 random bytes of the file.
    ///   - info: what the key is for, with the tag.
    package func key(salt: [UInt8], info: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
        var material = machineID
        material.append(bigEndian: userID)
        return try SecretBytes.guarded { () throws(SecretMemoryError) in
            try HKDFSHA256.derive(try SecretBytes(movingFrom: &material), salt: salt, info: info)
        }
    }
}
