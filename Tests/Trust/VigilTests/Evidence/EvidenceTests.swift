import CodeMeasurement
import Cryptography
import Foundation
import HardwareKeys
import TestSupport
import Testing

@testable import Vigil

@Suite("Evidence for somebody far away")
struct EvidenceTests {
    private let app = TestKey()
    private let validator = TestKey()
    private let nonce = Bytes32.random()
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private var evidence: Evidence {
        Evidence(
            product: "org.example", epoch: 7, audience: Evidence.audience("gate"), verifierNonce: nonce,
            issuedAt: now, appKeyID: app.pinned.id, validatorKeyID: validator.pinned.id,
            appText2: .hash(of: [1]), validatorText2: .hash(of: [2]), measured: .all, transcript: .hash(of: [3]),
            appKeyKind: .tpm2, validatorKeyKind: .software)
    }

    private var verifier: EvidenceVerifier {
        EvidenceVerifier(
            audience: "gate", product: "org.example", appKeys: [app.pinned], validatorKeys: [validator.pinned],
            knownApps: [.hash(of: [1])], knownValidators: [.hash(of: [2])])
    }

    private var check: EvidenceCheck {
        EvidenceCheck(
            request: EvidenceRequest(verifierNonce: nonce, audience: Evidence.audience("gate")),
            validator: validator.pinned, ownText2: .hash(of: [1]), transcript: .hash(of: [3]))
    }

    private func refusal(_ body: () throws(EvidenceRefusal) -> Void) -> EvidenceRefusal? {
        do throws(EvidenceRefusal) { try body() } catch { return error }
        return nil
    }

    /// What both sides sign, whatever it says.
    private func message(_ evidence: Evidence, quote: EvidenceQuote? = nil) throws -> [UInt8] {
        let envelope = try Envelope(type: Evidence.payloadType, payload: evidence.payload)
            .signed(by: validator).signed(by: app)
        return EvidenceEnvelope(envelope, quote: quote).json
    }

    private func verdict(
        _ message: [UInt8], by verifier: EvidenceVerifier? = nil, later seconds: Double = 0
    ) -> EvidenceRefusal? {
        refusal { () throws(EvidenceRefusal) in
            _ = try (verifier ?? self.verifier).verify(
                message, nonce: nonce, now: now.addingTimeInterval(seconds))
        }
    }

    @Test("what the validator signs and the app signs as well is believed")
    func believed() throws {
        let response = try Sent<EvidenceResponse>(Received(evidence.signed(by: validator).bytes)).message
        let envelope = try check.envelope(for: response, signingWith: app)
        #expect(try verifier.verify(EvidenceEnvelope(envelope).json, nonce: nonce, now: now) == evidence)
        // And the general form of an envelope holds it as well.
        let both = try #require(TrustedKeys([app.pinned, validator.pinned], threshold: 2))
        #expect(try envelope.payload(ofType: Evidence.payloadType, by: both) == evidence.payload)
    }

    @Test("the app signs nothing that is not right about it")
    func appSide() throws {
        func refusal(_ change: (inout Evidence) -> Void, by key: TestKey? = nil) throws -> EvidenceRefusal? {
            var changed = evidence
            change(&changed)
            let response = try changed.signed(by: key ?? validator)
            return self.refusal { () throws(EvidenceRefusal) in
                _ = try check.envelope(for: response, signingWith: app)
            }
        }
        let other = Bytes32.random()
        #expect(try refusal { _ in } == nil)
        #expect(try refusal({ _ in }, by: app) == .signatureInvalid(.validator))
        #expect(try refusal { $0.verifierNonce = other } == .nonceMismatch)
        #expect(try refusal { $0.audience = other } == .audienceMismatch)
        #expect(try refusal { $0.appKeyID = other } == .unknownKey(.app, id: other))
        #expect(try refusal { $0.validatorKeyID = other } == .unknownKey(.validator, id: other))
        #expect(try refusal { $0.appText2 = other } == .unknownCode(.app, found: other))
        #expect(try refusal { $0.transcript = other } == .transcriptMismatch)
    }

    @Test("a verifier refuses for the reason that holds")
    func verifierSide() throws {
        func refusal(_ change: (inout Evidence) -> Void) throws -> EvidenceRefusal? {
            var changed = evidence
            change(&changed)
            return verdict(try message(changed))
        }
        let other = Bytes32.random()
        #expect(try refusal { _ in } == nil)
        #expect(try refusal { $0.verifierNonce = other } == .nonceMismatch)
        #expect(try refusal { $0.audience = Evidence.audience("other") } == .audienceMismatch)
        #expect(try refusal { $0.product = "other" } == .productMismatch(found: "other"))
        #expect(try refusal { $0.appText2 = other } == .unknownCode(.app, found: other))
        #expect(try refusal { $0.validatorText2 = other } == .unknownCode(.validator, found: other))
        #expect(try refusal { $0.appKeyID = other } == .unknownKey(.app, id: other))
        #expect(try refusal { $0.validatorKeyID = other } == .unknownKey(.validator, id: other))
        #expect(
            try refusal { $0.measured = [.selfReported, .files] } == .notMeasured(missing: [.mapShape, .codePages]))
    }

    @Test("both signatures are needed, each of its own role")
    func signatures() throws {
        let unsigned = Envelope(type: Evidence.payloadType, payload: evidence.payload)
        #expect(verdict(unsigned.json) == .signatureInvalid(.validator))
        #expect(verdict(try unsigned.signed(by: validator).json) == .signatureInvalid(.app))
        #expect(verdict(try unsigned.signed(by: app).signed(by: app).json) == .signatureInvalid(.validator))
        let stranger = try unsigned.signed(by: validator).signed(by: TestKey())
        #expect(verdict(stranger.json) == .signatureInvalid(.app))
        var both = evidence
        both.appKeyID = validator.pinned.id
        let one = EvidenceVerifier(
            audience: "gate", product: "org.example", appKeys: [validator.pinned], validatorKeys: [validator.pinned],
            knownApps: [.hash(of: [1])], knownValidators: [.hash(of: [2])])
        #expect(verdict(try message(both), by: one) == .unknownKey(.app, id: validator.pinned.id))
        let otherType = Envelope(type: Manifest.payloadType, payload: evidence.payload)
        #expect(verdict(otherType.json) == .wrongPayloadType(found: Manifest.payloadType))
    }

    @Test("evidence counts for a minute")
    func fresh() throws {
        let message = try message(evidence)
        #expect(verdict(message, later: 60) == nil)
        #expect(verdict(message, later: 61) == .notFresh(seconds: 61))
        #expect(verdict(message, later: -61) == .notFresh(seconds: -61))
    }

    @Test("a policy may ask for hardware keys, an epoch and a quote")
    func policies() throws {
        var verifier = verifier
        verifier.requiresHardwareKeys = true
        #expect(verdict(try message(evidence), by: verifier) == .softwareKey(.validator))
        verifier = self.verifier
        verifier.minimumEpoch = 8
        #expect(verdict(try message(evidence), by: verifier) == .epochRollback(found: 7, needed: 8))
        verifier = self.verifier
        verifier.requiresQuote = true
        #expect(verdict(try message(evidence), by: verifier) == .quote(.missing))
    }

    @Test("a quote is believed if it is of this evidence, these registers and a known key")
    func quotes() throws {
        let machine = SoftwareAttester()
        let registers = [0: [UInt8](repeating: 1, count: 32), 11: [UInt8](repeating: 2, count: 32)]
        let data = EvidenceQuote.qualifyingData(for: evidence.payload)
        let good = try machine.quote(of: registers, qualifyingData: data.bytes)
        var verifier = verifier
        verifier.attestationKeys = [machine.key.pinned.id]
        #expect(verdict(try message(evidence, quote: good), by: verifier) == nil)

        func refusal(_ quote: EvidenceQuote) throws -> EvidenceRefusal? {
            verdict(try message(evidence, quote: quote), by: verifier)
        }
        #expect(
            try refusal(machine.quote(of: registers, qualifyingData: Bytes32.random().bytes))
                == .quote(.qualifyingDataMismatch))
        var quote = good
        quote.registers[11] = [UInt8](repeating: 3, count: 32)
        #expect(try refusal(quote) == .quote(.registersMismatch))
        quote = good
        quote.registers[11] = nil
        #expect(try refusal(quote) == .quote(.registersMismatch))
        quote = good
        quote.attest[60] ^= 1
        #expect(try refusal(quote) == .quote(.signatureInvalid))
        quote = good
        quote.signature = try SoftwareAttester().quote(of: registers, qualifyingData: data.bytes).signature
        #expect(try refusal(quote) == .quote(.signatureInvalid))
        for keys in [[.random()], []] as [Set<Bytes32>] {
            verifier.attestationKeys = keys
            #expect(try refusal(good) == .quote(.unknownKey))
        }
    }

    @Test("registers that a verifier names have to be quoted, with the values that it names")
    func registers() throws {
        let machine = SoftwareAttester()
        let registers = [0: [UInt8](repeating: 1, count: 32), 11: [UInt8](repeating: 2, count: 32)]
        let data = EvidenceQuote.qualifyingData(for: evidence.payload).bytes
        var verifier = verifier
        verifier.attestationKeys = [machine.key.pinned.id]
        verifier.registers = [11: [UInt8](repeating: 2, count: 32)]
        let good = try message(evidence, quote: machine.quote(of: registers, qualifyingData: data))
        #expect(verdict(good, by: verifier) == nil)
        let none = try message(evidence, quote: machine.quote(of: [:], qualifyingData: data))
        #expect(verdict(none, by: verifier) == .quote(.registersMismatch))
        verifier.registers[0] = [UInt8](repeating: 3, count: 32)
        #expect(verdict(good, by: verifier) == .quote(.registersMismatch))
    }

    @Test("a quote that is cut off, too long or of a key that signs anything is malformed")
    func malformedQuotes() throws {
        let machine = SoftwareAttester()
        let good = try machine.quote(of: [0: [UInt8](repeating: 1, count: 32)], qualifyingData: [])
        for count in good.attest.indices {
            #expect(throws: HardwareKeyError.self) {
                try TPMQuote(
                    attest: Array(good.attest.prefix(count)), signature: good.signature, keyArea: good.keyArea)
            }
        }
        #expect(throws: HardwareKeyError.self) {
            try TPMQuote(attest: good.attest + [0], signature: good.signature, keyArea: good.keyArea)
        }
        // Without the bit "restricted" the key would sign what looks like a quote and is none.
        var unrestricted = good.keyArea
        unrestricted[5] &= ~0x01
        #expect(throws: HardwareKeyError.self) {
            try TPMQuote(attest: good.attest, signature: good.signature, keyArea: unrestricted)
        }
    }

    @Test("damaged evidence is never believed, and never a trap")
    func damaged() throws {
        var random = SplitMix64(state: 10)
        let machine = SoftwareAttester()
        let quote = try machine.quote(
            of: [0: [UInt8](repeating: 1, count: 32)],
            qualifyingData: EvidenceQuote.qualifyingData(for: evidence.payload).bytes)
        let message = try message(evidence, quote: quote)
        var verifier = verifier
        verifier.attestationKeys = [machine.key.pinned.id]
        #expect(verdict(message, by: verifier) == nil)
        let parts = try EvidenceEnvelope(parsing: message)
        for _ in 0..<2_000 {
            var copy = message
            copy[Int(random.next() % UInt64(copy.count))] = random.byte()
            guard verdict(copy, by: verifier) == nil else { continue }
            // Only what nobody reads may have changed: ids of keys, and space.
            let read = try EvidenceEnvelope(parsing: copy)
            #expect(read.envelope.unverified == parts.envelope.unverified)
        }
    }
}

/// Quotes as a TPM does, with a key of the test.
struct SoftwareAttester {
    let key = TestKey()

    func quote(of registers: [Int: [UInt8]], qualifyingData: [UInt8]) throws -> EvidenceQuote {
        let area =
            [0, 0x23, 0, 0x0b, 0, 5, 4, 0x72, 0, 0, 0, 0x10, 0, 0x18, 0, 0x0b, 0, 3, 0, 0x10]
            + sized(Array(key.publicKey[1...32])) + sized(Array(key.publicKey[33...]))
        var bitmap: [UInt8] = [0, 0, 0]
        for register in registers.keys { bitmap[register / 8] |= 1 << (register % 8) }
        let values = registers.sorted { $0.key < $1.key }.flatMap(\.value)
        let attest =
            [0xff, 0x54, 0x43, 0x47, 0x80, 0x18] + sized([0, 0x0b] + SHA256Hash.of(area)) + sized(qualifyingData)
            + [UInt8](repeating: 7, count: 25) + [0, 0, 0, 1, 0, 0x0b, 3] + bitmap
            + sized(SHA256Hash.of(values))
        let signature = try key.sign(attest)
        return EvidenceQuote(
            attest: attest,
            signature: [0, 0x18, 0, 0x0b] + sized(Array(signature[..<32])) + sized(Array(signature[32...])),
            keyArea: area, registers: registers)
    }

    private func sized(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }
}
