import Testing
import TextForms

@testable import Vigil

@Suite("The keys that are compiled in")
struct ReleaseKeysTests {
    private let first = TestKey().pinned
    private let second = TestKey().pinned

    private func text(_ keys: PublicKey...) -> String {
        keys.map { $0.x963.map { String(format: "%02x", $0) }.joined() }.joined(separator: ",")
    }

    private func isRefused(_ keys: String, threshold: String = "") -> Bool {
        do throws(ConfigurationError) {
            _ = try ReleaseKeys(keys: keys, threshold: threshold).trusted()
            return false
        } catch {
            return true
        }
    }

    @Test("are as many as were given, and so many have to sign as was said")
    func read() throws {
        let one = try #require(try ReleaseKeys(keys: text(first), threshold: "").trusted())
        #expect(one.keys == [first] && one.threshold == 1)
        let both = try #require(try ReleaseKeys(keys: text(first, second), threshold: "2").trusted())
        #expect(both.keys == [first, second] && both.threshold == 2)
    }

    @Test("are none where nothing was given")
    func none() throws {
        #expect(try ReleaseKeys(keys: "", threshold: "").trusted() == nil)
    }

    @Test("make an error, and not none, where one of them cannot be read")
    func malformed() {
        let good = text(first)
        let offCurve = "04" + String(repeating: "11", count: 64)
        let compressed = "02" + good.dropFirst(2)
        let behind: [String] = [good + ",", good + " ", good + "," + offCurve, String(good.dropLast(2))]
        for keys in behind + ["x", ",", " ", "," + good, offCurve, compressed, String(good.dropLast())] {
            #expect(isRefused(keys), "\(keys)")
        }
    }

    @Test("have a threshold that can be reached, and no other")
    func threshold() {
        for threshold in ["0", "3", "-1", "two", " 1", "99999999999999999999"] {
            #expect(isRefused(text(first, second), threshold: threshold), "\(threshold)")
        }
        // The same key twice is one.
        #expect(isRefused(text(first, first), threshold: "2"))
        #expect(isRefused("", threshold: "1"))
    }
}
