import Airgap
import Navigator
import SecretMemory
import Signer
import Substrate
import Testing
import TextForms

@testable import SignerCore

/// One way to come to an error.
struct Provocation: Sendable, CustomTestStringConvertible {
    let code: ErrorCode
    let parameters: [String: String]
    let provoke: @Sendable () throws -> CoreFailure

    init(
        _ code: ErrorCode, _ parameters: [String: String] = [:],
        by provoke: @escaping @Sendable () throws -> CoreFailure
    ) {
        self.code = code
        self.parameters = parameters
        self.provoke = provoke
    }

    var testDescription: String { code.name }

    /// Nothing came of what should have been refused.
    struct NotRefused: Error {}

    static let password = "zwölf-Boote"
    /// In the place of a value that is in words.
    static let anything = "*"

    // MARK: Ways to an error

    /// What a call throws.
    static func thrown(_ body: () throws -> Void) throws -> CoreFailure {
        do { try body() } catch { return CoreFailure(error) }
        throw NotRefused()
    }

    /// What the alert over a page says.
    static func alert(_ result: ActionResult) throws -> CoreFailure {
        switch result.alert {
        case .error(let failure)?: return failure
        default: throw NotRefused()
        }
    }

    /// Why what is scanned is refused.
    static func scan(_ payload: [UInt8], in test: TestCore) throws -> CoreFailure {
        try scan(hex: Hex.encode(payload), in: test)
    }

    static func scan(hex: String, in test: TestCore) throws -> CoreFailure {
        try test.act(.start)
        try test.act(.navbarScan)
        guard case .transaction(let data) = try test.act(.transactionFetched, hex).screen,
            let failure = data.refusal ?? data.fault
        else { throw NotRefused() }
        return failure
    }

    /// Scans an update and says yes to it.
    static func take(_ payload: [UInt8], in test: TestCore) throws {
        try test.act(.start)
        try test.act(.navbarScan)
        try test.act(.transactionFetched, Hex.encode(payload))
        let taken = try test.act(.goForward)
        guard taken.alert == nil else { throw NotRefused() }
    }

    // MARK: Keys and networks

    static func pair(_ byte: UInt8) throws -> KeyPair {
        var seed = [UInt8](repeating: byte, count: 32)
        return try KeyPair(scheme: .sr25519, miniSecret: SecretBytes(movingFrom: &seed))
    }

    /// The key as parameters name it.
    static func text(_ byte: UInt8) -> String {
        guard let pair = try? pair(byte) else { return "" }
        return "sr25519 \(Hex.encode(pair.publicKey))"
    }

    /// A network that no release has.
    static let orion = NetworkSpecs(
        base58Prefix: 42, color: "#000", decimals: 12, scheme: .sr25519,
        genesisHash: Hash256(unchecked: [UInt8](repeating: 7, count: 32)), logo: "orion", name: "orion",
        pathID: "//orion", secondaryColor: "#000", title: "Orion", unit: "ORI")

    static let westendGenesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"

    /// A core whose release trusts a key for updates, or none.
    ///
    /// - Parameter change: of the release.
    static func makeCore(
        general: UInt8? = nil, hasMetadata: Bool = false, _ change: (inout NetworkBundle) -> Void = { _ in }
    ) throws -> TestCore {
        var bundle = try TestCore.bundle(hasMetadata: hasMetadata)
        bundle.generalVerifier = Verifier(try general.map { try pair($0).multiSigner })
        change(&bundle)
        return try TestCore(bundle: bundle)
    }

    static func shipped(_ name: String) throws -> NetworkBundle.Network {
        try #require(try NetworkBundle.shipped().networks.first { $0.specs.name == name })
    }

    /// A payload with the content, signed by the key made of `signer`, or by nobody.
    static func update(_ content: UpdatePayload.Content, by signer: UInt8? = nil) throws -> [UInt8] {
        let signature = try signer.map { byte in
            let pair = try pair(byte)
            return (signer: pair.multiSigner, bytes: try pair.sign(content.signedBytes))
        }
        return UpdatePayload.payload(content, signature: signature)
    }

    static func specs(
        _ specs: NetworkSpecs, by signer: UInt8? = nil, _ change: (inout NetworkSpecs) -> Void = { _ in }
    ) throws -> [UInt8] {
        var changed = specs
        change(&changed)
        return try update(.specs(changed), by: signer)
    }

    static func metadata(
        by signer: UInt8? = nil, of genesis: Hash256? = nil, _ change: (inout [UInt8]) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        let westend = try shipped("westend")
        var blob = westend.metadata[0]
        try change(&blob)
        return try update(.metadata(blob, genesisHash: genesis ?? westend.specs.genesisHash), by: signer)
    }

    /// A core with the development phrase as `Alice`, in Westend.
    static func alice(hasMetadata: Bool = false, confirmsDangers: Bool = false) throws -> TestCore {
        let test = try TestCore(hasMetadata: hasMetadata, confirmsDangers: confirmsDangers)
        _ = try test.recoverAlice()
        try test.act(.networkSelector)
        try test.act(.changeNetwork, TestCore.westend)
        return test
    }

    static func openVault(_ test: TestCore) throws -> Vault { try #require(try test.host.openVault()) }
}

extension [UInt8] {
    /// Puts a text of the same length in the place of another, with its length before it, wherever it stands.
    mutating func rename(_ text: String, to other: String) throws {
        let (old, new) = (Array(text.utf8), Array(other.utf8))
        try #require(old.count == new.count && old.count < 64)
        let length = UInt8(old.count << 2)
        var found = false
        while let range = firstRange(of: [length] + old) {
            replaceSubrange(range, with: [length] + new)
            found = true
        }
        try #require(found)
    }
}
