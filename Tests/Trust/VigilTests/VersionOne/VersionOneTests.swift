import CodeMeasurement
import Foundation
import HardwareKeys
import TestSupport
import Testing

@testable import Vigil

@Suite("Version 1 of the protocol")
struct VersionOneTests {
    private let app = TestKey()
    private let validator = TestKey()
    private let hash = Bytes32.hash(of: [1])
    private let nonce = Bytes32.random()

    private func request() throws -> VersionOne.Validation {
        try VersionOne.Validation(hash: hash, nonce: nonce, by: app)
    }

    private func verdict(_ isValid: Bool = true, nonce: Bytes32? = nil) throws -> VersionOne.Verdict {
        let request = try VersionOne.Validation(hash: hash, nonce: nonce ?? self.nonce, by: app)
        return try VersionOne.Verdict(isValid: isValid, validatorHash: hash, to: request, by: validator)
    }

    private func reason(_ body: () throws(Refusal) -> Void) -> Reason? {
        do throws(Refusal) { try body() } catch { return error.reason }
        return nil
    }

    private func check(
        _ verdict: VersionOne.Verdict, pin: Pin? = nil, expected: Bytes32? = nil,
        policy: VersionOne.NoncePolicy = .requireEcho
    ) -> Reason? {
        var seen = VersionOne.SeenNonces()
        return reason { () throws(Refusal) in
            _ = try verdict.check(
                answering: nonce, pin: pin ?? .active(validator.pinned, .tpm2), expectedHash: expected ?? hash,
                policy: policy, seen: &seen)
        }
    }

    @Test("messages are read as they were written")
    func roundTrip() throws {
        let requests: [VersionOne.Request] = [.validate(try request()), .exchangeKey(app.pinned), .ping]
        for request in requests { #expect(try VersionOne.Request(parsing: request.json) == request) }
        let responses: [VersionOne.Response] = [
            .verdict(try verdict()), .verdict(try verdict(false)), .refused, .key(validator.pinned), .alive,
        ]
        for response in responses { #expect(try VersionOne.Response(parsing: response.json) == response) }
    }

    @Test("the hash may stand under the name of the filter, but not under both with different values")
    func synonym() throws {
        let json = VersionOne.Response.verdict(try verdict()).json
        let renamed = json.replacing("validatorHash", with: "filterHash")
        #expect(try VersionOne.Response(parsing: renamed) == .verdict(try verdict().with(signatureOf: renamed)))
        let value = Data(hash.bytes).base64EncodedString()
        let zero = Data(Bytes32.zero.bytes).base64EncodedString()
        let same = json.replacing("{", with: "{\"filterHash\":\"\(value)\",")
        #expect(throws: Never.self) { try VersionOne.Response(parsing: same) }
        let different = json.replacing("{", with: "{\"filterHash\":\"\(zero)\",")
        #expect(throws: Refusal.self) { try VersionOne.Response(parsing: different) }
    }

    @Test("a hash or nonce of another length, a strange key or a huge signature is malformed")
    func strict() throws {
        let json = VersionOne.Request.validate(try request()).json
        let short = Data(hash.bytes.dropLast()).base64EncodedString()
        let long = Data(nonce.bytes + [0]).base64EncodedString()
        let key = Data(app.pinned.spki).base64EncodedString()
        let wrong: [[UInt8]] = [
            json.replacing(Data(hash.bytes).base64EncodedString(), with: short),
            json.replacing(Data(nonce.bytes).base64EncodedString(), with: long),
            json.replacing(key, with: Data(app.publicKey.dropLast()).base64EncodedString()),
            json.replacing(key, with: Data([2] + app.publicKey.dropFirst()).base64EncodedString()),
            json.replacing("\"signature\":\"", with: "\"signature\":\"" + String(repeating: "AAAA", count: 30)),
            json.replacing("validate", with: "Validate"), json.replacing("\"nonce\"", with: "\"once\""),
            [UInt8]("{}"), [UInt8]("[]"), [], json + [UInt8](repeating: 0x20, count: 65_536),
            [UInt8](#"{"action":"ping","action":"ping"}"#),
        ]
        for message in wrong {
            #expect(message != json)
            #expect(reason { () throws(Refusal) in _ = try VersionOne.Request(parsing: message) } == .malformed)
        }
        for message in [#"{"valid":1}"#, #"{"valid":true}"#, #"{"valid":false,"nonce":""}"#, #"{"alive":false}"#, "{}"]
        {
            #expect(
                reason { () throws(Refusal) in _ = try VersionOne.Response(parsing: [UInt8](message)) } == .malformed)
        }
    }

    @Test("a key in X9.63 is read like one in DER, and a timestamp is not looked at")
    func lenient() throws {
        let json = VersionOne.Request.validate(try request()).json
        let key = Data(app.pinned.spki).base64EncodedString()
        let message = json.replacing(key, with: Data(app.publicKey).base64EncodedString())
            .replacing("{", with: "{\"timestamp\":\"whenever\",")
        guard case .validate(let read) = try VersionOne.Request(parsing: message) else {
            Issue.record("read as another request")
            return
        }
        #expect(read.publicKey == app.pinned)
    }

    @Test("a validator refuses for the reason that holds")
    func validatorSide() throws {
        let pin = Pin.active(app.pinned, .software)
        let request = try request()
        func refusal(_ request: VersionOne.Validation, _ pin: Pin, _ expected: Bytes32) -> Reason? {
            reason { () throws(Refusal) in try request.check(pin: pin, expectedHash: expected) }
        }
        #expect(refusal(request, pin, hash) == nil)
        #expect(refusal(request, .none, hash) == .notProvisioned)
        #expect(refusal(request, .revoked, hash) == .revoked)
        #expect(refusal(request, .active(validator.pinned, .software), hash) == .publicKeyMismatch)
        #expect(refusal(request, pin, .zero) == .hashMismatch)
        let moved = VersionOne.Validation(
            hash: hash, nonce: .random(), publicKey: request.publicKey, signature: request.signature)
        #expect(refusal(moved, pin, hash) == .signatureInvalid)
    }

    @Test("a client accepts the answer to its own request alone")
    func echo() throws {
        #expect(check(try verdict()) == nil)
        #expect(check(try verdict(nonce: .random())) == .nonceMismatch)
        #expect(check(try verdict(), pin: Pin.none) == .notProvisioned)
        #expect(check(try verdict(), pin: .active(app.pinned, .software)) == .publicKeyMismatch)
        #expect(check(try verdict(), expected: .zero) == .hashMismatch)
        let good = try verdict(false)
        let flipped = VersionOne.Verdict(
            isValid: true, validatorHash: good.validatorHash, nonce: good.nonce, publicKey: good.publicKey,
            signature: good.signature)
        #expect(check(flipped) == .signatureInvalid)
    }

    @Test("a negative verdict is known to be the validator's")
    func negative() throws {
        var seen = VersionOne.SeenNonces()
        let isValid = try verdict(false).check(
            answering: nonce, pin: .active(validator.pinned, .tpm2), expectedHash: hash, policy: .requireEcho,
            seen: &seen)
        #expect(!isValid)
    }

    @Test("with nonces of the validator's own, a verdict counts once, for the last 4096 of a key")
    func independent() throws {
        var seen = VersionOne.SeenNonces()
        let first = try verdict(nonce: .hash(of: [0]))
        func accept(_ verdict: VersionOne.Verdict) -> Reason? {
            reason { () throws(Refusal) in
                _ = try verdict.check(
                    answering: nonce, pin: .active(validator.pinned, .software), expectedHash: hash,
                    policy: .allowIndependent, seen: &seen)
            }
        }
        func insert(_ nonce: Bytes32, of key: PublicKey? = nil, isNew: Bool) {
            let inserted = seen.insert(nonce, of: key ?? validator.pinned)
            #expect(inserted == isNew)
        }
        #expect(accept(first) == nil)
        #expect(accept(first) == .nonceMismatch)
        for number in 1..<4096 { insert(.hash(of: [1, UInt8(number >> 8), UInt8(number & 255)]), isNew: true) }
        #expect(accept(first) == .nonceMismatch)
        insert(.zero, isNew: true)
        // The oldest is forgotten, and no other.
        #expect(accept(first) == nil)
        insert(.hash(of: [1, 0, 2]), isNew: false)
        insert(.hash(of: [1, 0, 2]), of: app.pinned, isNew: true)
        #expect(VersionOne.NoncePolicy.allowIndependent.warning != nil)
        #expect(VersionOne.NoncePolicy.requireEcho.warning == nil)
    }

    @Test("a verdict of a stranger does not use up a nonce")
    func strangers() throws {
        var seen = VersionOne.SeenNonces()
        let stranger = try VersionOne.Verdict(isValid: true, validatorHash: hash, to: request(), by: app)
        let forged = VersionOne.Verdict(
            isValid: true, validatorHash: hash, nonce: nonce, publicKey: validator.pinned, signature: stranger.signature
        )
        let genuine = try verdict()
        for (verdict, expected) in [(forged, Reason.signatureInvalid), (genuine, nil)] {
            #expect(
                reason { () throws(Refusal) in
                    _ = try verdict.check(
                        answering: nonce, pin: .active(validator.pinned, .software), expectedHash: hash,
                        policy: .allowIndependent, seen: &seen)
                } == expected)
        }
    }

    @Test("damaged messages are read or refused, and never a trap")
    func damaged() throws {
        var random = SplitMix64(state: 9)
        let messages = [
            VersionOne.Request.validate(try request()).json, VersionOne.Response.verdict(try verdict()).json,
        ]
        for _ in 0..<10_000 {
            var copy = messages[Int(random.next() % 2)]
            for _ in 0...(random.next() % 3) { copy[Int(random.next() % UInt64(copy.count))] = random.byte() }
            _ = try? VersionOne.Request(parsing: copy)
            _ = try? VersionOne.Response(parsing: copy)
        }
    }

    @Test("the design's property list of hashes is read, and nothing else")
    func propertyList() throws {
        func list(_ hash: String) throws -> [UInt8] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .xml
            return Array(try encoder.encode(["app_text_hash": hash]))
        }
        let hashes = try ExpectedHashes(parsing: list("\(hash)"))
        #expect(hashes.app == hash && hashes.validator == nil)
        #expect(throws: VigilError.self) { try ExpectedHashes(parsing: list("\(hash)".uppercased())) }
        #expect(throws: VigilError.self) { try ExpectedHashes(parsing: [UInt8]("{}")) }
    }
}

extension VersionOne.Verdict {
    /// Signatures are random: that of the message.
    fileprivate func with(signatureOf json: [UInt8]) throws -> VersionOne.Verdict {
        guard case .verdict(let read) = try VersionOne.Response(parsing: json) else { return self }
        return VersionOne.Verdict(
            isValid: isValid, validatorHash: validatorHash, nonce: nonce, publicKey: publicKey,
            signature: read.signature)
    }
}
