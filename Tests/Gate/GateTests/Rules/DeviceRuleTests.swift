import AppAttest
import Crypto
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing
import TextForms

@testable import Gate

/// Plays Apple: keeps two bits for each device, which is what a token begins with, and takes each token for one query
/// and one update.
private final class PaperApple: DeviceBitsService {
    struct State: Sendable {
        var bits: [UInt8: DeviceBits] = [:]
        var answer: DeviceCheck.Answer?
        var isGone = false
        var questions = 0
    }

    let state = Mutex(State())

    func exchange(
        _ token: [UInt8], _ environment: AppAttestEnvironment, setting bits: DeviceBits?, now: Timestamp
    ) async throws(ReceiptServiceFailure) -> DeviceCheck.Answer {
        let (isGone, answer) = state.withLock { state -> (Bool, DeviceCheck.Answer) in
            state.questions += 1
            if let answer = state.answer { return (state.isGone, answer) }
            if let bits { state.bits[token[0]] = bits }
            return (state.isGone, bits == nil ? .bits(state.bits[token[0]] ?? DeviceBits()) : .updated)
        }
        if isGone { throw ReceiptServiceFailure("nobody is there") }
        return answer
    }
}

@Suite("Banned devices")
struct DeviceRuleTests {
    private let apple = PaperApple()
    private static let key = ["RISK_KEY_PATH": "/key.p8", "RISK_KEY_ID": "KEY1234567"]

    private func site(_ policy: String = "require", _ changes: [String: String] = [:]) throws -> Site {
        let own = Self.key.merging(["DEVICECHECK": policy, "REGISTER_RATE": "off"]) { $1 }
        return try Site(own.merging(changes) { $1 }, devices: apple)
    }

    /// The first byte of a token is the device.
    private static func token(_ device: UInt8, _ use: UInt8) -> [UInt8] { [device, use] + Array(0..<100) }

    // MARK: The form

    @Test("a question is what Apple's documentation has it be, and answers are read as it has them")
    func form() throws {
        let body = DeviceCheck.body(
            of: Array("wlkCDA2Hy/CfrMqVAShs1BAR".utf8), transaction: [0x5b, 0x73], now: 1_487_716_472_000)
        let query = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        #expect(Set(query.keys) == ["device_token", "transaction_id", "timestamp"])
        #expect(query["device_token"] as? String == "d2xrQ0RBMkh5L0Nmck1xVkFTaHMxQkFS")
        #expect(query["timestamp"] as? Int == 1_487_716_472_000)
        let update = DeviceCheck.body(of: [1], transaction: [0xab], now: 1, bits: DeviceBits(bit0: true))
        #expect(update == #"{"device_token":"AQ==","transaction_id":"ab","timestamp":1,"bit0":true,"bit1":false}"#)
        #expect(DeviceCheck.host(of: .production) == "api.devicecheck.apple.com")
        #expect(DeviceCheck.host(of: .development) == "api.development.devicecheck.apple.com")
        func answer(_ status: Int, _ body: String, isUpdate: Bool = false) -> DeviceCheck.Answer {
            DeviceCheck.answer(status: status, body: Array(body.utf8), isUpdate: isUpdate)
        }
        #expect(
            answer(200, #"{"bit0":false,"bit1":true,"last_update_time":"2026-02"}"#) == .bits(DeviceBits(bit1: true)))
        #expect(answer(200, "Failed to find bit state") == .bits(DeviceBits()))
        #expect(answer(200, "Bit State Not Found\n") == .bits(DeviceBits()))
        for wrong in ["", "{}", #"{"bit0":1,"bit1":0}"#, #"{"bit0":true}"#, "ok", String(repeating: " ", count: 5_000)]
        {
            #expect(answer(200, wrong) == .unexpected(status: 200), "\(wrong)")
        }
        #expect(answer(200, "", isUpdate: true) == .updated)
        for (status, expected) in [
            (400, DeviceCheck.Answer.rejected), (401, .unauthorized), (429, .slowDown), (500, .unavailable),
            (503, .unavailable), (204, .unexpected(status: 204)), (302, .unexpected(status: 302)),
        ] {
            #expect(answer(status, "") == expected && answer(status, "", isUpdate: true) == expected)
        }
    }

    @Test("an answer of any bytes is bits or none, and never anything else")
    func anyAnswer() {
        var random = SplitMix64(state: 3)
        let good = Array(#"{"bit0":true,"bit1":true,"last_update_time":"2026-02"}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.byte()
            }
            if Bool.random(using: &random) { bytes = Array(bytes.prefix(Int.random(in: 0...60, using: &random))) }
            switch DeviceCheck.answer(status: 200, body: bytes, isUpdate: false) {
            case .bits(let bits): #expect(bits.bit0 && bits.bit1, "\(bytes)")
            case let other: #expect(other == .unexpected(status: 200))
            }
        }
    }

    @Test("attestation and assertion cover the token: another device's cannot be sent with one's own")
    func covered() async throws {
        let token = Self.token(1, 0)
        #expect(
            Nonce.clientDataHash([1, 2], deviceToken: token)
                == Array(SHA256.hash(data: [1, 2] + Array(SHA256.hash(data: token)))))
        let site = try site()
        let swapped = try await site.register(FormDevice(1), token: Self.token(2, 0), hashing: token)
        #expect(swapped.code == "attestation_rejected" && swapped.reason == "nonce_mismatch")
        let hidden = try await site.register(FormDevice(1), token: nil, hashing: token)
        #expect(hidden.code == "attestation_rejected")
        let added = try await site.register(FormDevice(1), token: token, hashing: nil)
        #expect(added.code == "attestation_rejected")
        #expect(apple.state.withLock(\.questions) == 0, "who has no attestation makes the gate ask nothing")
        #expect(try await site.register(FormDevice(1), token: token, hashing: token).status == 200)
        let forged = try await site.connect(FormDevice(1), counter: 1, token: Self.token(2, 1), hashing: token)
        #expect(forged.reason == "signature_invalid")
        #expect(try await site.connect(FormDevice(1), counter: 1, token: token, hashing: token).status == 101)
    }

    // MARK: Registration

    @Test("a banned device gets no key, whichever bit is the ban", arguments: ["0", "1"])
    func banned(_ bit: String) async throws {
        let site = try site("require", ["DEVICECHECK_BIT": bit])
        apple.state.withLock {
            $0.bits = [
                1: DeviceBits(bit0: bit == "0", bit1: bit == "1"), 2: DeviceBits(bit0: bit == "1", bit1: bit == "0"),
            ]
        }
        let reply = try await site.register(FormDevice(1), token: Self.token(1, 0))
        #expect(reply.status == 403 && reply.code == "device_banned")
        #expect(await site.keys.records.isEmpty)
        #expect(try await site.register(FormDevice(2), token: Self.token(2, 0)).status == 200)
        #expect(try await site.register(FormDevice(3), token: Self.token(3, 0)).status == 200)
        #expect(site.gate.metrics.deviceChecks.value(.banned) == 1 && site.gate.metrics.deviceChecks.value(.clean) == 2)
        #expect(site.events.events.contains { $0.name == .deviceBanned && $0.key == KeyName(FormDevice(1).keyID) })
    }

    @Test(
        "who cannot be asked about is refused where it is required, and let in where it is watched",
        arguments: [
            (DeviceCheck.Answer?.none, "device_token_required", 403), (.rejected, "device_token_rejected", 403),
            (.unauthorized, "device_check_unavailable", 503), (.slowDown, "device_check_unavailable", 503),
            (.unavailable, "device_check_unavailable", 503), (.updated, "", 200),
            (.unexpected(status: 302), "device_check_unavailable", 503),
        ])
    func policies(_ answer: DeviceCheck.Answer?, _ code: String, _ status: Int) async throws {
        apple.state.withLock { $0.answer = answer }
        let token = answer == nil ? nil : Self.token(1, 0)
        if answer != .updated {
            let site = try site()
            let reply = try await site.register(FormDevice(1), token: token)
            #expect(reply.code == code && reply.status == status)
            #expect(reply.headers.contains(name: "Retry-After") == (status == 503))
            #expect(await site.keys.records.isEmpty)
        }
        for policy in ["observe", "off"] {
            let site = try site(policy)
            #expect(try await site.register(FormDevice(1), token: token).status == 200)
        }
    }

    @Test("an Apple that does not answer, and a banned device, keep nobody out where they are only watched")
    func observing() async throws {
        let site = try site("observe")
        apple.state.withLock { $0.bits = [1: DeviceBits(bit0: true)] }
        #expect(try await site.register(FormDevice(1), token: Self.token(1, 0)).status == 200)
        #expect(site.gate.metrics.deviceChecks.value(.banned) == 1)
        apple.state.withLock { $0.isGone = true }
        #expect(try await site.register(FormDevice(2), token: Self.token(2, 0)).status == 200)
        #expect(site.gate.metrics.deviceChecks.value(.unreachable) == 1)
        let strict = try self.site()
        #expect(try await strict.register(FormDevice(3), token: Self.token(3, 0)).code == "device_check_unavailable")
        // No event names a token.
        let text = Base64.encode(Self.token(2, 0))
        #expect(!(site.events.events + strict.events.events).contains { $0.jsonLine(at: 0).contains(text) })
    }

    @Test("a token that is none is refused by its name", arguments: ["7", #""""#, #""!""#, "null"])
    func badTokens(_ value: String) async throws {
        let key = Base64.encode(FormDevice(1).keyID.bytes)
        let body =
            #"{"keyId":"\#(key)","attestation":"AA==","clientData":"\#(String(repeating: "0", count: 64))","deviceToken":\#(value)}"#
        let reply = try await site().send(
            "POST", "/attest/register", [("Content-Type", "application/json")], body: Array(body.utf8))
        #expect(reply.code == "malformed_field" && reply.member("field") == "deviceToken")
        for header in ["", "!", Base64.encode(Array(repeating: 0, count: 4_097))] {
            let assertion = Site.assertion(FormDevice(1), String(repeating: "0", count: 64), counter: 1)
            let reply = try await site().send(
                "GET", "/", Site.handshake + assertion + [("X-App-Assert-DeviceToken", header)])
            #expect(reply.code == "malformed_header" && reply.member("field") == "X-App-Assert-DeviceToken")
        }
        let two = ["AQ==", "Ag=="].map { ("X-App-Assert-DeviceToken", $0) }
        let assertion = Site.assertion(FormDevice(1), String(repeating: "0", count: 64), counter: 1)
        let doubled = try await site().send("GET", "/", Site.handshake + assertion + two)
        #expect(doubled.code == "malformed_header" && doubled.member("field") == "X-App-Assert-DeviceToken")
    }

    // MARK: Bans

    @Test(
        "a ban outlives the key: the bit is set when the device comes with the banned key, and its next key is refused")
    func wholeStory() async throws {
        let site = try site()
        var task = DeviceBanTask(site.gate)
        apple.state.withLock { $0.bits = [1: DeviceBits(bit1: true)] }
        #expect(try await site.register(FormDevice(1), token: Self.token(1, 0)).status == 200)
        // A day later no token is left.
        site.clock.advance(milliseconds: 86_400_000)
        #expect(try await site.keys.ban(FormDevice(1).keyID, Revocation(at: 1, reason: "operator")))
        site.gate.wantDeviceBans([FormDevice(1).keyID])
        _ = await task.step()
        #expect(apple.state.withLock { $0.bits[1] } == DeviceBits(bit1: true))
        #expect(await site.keys.records[FormDevice(1).keyID]?.deviceBan == .pending)

        #expect(try await site.connect(FormDevice(1), counter: 1, token: Self.token(1, 1)).code == "key_revoked")
        _ = await task.step()
        #expect(apple.state.withLock { $0.bits[1] } == DeviceBits(bit0: true, bit1: true), "the team's own bit stays")
        #expect(await site.keys.records[FormDevice(1).keyID]?.deviceBan == .set)
        #expect(site.gate.metrics.deviceBans.value(.set) == 1)
        #expect(site.events.events.contains { $0.name == .deviceBanSet })
        #expect(try await site.register(FormDevice(9), token: Self.token(1, 2)).code == "device_banned")
        #expect(try await site.register(FormDevice(2), token: Self.token(2, 0)).status == 200)
        // Asked again, it asks Apple nothing.
        let questions = apple.state.withLock(\.questions)
        _ = try await site.connect(FormDevice(1), counter: 2, token: Self.token(1, 3))
        _ = await task.step()
        #expect(apple.state.withLock(\.questions) == questions)
    }

    @Test("a device whose bit is set already is asked about, and not set again")
    func setBefore() async throws {
        let site = try site("observe")
        var task = DeviceBanTask(site.gate)
        let device = try await site.registered(1)
        #expect(try await site.connect(device, counter: 1, token: Self.token(1, 0)).status == 101)
        apple.state.withLock { $0.bits = [1: DeviceBits(bit0: true, bit1: true)] }
        _ = try await site.keys.ban(device.keyID, Revocation(at: 1, reason: ""))
        site.gate.wantDeviceBans([device.keyID])
        _ = await task.step()
        #expect(apple.state.withLock(\.questions) == 1)
        #expect(await site.keys.records[device.keyID]?.deviceBan == .set)
    }

    @Test("only so many devices are asked about at once; who comes then is told to come again, and Apple nothing")
    func manyAtOnce() async throws {
        let site = try site()
        site.gate.openDeviceChecks.store(AccessControl.maximumDeviceChecks - 1, ordering: .relaxed)
        #expect(try await site.register(FormDevice(1), token: Self.token(1, 0)).status == 200)
        site.gate.openDeviceChecks.store(AccessControl.maximumDeviceChecks, ordering: .relaxed)
        #expect(try await site.register(FormDevice(2), token: Self.token(2, 0)).code == "overloaded")
        #expect(await site.keys.records[FormDevice(2).keyID] == nil)
        #expect(apple.state.withLock(\.questions) == 1 && site.gate.metrics.deviceChecks.value(.busy) == 1)
        #expect(site.gate.openDeviceChecks.load(ordering: .relaxed) == AccessControl.maximumDeviceChecks)
    }

    @Test("a device that is connected is banned with the token that it came with")
    func connected() async throws {
        let site = try site("observe")
        var task = DeviceBanTask(site.gate)
        let device = try await site.registered(1)
        let reply = try await site.connect(device, counter: 1, token: Self.token(1, 0))
        #expect(reply.status == 101)
        // One that was only revoked keeps its device.
        _ = try await site.keys.revoke(device.keyID, Revocation(at: 1, reason: ""))
        site.gate.wantDeviceBans([device.keyID])
        _ = await task.step()
        #expect(apple.state.withLock(\.questions) == 0)
        _ = try await site.keys.ban(device.keyID, Revocation(at: 1, reason: ""))
        site.gate.wantDeviceBans([device.keyID, FormDevice(7).keyID])
        _ = await task.step()
        #expect(apple.state.withLock { $0.bits[1] } == DeviceBits(bit0: true))
        #expect(await site.keys.records[device.keyID]?.deviceBan == .set)
    }

    @Test("what Apple does not take now is tried again, more and more slowly; a token that it refuses is not")
    func failures() async throws {
        let site = try site()
        var task = DeviceBanTask(site.gate)
        let device = try await site.registered(1)
        _ = try await site.keys.ban(device.keyID, Revocation(at: 1, reason: ""))
        _ = try await site.connect(device, counter: 1, token: Self.token(1, 0))
        apple.state.withLock { $0.answer = .unavailable }
        var pauses: [Duration] = []
        for _ in 0..<4 { pauses.append(await task.step()) }
        #expect(pauses == pauses.sorted() && pauses[3] >= .seconds(16))
        #expect(await site.keys.records[device.keyID]?.deviceBan == .pending)
        apple.state.withLock { $0.answer = .rejected }
        _ = await task.step()
        let questions = apple.state.withLock(\.questions)
        apple.state.withLock { $0.answer = nil }
        for _ in 0..<3 { _ = await task.step() }
        #expect(apple.state.withLock(\.questions) == questions, "the token is gone")
        // Also where the ban is asked for once more.
        site.gate.wantDeviceBans([device.keyID])
        _ = await task.step()
        #expect(apple.state.withLock(\.questions) == questions)
        _ = try await site.connect(device, counter: 2, token: Self.token(1, 1))
        await site.keys.fail(with: .unavailable("gone"))
        _ = await task.step()
        await site.keys.fail(with: nil)
        _ = await task.step()
        #expect(await site.keys.records[device.keyID]?.deviceBan == .set)
    }

    @Test("tokens are kept for so many keys and so long, and never for a device that nobody asks about")
    func bounds() async throws {
        var tokens = DeviceTokens()
        func key(_ number: Int) -> KeyID {
            let low = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            return KeyID(bytes: low + [UInt8](repeating: 7, count: 30)) ?? .zero
        }
        for number in 0..<1_500 { tokens.keep([1], of: key(number), at: 0) }
        let kept = (0..<1_500).filter { tokens.token(of: key($0), at: 0) != nil }
        #expect(kept == Array(476..<1_500))
        #expect(tokens.token(of: key(1_499), at: .uptimeNanoseconds(0) + DeviceTokens.lifetime) == nil)
        for number in 0..<1_500 { tokens.want(key(number), at: 0) }
        var wanted = 0
        while tokens.next() != nil { wanted += 1 }
        #expect(wanted == 1_024)
        let off = try site("off")
        let device = try await off.registered(1)
        #expect(try await off.connect(device, counter: 1, token: Self.token(1, 0)).status == 101)
        #expect(
            off.gate.deviceTokens.withLock { $0.token(of: device.keyID, at: off.clock.uptime) } == nil)
    }

    @Test("devices are asked about in the name of one team, with its key")
    func configuration() throws {
        func problems(_ changes: [String: String]) -> [String] {
            do {
                _ = try GateConfiguration(SettingSources(environment: Site.environment.merging(changes) { $1 }))
                return []
            } catch {
                return error.problems.map(\.place)
            }
        }
        #expect(problems(["DEVICECHECK": "require"]) == ["RISK_KEY_PATH", "RISK_KEY_ID"])
        #expect(problems(["DEVICECHECK": "yes"]) == ["DEVICECHECK"])
        #expect(problems(["DEVICECHECK_BIT": "2"]) == ["DEVICECHECK_BIT"])
        let good = Self.key.merging(["DEVICECHECK": "observe"]) { $1 }
        #expect(problems(good).isEmpty)
        #expect(
            problems(good.merging(["APPATTEST_APP_IDS": "OTHERTEAM1.com.example.gate"]) { $1 }) == ["APPATTEST_APP_IDS"]
        )
    }
}

extension Site {
    fileprivate func register(_ device: FormDevice, token: [UInt8]?) async throws -> Reply {
        try await register(device, token: token, hashing: token)
    }

    /// - Parameter hashing: the token that the attestation covers.
    fileprivate func register(_ device: FormDevice, token: [UInt8]?, hashing covered: [UInt8]?) async throws -> Reply {
        let nonce = try await nonce()
        let hash = Nonce.clientDataHash(try #require(Hex.decode(nonce)), deviceToken: covered)
        let member = token.map { #","deviceToken":"\#(Base64.encode($0))""# } ?? ""
        let body = """
            {"keyId":"\(Base64.encode(device.keyID.bytes))","attestation":"\(Base64.encode(device.attestation(over: hash)))",\
            "clientData":"\(nonce)"\(member)}
            """
        return await send("POST", "/attest/register", [("Content-Type", "application/json")], body: Array(body.utf8))
    }

    fileprivate func connect(_ device: FormDevice, counter: UInt32, token: [UInt8]) async throws -> Reply {
        try await connect(device, counter: counter, token: token, hashing: token)
    }

    fileprivate func connect(
        _ device: FormDevice, counter: UInt32, token: [UInt8], hashing covered: [UInt8]
    ) async throws -> Reply {
        let nonce = try await nonce()
        let hash = Nonce.clientDataHash(try #require(Hex.decode(nonce)), deviceToken: covered)
        return await send(
            "GET", "/",
            Self.handshake + [
                ("X-App-Assert-KeyId", Base64.encode(device.keyID.bytes)),
                ("X-App-Assert-Data", Base64.encode(device.assertion(over: hash, counter: counter))),
                ("X-App-Assert-Nonce", nonce), ("X-App-Assert-DeviceToken", Base64.encode(token)),
            ])
    }
}
