import AppAttest
import CLibrary
import Foundation
import StrictJSON
import TestSupport
import Testing
import TextForms

@testable import Gate

@Suite("Keys in a JSON file")
struct JSONKeyStoreTests {
    private static let pem = PublicKeyPEM.encode(Keys.key(1).publicKey).replacing("\n", with: "\\n")
    private static let name = Keys.id(1).base64

    private static func entry(_ more: String = "", signCount: String = "12") -> String {
        """
        {"publicKey": "\(pem)", "signCount": \(signCount), "registeredAt": "2026-02-17T00:00:00.000Z"\(more)}
        """
    }

    private func open(
        _ folder: TemporaryFolder, timer: ManualTimer = ManualTimer(),
        _ change: (inout JSONKeyStore.Options) -> Void = { _ in }
    ) throws -> JSONKeyStore {
        var options = JSONKeyStore.Options()
        options.appID = Keys.app
        change(&options)
        return try JSONKeyStore(path: folder.path("keys.json"), options, now: 42, timer: timer)
    }

    @Test("a gate believes no file of another user's, and none in a folder that others may write")
    func guarded() async throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "own/keys.json")
        let place = folder.path("own")
        func isRefused() async throws -> Bool {
            do throws(StoreError) {
                let store = try JSONKeyStore(path: place + "/keys.json", guardedOptions, now: 42, timer: ManualTimer())
                await store.close()
                return false
            } catch {
                guard case .refused = error else { throw error }
                return true
            }
        }
        #expect(try await !isRefused())
        for (mode, refuses) in [(0o775, true), (0o757, true), (0o1777, false), (0o700, false)] as [(mode_t, Bool)] {
            #expect(chmod(place, mode) == 0)
            #expect(try await isRefused() == refuses, "\(String(mode, radix: 8))")
        }
        guard geteuid() == 0 else { return }
        #expect(chown(place + "/keys.json", 65_534, 65_534) == 0)
        #expect(try await isRefused())
        // A tool that root runs looks at any gate's.
        let store = try JSONKeyStore(path: place + "/keys.json", now: 42, timer: ManualTimer())
        await store.close()
        #expect(chown(place + "/keys.json", 0, 0) == 0 && chown(place, 65_534, 65_534) == 0)
        #expect(try await isRefused())
    }

    private var guardedOptions: JSONKeyStore.Options {
        var options = JSONKeyStore.Options()
        options.isGuarded = true
        return options
    }

    @Test("a missing file is an empty store, and nothing is written without need")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let store = try open(folder)
        #expect(store.opening == .init() && store.count() == 0)
        await store.close()
        #expect(folder.text(of: "keys.json") == nil)
    }

    @Test("an entry of the seed's format is a key of the one app that is configured")
    func seed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"\(Self.name)\": \(Self.entry())}", to: "keys.json")
        let store = try open(folder)
        var expected = Keys.key(1, usedAt: 42)
        expected.signCount = 12
        #expect(store.key(Keys.id(1)) == expected)
        await store.close()
    }

    @Test("with several apps configured, an entry must say which is its own")
    func noAppID() async throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"\(Self.name)\": \(Self.entry())}", to: "keys.json")
        let store = try open(folder) { $0.appID = nil }
        #expect(store.opening == .init(keys: 0, skipped: 1) && store.count() == 0)
        await store.close()
    }

    @Test("what the file held is there again after it was closed")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let first = try open(folder)
        for number in [2, 1] { _ = try await first.insertIfAbsent(Keys.fullKey(number)) }
        _ = try await first.insertIfAbsent(Keys.key(3))
        _ = try first.advance(Keys.id(3), to: 9, facts: .init(category: 4), now: Keys.time + 7)
        await first.close()
        let second = try open(folder)
        #expect(second.opening == .init(keys: 3))
        #expect(second.key(Keys.id(1)) == Keys.fullKey(1) && second.key(Keys.id(2)) == Keys.fullKey(2))
        #expect(second.key(Keys.id(3))?.signCount == 9 && second.key(Keys.id(3))?.lastAssertedAt == Keys.time + 7)
        await second.close()
    }

    @Test("members that this version does not know survive a rewrite, numbers with their digits")
    func unknownMembers() async throws {
        let folder = try TemporaryFolder()
        let more = """
            , "note": {"b": [1e400, -0.0, 10000000000000000000001, 0.10], "a": null, "\\u006b": "\\ud83d\\ude00"}, \
            "riskMetric": 7, "tail": true
            """
        let bad = "{\"publicKey\": 1.50, \"why\": [\"kept\"]}"
        try folder.write("{\"\(Self.name)\": \(Self.entry(more)), \"odd one\": \(bad), \"list\": [1]}", to: "keys.json")
        let store = try open(folder)
        #expect(store.opening == .init(keys: 1, skipped: 2))
        _ = try await store.insertIfAbsent(Keys.key(2))
        await store.close()
        let before = try JSONReader(maximumDepth: 16).read(Array("{\"x\": \(Self.entry(more)), \"y\": \(bad)}".utf8))
        let after = try JSONReader(maximumDepth: 16).read(Array(try #require(folder.text(of: "keys.json")).utf8))
        let entry = try #require(after[Self.name])
        for member in ["note", "riskMetric", "tail", "signCount", "publicKey", "registeredAt"] {
            #expect(entry[member] == before["x"]?[member], "\(member)")
        }
        #expect(entry["appId"] == .string(Keys.app.description))
        #expect(after["odd one"] == before["y"] && after["list"] == .array([.number("1")]))
        #expect(after[Keys.id(2).base64] != nil)
    }

    @Test("a new receipt takes the place of members that stood without one")
    func receiptReplacesMembers() async throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"\(Self.name)\": \(Self.entry(", \"riskMetric\": 7, \"receipt\": null"))}", to: "keys.json")
        let store = try open(folder)
        #expect(try store.updateReceipt(Keys.id(1), expecting: nil, new: StoredReceipt(bytes: [1], riskMetric: 2)))
        await store.close()
        let again = try open(folder)
        #expect(again.key(Keys.id(1))?.receipt == StoredReceipt(bytes: [1], riskMetric: 2))
        await again.close()
    }

    @Test(
        "a bad entry is skipped, stays in the file, and keeps nobody else out",
        arguments: [
            "7", "{}", entry(signCount: "-1"), entry(signCount: "1.0"), entry(signCount: "4294967296"),
            entry(signCount: "\"1\""), entry(", \"appId\": \"example\""), entry(", \"environment\": \"sandbox\""),
            entry(", \"receipt\": \"a\""), entry(", \"lastUsedAt\": 5"), entry(", \"revokedAt\": \"yesterday\""),
            entry(", \"category\": \"4\""), entry(", \"bundleVersion\": 1"),
            entry().replacing("BEGIN", with: "begin"), entry().replacing("2026-02-17", with: "2026-02-31"),
        ])
    func badEntry(entry: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"\(Self.name)\": \(entry), \"\(Keys.id(2).base64)\": \(Self.entry())}", to: "keys.json")
        let store = try open(folder)
        #expect(store.opening == .init(keys: 1, skipped: 1))
        _ = try await store.revoke(Keys.id(2), Revocation(at: 1, reason: ""))
        await store.close()
        let again = try open(folder)
        #expect(again.opening == .init(keys: 1, skipped: 1))
        // Registering it anew takes the name of the bad one.
        #expect(try await again.insertIfAbsent(Keys.key(1)) == .inserted)
        await again.close()
        let last = try open(folder)
        #expect(last.opening == .init(keys: 2))
        await last.close()
    }

    @Test("a second spelling of a name is skipped, and does not outlive the key")
    func spellings() async throws {
        let folder = try TemporaryFolder()
        let other = String(Self.name.dropLast())
        try folder.write(
            "{\"\(Self.name)\": \(Self.entry()), \"\(other)\": \(Self.entry(signCount: "0"))}", to: "keys.json")
        let store = try open(folder)
        #expect(store.opening == .init(keys: 1, skipped: 1) && store.key(Keys.id(1))?.signCount == 12)
        #expect(try await store.delete(Keys.id(1)))
        await store.close()
        let again = try open(folder)
        #expect(again.opening == .init())
        await again.close()
    }

    @Test(
        "a file that is no JSON object is an error that says where, and is set aside only on request",
        arguments: ["", "[]", "null", "{\"a\": 1,}", "{\"a\": 1, \"a\": 2}", "{", "\u{feff}{}"])
    func invalid(text: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "keys.json")
        #expect {
            _ = try open(folder)
        } throws: { error in
            if case .corrupt(let why) = error as? StoreError { why.contains("key file") } else { false }
        }
        #expect(folder.text(of: "keys.json") == text)
        try folder.write("earlier", to: "keys.json.unreadable-1")
        let store = try open(folder) { $0.recovers = true }
        #expect(store.opening == .init(setAside: folder.path("keys.json.unreadable-2")))
        #expect(
            folder.text(of: "keys.json.unreadable-2") == text && folder.text(of: "keys.json.unreadable-1") == "earlier")
        _ = try await store.insertIfAbsent(Keys.key(1))
        await store.close()
        let again = try open(folder)
        #expect(again.count() == 1)
        await again.close()
    }

    @Test("a second store on the same file is refused until the first is closed")
    func lock() async throws {
        let folder = try TemporaryFolder()
        let store = try open(folder)
        #expect(throws: StoreError.inUse(path: folder.path("keys.json"))) { try open(folder) }
        await store.close()
        await (try open(folder)).close()
    }

    @Test("a key file that is a symbolic link is refused, and stays one")
    func symbolicLink() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "real.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("keys.json"), withDestinationPath: folder.path("real.json"))
        #expect(throws: StoreError.refused("the path of the key file names no file")) { try open(folder) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("keys.json")).isEmpty == false)
    }

    @Test("a folder that cannot be opened is an error, one that is missing is made")
    func folders() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        #expect(throws: StoreError.self) { try JSONKeyStore(path: folder.path("file/keys.json"), now: 0) }
        #expect(throws: StoreError.self) { try JSONKeyStore(path: folder.path("a/b/keys.json"), now: 0) }
        #expect(throws: StoreError.self) { try JSONKeyStore(path: folder.path(""), now: 0) }
        let store = try JSONKeyStore(path: folder.path("config/keys.json"), now: 0, timer: ManualTimer())
        _ = try await store.insertIfAbsent(Keys.key(1))
        await store.close()
        #expect(folder.mode(of: "config") == 0o700 && folder.mode(of: "config/keys.json") == 0o600)
        #expect(folder.mode(of: "config/.keys.json.saving") == 0o700)
        #expect(folder.names(in: "config/.keys.json.saving").isEmpty)
    }

    @Test("a new key, a revocation and a deletion are in the file when their call returns")
    func atOnce() async throws {
        let folder = try TemporaryFolder()
        let timer = ManualTimer()
        let store = try open(folder, timer: timer)
        _ = try await store.insertIfAbsent(Keys.key(1))
        #expect(folder.text(of: "keys.json")?.contains(Self.name) == true)
        _ = try await store.revoke(Keys.id(1), Revocation(at: Keys.time, reason: "stolen"))
        #expect(folder.text(of: "keys.json")?.contains("stolen") == true)
        _ = try await store.delete(Keys.id(1))
        #expect(folder.text(of: "keys.json") == "{\n}\n")
        await store.close()
    }

    @Test("keys that make room are those that were not used for the longest time")
    func reclaiming() async throws {
        let folder = try TemporaryFolder()
        let store = try open(folder) { $0.maximumKeys = 3 }
        for number in 1...3 { _ = try await store.insertIfAbsent(Keys.key(number)) }
        _ = try store.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time + 10)
        _ = try await store.insertIfAbsent(Keys.key(4, usedAt: Keys.time + 20))
        #expect(store.count() == 3 && store.key(Keys.id(1)) != nil && store.key(Keys.id(4)) != nil)
        await store.close()
        let again = try open(folder)
        #expect(again.opening == .init(keys: 3) && again.key(Keys.id(1))?.signCount == 1)
        await again.close()
    }

    @Test("a key that is used while its removal is being written stays, and is written again")
    func usedMeanwhile() throws {
        var table = KeyTable()
        for number in 1...3 { table.insert(Keys.key(number, usedAt: Keys.time + .milliseconds(Int64(number)))) }
        var state = JSONKeyStoreState(table: table, unreadable: [])
        _ = state.wantSave()
        let begun = state.beginSave(maximumKeys: 1, at: .zero)
        let batch = try #require(begun)
        #expect(Set(batch.reclaimed.map(\.id)) == [Keys.id(1), Keys.id(2)])
        let advance = state.table.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time + .seconds(9))
        #expect(advance == .advanced)
        state.finishSave(batch, nil, at: .zero)
        #expect(state.table[Keys.id(1)]?.signCount == 1 && state.table[Keys.id(2)] == nil)
        #expect(state.schedule.due != nil)
    }
}
