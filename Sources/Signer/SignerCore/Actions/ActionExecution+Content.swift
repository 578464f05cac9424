import Navigator
import SCALE
import SecretMemory
import Signer
import Substrate
import TextForms

/// Signing content for other vaults.
extension ActionExecution {
    enum ContentKind { case specs, metadata, types, refused }

    static let attemptLimit = 3

    func setContent(to kind: ContentKind) throws {
        switch kind {
        case .types: state.content = .types
        case .refused:
            guard let content = state.transaction?.refusedContent else { throw CoreError.notPending }
            state.content = .refused(content)
        case .specs: state.content = .specs(try shownNetwork().specs.key)
        case .metadata:
            guard let version = state.shownMetadata else { throw CoreError.metadataUnknown(version: "") }
            state.content = .metadata(name: try shownNetwork().specs.name, version: version)
        }
    }

    /// The key that the data name, among those that may sign content.
    private func contentKey() throws -> StoredKey {
        let key = Hex.decode(data).flatMap { try? MultiSigner(scaleEncoded: $0) }
        guard let key, let stored = try vault().contentKeys().first(where: { $0.signer == key }) else {
            throw CoreError.keyUnknown(key: data)
        }
        return stored
    }

    func contentKeyNeedsPassword() -> Bool {
        guard let key = try? contentKey(), key.details.hasPassword else { return false }
        return succeeds {
            try checkPhrases(of: [key.details.seedName])
            choose(key)
        }
    }

    /// Begins with a key. What was confirmed of it stays so.
    private func choose(_ key: StoredKey) {
        let known = state.signing?.key == key.signer ? state.signing?.confirmations : nil
        state.signing = ContentSigning(key: key.signer, confirmations: known ?? [])
    }

    // MARK: Dangers

    /// The dangers of the key that are still to be confirmed.
    func openContentConfirmations() throws -> [Confirmation] {
        guard let signing = state.signing else { return [] }
        return try vault().dangers(ofContentSigning: signing)
    }

    /// Whether the key that the data name has dangers which are still to be confirmed. What keeps this from being known
    /// keeps the key from signing, too.
    func contentRiskIsOpen() -> Bool {
        guard let key = try? contentKey() else { return false }
        choose(key)
        return (try? openContentConfirmations().isEmpty) == false
    }

    // MARK: Signatures

    func attemptContentSigning() -> Outcome<[UInt8]> {
        do {
            guard let content = state.content else { throw CoreError.notPending }
            var password: SecretBytes?
            if state.position.modal == .enterPassword {
                password = try typedPassword()
            } else {
                let key = try contentKey()
                try checkPhrases(of: [key.details.seedName])
                choose(key)
            }
            guard let key = state.signing?.key else { throw CoreError.notPending }
            if host.confirmsDangers, try !openContentConfirmations().isEmpty { throw SignerError.riskNotConfirmed }
            let signed = try vault().signContent(content, by: key, password: password)
            state.signing?.answer = CodeData(single: signed)
            return .done(signed)
        } catch let error as SignerError {
            failure = error
            guard error == .wrongKeyPassword else { return .failed }
            state.signing?.attempts += 1
            let left = Self.attemptLimit - (state.signing?.attempts ?? Self.attemptLimit)
            failure = SignerError.wrongPassword(attemptsLeft: left)
            return .wrong(attemptsLeft: left)
        } catch {
            failure = error
            return .failed
        }
    }

    func takeContentSignature() { _ = contentSigning }
}
