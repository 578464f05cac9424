/// Where a TPM is reached: a device of the kernel, or a software TPM on this machine.
///
/// Source: `mainkey` section 17, `vigil` section 5.2 (`VIGIL_TPM`).
public enum TPMAddress: Hashable, Sendable {
    /// A character device; `/dev/tpmrm0` has a resource manager, `/dev/tpm0` has none.
    case device(path: String)
    /// A software TPM's Unix socket; its control socket is beside it, with `.ctrl` at the end.
    case unixSocket(path: String)
    /// A software TPM's TCP port on this machine; its control port is the next one.
    case tcp(host: String, port: UInt16)

    /// The machine's own TPM, through the kernel's resource manager.
    public static let standard = TPMAddress.device(path: "/dev/tpmrm0")

    /// Whether a program may answer there, and not the machine's TPM: a socket, or a device under any other name than
    /// those of the kernel's (`/dev/tpm0`, `/dev/tpmrm0` and so on), such as a terminal's.
    public var isSoftware: Bool {
        guard case .device(let path) = self else { return true }
        return path.wholeMatch(of: /\/dev\/tpm(rm)?[0-9]{1,3}/) == nil
    }
}

extension TPMAddress {
    /// Reads the text that the tools of the TPM understand: `device:/dev/tpmrm0`, `swtpm:path=S` or
    /// `swtpm:host=127.0.0.1,port=2321`.
    ///
    /// - Throws: ``HardwareKeyError/invalidAddress(_:reason:)``, also for a host that is not this machine.
    public init(tcti text: String) throws(HardwareKeyError) {
        let (kind, rest) = Self.split(text, at: ":")
        switch kind {
        case "device": self = .device(path: try Self.path(rest, of: text))
        case "swtpm": try self.init(softwareTPM: rest, of: text)
        default:
            throw .invalidAddress(text, reason: "it has to begin with device: or swtpm:")
        }
    }

    /// Reads the form of `VIGIL_TPM`: `device:PATH`, `unix:PATH`, `tcp:HOST:PORT` or `none`.
    ///
    /// - Returns: nil for `none`.
    /// - Throws: ``HardwareKeyError/invalidAddress(_:reason:)``, also for a host that is not this machine.
    public static func vigil(_ text: String) throws(HardwareKeyError) -> TPMAddress? {
        let (kind, rest) = split(text, at: ":")
        switch kind {
        case "none" where text == "none": return nil
        case "device": return .device(path: try path(rest, of: text))
        case "unix": return .unixSocket(path: try path(rest, of: text))
        case "tcp":
            guard let colon = rest.lastIndex(of: ":") else {
                throw .invalidAddress(text, reason: "the port is missing")
            }
            return try tcp(host: String(rest[..<colon]), port: String(rest[rest.index(after: colon)...]), of: text)
        default:
            throw .invalidAddress(text, reason: "it has to be device:PATH, unix:PATH, tcp:HOST:PORT or none")
        }
    }

    private init(softwareTPM settings: String, of text: String) throws(HardwareKeyError) {
        var values: [String: String] = [:]
        for setting in settings.split(separator: ",", omittingEmptySubsequences: false) {
            let (key, value) = Self.split(String(setting), at: "=")
            guard ["path", "host", "port"].contains(key), values.updateValue(value, forKey: key) == nil else {
                throw .invalidAddress(text, reason: "it takes path=… alone, or host=… and port=…, each once")
            }
        }
        switch (values["path"], values["host"], values["port"]) {
        case (let path?, nil, nil): self = .unixSocket(path: try Self.path(path, of: text))
        case (nil, let host?, let port?): self = try Self.tcp(host: host, port: port, of: text)
        default: throw .invalidAddress(text, reason: "it takes path=… alone, or host=… and port=… together")
        }
    }

    private static func path(_ path: String, of text: String) throws(HardwareKeyError) -> String {
        // A comma would begin another setting in the text that the library reads, which a second = ends.
        guard path.hasPrefix("/"), !path.contains(where: { [",", "=", "\0"].contains($0) }) else {
            throw .invalidAddress(text, reason: "the path has to begin with / and must not contain a comma or =")
        }
        return path
    }

    private static func tcp(host: String, port: String, of text: String) throws(HardwareKeyError) -> TPMAddress {
        guard isThisMachine(host) else {
            throw .invalidAddress(text, reason: "the host has to be this machine (127.0.0.1, ::1 or localhost)")
        }
        guard let number = UInt16(port), (1..<UInt16.max).contains(number) else {
            throw .invalidAddress(text, reason: "the port has to be a number from 1 to 65534")
        }
        return .tcp(host: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host, port: number)
    }

    private static func isThisMachine(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map(number)
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }

    /// A number as everybody reads it: the system's resolver takes one that begins with 0 for octal, and asks for the
    /// name of a machine where there is a sign.
    private static func number(_ text: Substring) -> UInt8? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), text == "0" || text.first != "0" else { return nil }
        return UInt8(text)
    }

    private static func split(_ text: String, at separator: Character) -> (String, String) {
        guard let position = text.firstIndex(of: separator) else { return (text, "") }
        return (String(text[..<position]), String(text[text.index(after: position)...]))
    }
}

extension TPMAddress: CustomStringConvertible {
    /// The text that the tools of the TPM understand.
    public var description: String {
        switch self {
        case .device(let path): "device:\(path)"
        case .unixSocket(let path): "swtpm:path=\(path)"
        case .tcp(let host, let port): "swtpm:host=\(host),port=\(port)"
        }
    }
}
