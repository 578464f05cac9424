import SecretMemory
import TestSupport
import Testing

@testable import SplitBackup

@Suite("Shares while they are scanned")
struct ShareScanTests {
    private static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private static func texts(title: String = "Title") throws -> [[UInt8]] {
        try BackupShare.split(
            SecretBytes(publicText: phrase), title: title, passphrase: SecretBytes(publicText: "a-b-c-d"),
            plan: SplitPlan(total: 3, required: 2)
        ).map(\.utf8)
    }

    @Test("a code that is seen again and again counts once, and shares come in any order")
    func repeated() throws {
        let texts = try Self.texts()
        var scan = ShareScan()
        #expect(scan.shares == nil && !scan.isComplete)
        #expect(scan.take(texts[2]) == .added(number: 3))
        for _ in 0..<30 { #expect(scan.take(texts[2]) == .repeated) }
        #expect(!scan.isComplete && scan.shares?.count == 1)
        #expect(scan.take(texts[0]) == .added(number: 1))
        var set = try #require(scan.shares)
        #expect(scan.isComplete)
        #expect(try set.recover(passphrase: SecretBytes(publicText: "a-b-c-d")).publicText == Self.phrase)
    }

    @Test("what is no share, or one of another set, is refused by name and leaves what is there")
    func refused() throws {
        let (texts, others) = (try Self.texts(), try Self.texts(title: "Other"))
        var scan = ShareScan()
        // Frames of films, payloads and other texts are never parsed.
        for foreign: [UInt8] in [[], [0x53, 0x01, 0x02], [0x00, 0x00, 0x02, 0x7b], Array("bottom drive".utf8)] {
            #expect(scan.take(foreign) == .refused(.jsonParsing))
        }
        #expect(scan.take(Array(#"{"v":2,"t":"","r":2,"d":"8","n":""}"#.utf8)) == .refused(.versionNotSupported))
        #expect(scan.shares == nil)
        #expect(scan.take(texts[1]) == .added(number: 2))
        #expect(scan.take(others[0]) == .refused(.shareTitleDifferent))
        // The same share, written otherwise.
        #expect(scan.take([0x20] + texts[1]) == .refused(.shareAlreadyInSet(number: 2)))
        #expect(scan.shares?.numbers == [2])
        #expect(scan.take(texts[0]) == .added(number: 1))
        #expect(scan.take(texts[2]) == .refused(.shareSetComplete))
    }

    @Test("who shows ever new codes takes no more and more memory")
    func bounded() throws {
        var scan = ShareScan()
        let share = try Self.texts()[0]
        #expect(scan.take(share) == .added(number: 1))
        for number in 0..<3 * ShareScan.mostRemembered { _ = scan.take(Array("\(number)".utf8)) }
        // It was forgotten that it was judged, and it is told apart all the same.
        #expect(scan.take(share) == .refused(.shareAlreadyInSet(number: 1)))
        #expect(scan.shares?.count == 1)
    }
}
