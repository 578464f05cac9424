import BasicFoundation
import CLinux
import SecretMemory

/// Key items in the kernel's session keyring, for those that stay available after the first unlock. Only processes of
/// this session can use them, and they are gone after the time, at logout and at restart: never the only copy.
///
/// Source: `mainkey` section 19; keyrings(7).
package final class KernelKeyring: KeyItemStore {
    /// The most bytes of a key of type "user".
    package static let mostPayloadBytes = 32_767
    /// The most bytes of a key's name, as the kernel has it.
    private static let mostNameBytes = 4095

    private let prefix: String
    private let lifetime: Duration?

    /// - Parameters:
    ///   - service: keeps the items of several applications apart.
    ///   - lifetime: of each item from when it is written; nil for as long as the session. Rounded up to seconds.
    package init(service: String, lifetime: Duration?) {
        prefix = "mainkey:\(service):"
        self.lifetime = lifetime
    }

    /// - Throws: `configError` if this kernel or container has no keyring to use: keep the items in locked memory
    ///   instead.
    package static func checkAvailability() throws(MainKeyError) {
        guard clinux_keyring_available() == 0 else { throw failure(errno, "it cannot be used") }
    }

    package func read(_ label: String) throws(MainKeyError) -> SecretBytes? {
        let name = try name(label)
        let count = clinux_keyring_read(name, nil, 0)
        guard count >= 0 else { return try Self.absence("an item cannot be read") }
        return try read(name, count: Int(count))
    }

    private func read(_ name: String, count: Int) throws(MainKeyError) -> SecretBytes? {
        var found: Int64 = 0
        var code: Int32 = 0
        let bytes = try secret {
            try SecretBytes(count: count) { buffer in
                found = clinux_keyring_read(name, buffer.baseAddress, buffer.count)
                code = errno
            }
        }
        guard found >= 0 else { return try Self.absence("an item cannot be read", code: code) }
        // Replaced in between by one of another length.
        guard found == count else { return try read(name, count: Int(found)) }
        return bytes
    }

    package func write(_ label: String, _ value: SecretBytes, access: Accessibility) throws(MainKeyError) {
        guard access == .afterFirstUnlockThisDeviceOnly else {
            throw .configError(
                reason: "the kernel's keyring takes only items that stay available after the first unlock")
        }
        guard (1...Self.mostPayloadBytes).contains(value.count) else {
            throw .limitExceeded(reason: "the kernel's keyring takes items of 1 to \(Self.mostPayloadBytes) bytes")
        }
        let name = try name(label)
        let done = value.withUnsafeBytes { clinux_keyring_write(name, $0.baseAddress, $0.count, seconds) }
        guard done == 0 else { throw Self.failure(errno, "an item cannot be written") }
    }

    package func delete(_ label: String) throws(MainKeyError) {
        guard clinux_keyring_remove(try name(label)) == 0 else {
            _ = try Self.absence("an item cannot be removed")
            return
        }
    }

    package func labels() throws(MainKeyError) -> [String] {
        var names: [String] = []
        let done = withUnsafeMutablePointer(to: &names) { names in
            clinux_keyring_list(
                { context, name in
                    guard let context, let name else { return }
                    context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
                }, names)
        }
        guard done == 0 else { throw Self.failure(errno, "its items cannot be listed") }
        return names.compactMap { $0.spelling(behind: prefix) }.sorted()
    }

    /// The lifetime in whole seconds. Zero would mean no end.
    private var seconds: UInt32 {
        guard let lifetime else { return 0 }
        let (seconds, attoseconds) = lifetime.components
        return UInt32(clamping: max(1, attoseconds > 0 ? seconds + 1 : seconds))
    }

    private func name(_ label: String) throws(MainKeyError) -> String {
        let name = prefix + label
        guard !name.utf8.contains(0), name.utf8.count <= Self.mostNameBytes else {
            throw .configError(
                reason: "the label of an item in the kernel's keyring has no zero byte and, with the service, at most "
                    + "\(Self.mostNameBytes) bytes")
        }
        return name
    }

    /// - Returns: nil if the code says that there is no such key any more.
    private static func absence(_ what: String, code: Int32 = errno) throws(MainKeyError) -> SecretBytes? {
        #if os(Linux)
            if [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(code) { return nil }
        #endif
        throw failure(code, what)
    }

    static func failure(_ code: Int32, _ what: String) -> MainKeyError {
        switch code {
        case ENOSYS, EPERM, EACCES, EOPNOTSUPP:
            .configError(reason: "this kernel or container offers no keyring (\(String(cString: strerror(code))))")
        case EDQUOT: .limitExceeded(reason: "this user's quota of kernel keys is used up (/proc/key-users)")
        default: .system("the kernel's keyring", failure: what, code: code)
        }
    }
}
