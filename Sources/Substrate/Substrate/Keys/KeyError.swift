import SecretMemory
import Sr25519

/// Why a key cannot be derived or used. No case holds any of it.
public enum KeyError: Error, Equatable, Sendable {
    /// ed25519, ecdsa and ethereum keys have hard junctions (`//`) only.
    case softKeyInPath
    /// The derivation came out at a number that is no secret key, or the bytes given are none.
    case invalidSecretKey
    /// A signature that was just made does not verify. It was not released.
    case faultDuringSigning
    /// The phrase gives no key.
    case mnemonic(MnemonicError)
    /// There is no locked memory for the secret.
    case memory(SecretMemoryError)

    init(_ error: Sr25519Error) {
        switch error {
        case .memory(let error): self = .memory(error)
        case .faultDuringSigning: self = .faultDuringSigning
        default: self = .invalidSecretKey
        }
    }

    /// Runs what can only fail for lack of locked memory.
    static func locked<R>(_ body: @autoclosure () throws(SecretMemoryError) -> R) throws(KeyError) -> R {
        do { return try body() } catch { throw .memory(error) }
    }
}

extension KeyError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .softKeyInPath:
            "The path has a soft junction (single /), which only sr25519 keys can follow. Use // instead."
        case .invalidSecretKey: "This path leads to no valid secret key. Choose another path."
        case .faultDuringSigning: "\(Sr25519Error.faultDuringSigning)"
        case .mnemonic(let error): "\(error)"
        case .memory(let error): "\(error)"
        }
    }
}
