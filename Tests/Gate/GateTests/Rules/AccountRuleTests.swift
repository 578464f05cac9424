import AppAttest
import Crypto
import NIOHTTP1
import Testing
import TextForms

@testable import Gate

@Suite("Accounts")
struct AccountRuleTests {
    @Test("a tag is HMAC-SHA-256 over a name of its own kind, as anybody can compute it")
    func tag() throws {
        let names = try #require(AccountNames(secret: Array(0..<32)))
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("gate account\0alice".utf8), using: SymmetricKey(data: Array(0..<32 as Range<UInt8>)))
        let tag = try #require(names.tag(of: "alice"))
        #expect(tag.bytes == Array(code) && tag.hex == Hex.encode(Array(code)))
        #expect(AccountTag(hex: tag.hex) == tag && tag.shortName == "acc:\(tag.hex.prefix(12))")
        #expect(names.tag(of: "Alice") != tag && AccountNames(secret: Array(1...32))?.tag(of: "alice") != tag)
        for wrong in ["", " a", "a ", "a\n", "a\u{7f}", "\u{0}", String(repeating: "a", count: 257)] {
            #expect(names.tag(of: wrong) == nil)
        }
        #expect(names.tag(of: "a b ü") != nil && names.tag(of: String(repeating: "a", count: 256)) != nil)
        for wrong in ["", "ab", tag.hex.uppercased(), tag.hex + "0", String(tag.hex.dropLast()) + "g"] {
            #expect(AccountTag(hex: wrong) == nil)
        }
        #expect(AccountNames(secret: Array(0..<31)) == nil && AccountNames(secret: []) == nil)
    }

    @Test("while the store fails nobody gets in whose account cannot be checked")
    func storeFails() async throws {
        let site = try Site(
            ["ACCOUNT_BINDING": "on", "ACCOUNT_SECRET_PATH": "/x"],
            accounts: AccountNames(secret: Array(0..<32)))
        let device = try await site.registered(1)
        let reply = try await site.connect(device, counter: 1)
        let identity = try #require(reply.admission?.identity)
        await site.keys.fail(with: .unavailable("gone"))
        let visitor = Visitor(
            peer: Site.address, headers: HTTPHeaders(), requestID: site.gate.requestID(),
            by: site.configuration.addresses)
        let named = HTTPHeaders([("X-Gate-Account", "alice")])
        let refusal = await site.gate.bindAccount(of: identity, answer: named, to: visitor)
        #expect(refusal?.code == .storeUnavailable)
        await site.keys.fail(with: nil)
        #expect(await site.gate.bindAccount(of: identity, answer: named, to: visitor) == nil)
        #expect(await site.keys.records[device.keyID]?.accounts.count == 1)
        _ = await site.keys.delete(device.keyID)
        #expect(
            await site.gate.bindAccount(of: identity, answer: named, to: visitor)?.code == .unknownKey)
    }

    @Test("a key of a banned account is revoked, and has lost what a proven key has, whichever came first")
    func banned() async throws {
        let site = try Site(
            ["ACCOUNT_BINDING": "on", "ACCOUNT_SECRET_PATH": "/x", "CHALLENGE_RATE": "off"],
            accounts: AccountNames(secret: Array(0..<32)))
        let visitor = Visitor(
            peer: Site.address, headers: HTTPHeaders(), requestID: site.gate.requestID(),
            by: site.configuration.addresses)
        let named = HTTPHeaders([("X-Gate-Account", "mallory")])
        let (early, late) = (try await site.registered(1), try await site.registered(2))
        func identity(_ device: FormDevice) async throws -> Identity {
            try #require(try await site.connect(device, counter: 1).admission?.identity)
        }
        #expect(await site.gate.bindAccount(of: try await identity(early), answer: named, to: visitor) == nil)
        #expect(site.gate.isProven(early.keyID))
        #expect(try await site.gate.banAccount("mallory", reason: "fraud") == [early.keyID])
        #expect(!site.gate.isProven(early.keyID))
        // Who is already banned, and comes with another key.
        let newcomer = try await identity(late)
        #expect(site.gate.isProven(late.keyID))
        #expect(await site.gate.bindAccount(of: newcomer, answer: named, to: visitor)?.code == .accountBanned)
        #expect(!site.gate.isProven(late.keyID))
        #expect(await site.keys.records[late.keyID]?.revocation?.reason == "banned account")
        #expect(try await site.connect(late, counter: 2).code == "key_revoked")
    }

    @Test("accounts need a secret and a service that can name one, and are off unless somebody says so")
    func configuration() throws {
        func problems(_ changes: [String: String]) -> [String] {
            do {
                _ = try GateConfiguration(SettingSources(environment: Site.environment.merging(changes) { $1 }))
                return []
            } catch {
                return error.problems.map(\.place)
            }
        }
        #expect(problems(["ACCOUNT_BINDING": "on"]) == ["ACCOUNT_SECRET_PATH"])
        #expect(problems(["ACCOUNT_BINDING": "perhaps"]) == ["ACCOUNT_BINDING"])
        let path = ["ACCOUNT_BINDING": "require", "ACCOUNT_SECRET_PATH": "/x"]
        #expect(problems(path).isEmpty)
        #expect(problems(path.merging(["UPSTREAM_URL": "tcp://127.0.0.1:9"]) { $1 }) == ["ACCOUNT_BINDING"])
        let forwarding = path.merging(["FORWARD_AUTH_PATH": "/attest/verify"]) { $1 }
        let warned = try GateConfiguration(
            SettingSources(environment: Site.environment.merging(forwarding) { $1 }))
        #expect(warned.warnings.map(\.place) == ["FORWARD_AUTH_PATH"])
        let plain = try GateConfiguration(SettingSources(environment: Site.environment))
        #expect(plain.accountSecretPath == nil && plain.decisionRules.accounts == .off)
        #expect(plain.effective.contains { $0.name == "ACCOUNT_BINDING" && $0.value == "off" })
    }
}
