import Foundation
import SecretMemory
import Signer

/// A payload with the vault's answer to it, and the PIN if the answer took it.
struct UnlockedPayload {
    let answer: Answer
    let credential: SecretBytes?

    /// Asks for the PIN only where a payload is about keys that must be derived to be shown.
    init(_ bytes: [UInt8], in vault: Vault, _ pin: PinOptions) throws {
        do {
            answer = try vault.process(bytes)
            credential = nil
        } catch let refused as RefusedPayload where refused.needsSeed {
            FileHandle.standardError.write(Data("\(refused)\n".utf8))
            let credential = try pin.pin()
            answer = try vault.process(bytes, credential: credential)
            self.credential = credential
        }
    }
}

extension RefusedPayload {
    /// Whether a seed of this vault, once opened, may change the answer.
    fileprivate var needsSeed: Bool {
        switch self {
        case .noSeedFound(_, seed: .some): true
        case .bulkMember(_, let refused): refused.needsSeed
        default: false
        }
    }
}
