import CodeMeasurement

extension VersionOne.Validation {
    /// What a validator checks before it measures the app.
    ///
    /// - Parameter expectedHash: of the app, by the manifest.
    /// - Throws: ``Refusal``: `notProvisioned`, `revoked`, `publicKeyMismatch`, `signatureInvalid`, `hashMismatch`.
    package func check(pin: Pin, expectedHash: Bytes32) throws(Refusal) {
        let key = try pin.check(publicKey)
        guard key.verifies(der: signature, of: signedBytes) else {
            throw Refusal(.signatureInvalid, "the request is not signed by the pinned key")
        }
        guard hash == expectedHash else {
            throw Refusal(.hashMismatch, "the app reports \(hash), and the manifest says \(expectedHash)")
        }
    }
}

extension VersionOne.Verdict {
    /// What an app checks of a verdict.
    ///
    /// - Parameters:
    ///   - nonce: of the request.
    ///   - expectedHash: of the validator, by the manifest.
    ///   - seen: the nonces of verdicts that were accepted before.
    /// - Returns: the verdict, now that it is known whose it is.
    /// - Throws: ``Refusal``: `nonceMismatch`, `notProvisioned`, `revoked`, `publicKeyMismatch`, `signatureInvalid`,
    ///   `hashMismatch`.
    package func check(
        answering nonce: Bytes32, pin: Pin, expectedHash: Bytes32, policy: VersionOne.NoncePolicy,
        seen: inout VersionOne.SeenNonces
    ) throws(Refusal) -> Bool {
        guard policy == .allowIndependent || self.nonce == nonce else {
            throw Refusal(.nonceMismatch, "the verdict does not answer this request")
        }
        let key = try pin.check(publicKey)
        guard key.verifies(der: signature, of: signedBytes) else {
            throw Refusal(.signatureInvalid, "the verdict is not signed by the pinned key")
        }
        guard seen.insert(self.nonce, of: key) else {
            throw Refusal(.nonceMismatch, "this verdict was given before")
        }
        guard validatorHash == expectedHash else {
            throw Refusal(
                .hashMismatch, "the validator reports \(validatorHash), and the manifest says \(expectedHash)")
        }
        return isValid
    }
}

extension Pin {
    /// The same check where messages do not say of which kind a key is.
    fileprivate func check(_ key: PublicKey) throws(Refusal) -> PublicKey {
        switch self {
        case .active(_, let kind): try check(key.x963, kind: kind)
        case .none, .revoked: try check(key.x963, kind: .software)
        }
    }
}
