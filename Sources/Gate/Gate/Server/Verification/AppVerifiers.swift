internal import AppAttest
internal import Synchronization

/// The verifiers of a gate, under a policy whose lists may be exchanged.
final class AppVerifiers: AttestationVerifying, AssertionVerifying, ReceiptVerifying {
    private struct Pair: Sendable {
        let attestations: AttestationVerifier
        let assertions: AssertionVerifier
    }

    private let settings: GateConfiguration.Attestation?
    private let anchors: TrustAnchors
    private let queue: AttestationQueue
    /// The verifier of receipts; nil where no newer receipts are asked for.
    private let receipts: ReceiptVerifier?
    /// The verifiers of attestations and assertions; nil where no app is configured.
    private let pair: Mutex<Pair?>

    init(
        _ configuration: GateConfiguration, anchors: TrustAnchors?, _ queue: AttestationQueue
    ) throws(GateServerError) {
        settings = configuration.attestation
        self.queue = queue
        let roots: TrustAnchors
        if let anchors {
            roots = anchors
        } else if let path = settings?.rootPath {
            let text = String(decoding: try FileContent.read(path, for: .rootCAPath), as: UTF8.self)
            do throws(VerifierSetupError) { roots = try TrustAnchors(pem: text) } catch {
                throw .setting(.rootCAPath, "\(error)")
            }
        } else {
            roots = .apple
        }
        self.anchors = roots
        pair = Mutex(try Self.pair(settings, configuration.reloadable.lists, anchors: roots))
        do throws(VerifierSetupError) {
            receipts = configuration.risk.refreshes ? try ReceiptVerifier(anchors: roots) : nil
        } catch {
            throw .verifier(error)
        }
    }

    /// Takes other lists.
    func reload(_ lists: GateConfiguration.PolicyLists) throws(GateServerError) {
        let new = try Self.pair(settings, lists, anchors: anchors)
        pair.withLock { $0 = new }
    }

    private static func pair(
        _ settings: GateConfiguration.Attestation?, _ lists: GateConfiguration.PolicyLists, anchors: TrustAnchors
    ) throws(GateServerError) -> Pair? {
        guard let settings else { return nil }
        var policy = AppAttestPolicy(appIDs: settings.appIDs)
        policy.environments = settings.environments
        policy.verifyReceipt = settings.verifiesReceipt
        policy.accessControl = settings.requiresFullMacSecurity ? .macFullSecurity : .ignore
        policy.allowedCategories = lists.categories.map { Set($0.map(ValidationCategory.init)) }
        policy.requireCategory = lists.requiresCategory
        policy.allowedBundleVersions = lists.bundleVersions
        policy.allowedCodeHashes = lists.codeHashes
        do throws(VerifierSetupError) {
            return Pair(
                attestations: try AttestationVerifier(policy: policy, anchors: anchors),
                assertions: try AssertionVerifier(policy: policy))
        } catch {
            throw .verifier(error)
        }
    }

    func verify(
        attestation: [UInt8], keyID: KeyID, clientDataHash: [UInt8], now: Timestamp
    ) async throws(VerificationFailure) -> AttestationVerdict {
        guard let verifier = pair.withLock({ $0?.attestations }) else { throw .unavailable }
        let result = try await queue.run { () throws(AppAttestError) in
            try verifier.verify(
                attestation: attestation, keyID: keyID, clientDataHash: clientDataHash,
                at: .init(milliseconds: now.milliseconds))
        }
        switch result {
        case .success(let verified): return AttestationVerdict(verified)
        case .failure(let error): throw .rejected(error.code)
        }
    }

    func verify(
        assertion: [UInt8], clientDataHash: [UInt8], publicKey: [UInt8], storedSignCount: UInt32, appID: AppID
    ) throws(VerificationFailure) -> AssertionVerdict {
        guard let verifier = pair.withLock({ $0?.assertions }) else { throw .unavailable }
        do throws(AppAttestError) {
            let verified = try verifier.verify(
                assertion: assertion, clientDataHash: clientDataHash, publicKey: publicKey, appID: appID,
                storedSignCount: storedSignCount)
            return AssertionVerdict(signCount: verified.signCount, facts: AssertionFacts(verified.extensions))
        } catch {
            throw .rejected(error.code)
        }
    }
}

extension AppVerifiers {
    func verify(
        receipt: [UInt8], of key: AttestedKey, now: Timestamp
    ) async throws(VerificationFailure) -> StoredReceipt {
        guard let receipts else { throw .unavailable }
        let result = try await queue.run { () throws(AppAttestError) in
            try receipts.verify(
                receipt: receipt, publicKey: key.publicKey, appID: key.appID, environment: key.environment,
                at: .init(milliseconds: now.milliseconds), kind: .receipt)
        }
        switch result {
        case .success(let verified):
            return StoredReceipt(
                bytes: receipt, riskMetric: verified.riskMetric,
                notBefore: verified.notBefore.map { Timestamp(milliseconds: $0.milliseconds) },
                expiresAt: Timestamp(milliseconds: verified.expiration.milliseconds))
        case .failure(let error): throw .rejected(error.code)
        }
    }
}

extension AssertionFacts {
    fileprivate init(_ extensions: AuthenticatorDataExtensions) {
        self.init(category: extensions.category?.rawValue, bundleVersion: extensions.bundleVersion)
    }
}

extension AttestationVerdict {
    fileprivate init(_ verified: VerifiedAttestation) {
        let receipt = verified.verifiedReceipt
        self.init(
            appID: verified.appID, environment: verified.environment, publicKey: verified.publicKey,
            facts: AssertionFacts(verified.extensions),
            receipt: StoredReceipt(
                bytes: verified.receipt, riskMetric: receipt?.riskMetric,
                notBefore: (receipt?.notBefore).map { Timestamp(milliseconds: $0.milliseconds) },
                expiresAt: (receipt?.expiration).map { Timestamp(milliseconds: $0.milliseconds) }))
    }
}
