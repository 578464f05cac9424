import AppAttestTestKit
import TestSupport

@testable import AppAttest

/// One case of the table of minted attestations, made again by the test kit.
struct Rebuild: Sendable, CustomStringConvertible {
    typealias Make = @Sendable (inout AttestationRecipe, inout AppAttestPolicy, TestAuthority) throws -> Void

    /// As the table calls it.
    let description: String
    var keyID: String?
    /// What the verifier is told, in place of what was attested.
    var clientDataHash: [UInt8]?
    /// After the attestation was made.
    var seconds: Double = 2
    var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var make: Make = { _, _, _ in }

    init(_ id: String, _ make: @escaping Make = { _, _, _ in }) {
        description = id
        self.make = make
    }

    init(_ id: String, bytes: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        description = id
        self.bytes = bytes
    }

    init(_ id: String, keyID: String? = nil, clientDataHash: [UInt8]? = nil, seconds: Double = 2) {
        description = id
        self.keyID = keyID
        self.clientDataHash = clientDataHash
        self.seconds = seconds
    }

    /// The code with the step, or `ok`.
    func outcome() throws -> String {
        let authority = try AppAttestFixture.authority.get()
        var (recipe, policy) = (AppAttestFixture.recipe(), AppAttestFixture.policy)
        try make(&recipe, &policy, authority)
        let minted = try recipe.mint(by: authority)
        let verifier = try AppAttestFixture.verifier(policy)
        do throws(AppAttestError) {
            _ = try verifier.verify(
                attestation: bytes(minted.bytes), keyID: keyID ?? minted.keyID,
                clientDataHash: clientDataHash ?? recipe.clientDataHash, at: recipe.mintTime.addingTimeInterval(seconds)
            )
            return "ok -"
        } catch {
            return "\(error.code.rawValue) \(error.step)"
        }
    }
}

extension AttestationRecipe {
    /// Changes the statement, which holds certificates and receipt.
    mutating func editStatement(
        _ edit: @escaping @Sendable (inout [(key: MintedCBOR, value: MintedCBOR)]) -> Void
    ) {
        editObject = { object in
            guard case .map(var statement) = object[1].value else { return }
            edit(&statement)
            object[1].value = .map(statement)
        }
    }

    /// Takes authenticator data as it should be and changes it.
    mutating func editData(by authority: TestAuthority, _ edit: (inout [UInt8]) -> Void) throws {
        var data = Array(try AttestationObject(mint(by: authority).bytes).authenticatorData)
        edit(&data)
        authenticatorData.bytes = data
    }

    /// Adds the extensions of a device on iOS 27.
    mutating func runningApp(_ category: UInt32, _ version: String = "1", codeHash: [UInt8]? = nil, flags: UInt8? = nil)
    {
        authenticatorData.extensions = AuthenticatorDataRecipe.runningApp(
            category: ValidationCategory(rawValue: category), bundleVersion: version, codeHash: codeHash)
        authenticatorData.flags = flags
    }
}
