import Foundation
import TestSupport
import Testing

@Suite("Programs of many instructions on a terminal and for machines")
struct LongProgramTests {
    /// XcmPallet.execute of version 2.
    private static func execute(_ instructions: [String]) -> String {
        let count = instructions.count
        let compact = count < 64 ? [UInt8(count << 2)] : [UInt8((count << 2 | 1) & 0xff), UInt8(count >> 6)]
        return "630302" + compact.map { String(format: "%02x", $0) }.joined() + instructions.joined()
            + String(repeating: "00", count: 8)
    }

    /// Transfers 1 WND.
    private static func transfer(to account: String) -> String { "040400000000070010a5d4e800010100" + account }

    private static let charlie = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"

    @Test(
        "the last of them is in words above the raw cards, and at a glance stand all receivers and the sum",
        arguments: [5, 20, 70])
    func last(count: Int) throws {
        let vault = try DemoVault()
        let idle = Array(repeating: "17", count: count - 2)
        let payload = WestendPayload.transaction(
            Self.execute(
                [Self.transfer(to: WestendPayload.bob)] + idle + [Self.transfer(to: WestendPayload.charlie)]))
        let text = try vault.run(["inspect", "--hex", payload]).output
        let full = try #require(text.range(of: "In full"))
        #expect(text[..<full.lowerBound].contains(Self.charlie))
        let glance = try #require(text.range(of: "At a glance"))
        let decision = text[glance.upperBound...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(decision.contains("and \(count - 4) line"), "\(decision)")
        #expect(decision.contains("in all it sends 2.000000000000 WND") && decision.contains(Self.charlie))
        #expect(decision.contains("together 2.000000000000 WND in 1 call"))
        let call = try vault.run(["inspect", "--hex", payload, "--json"]).json()["calls"][0]
        #expect(call["arguments"][0]["value"].array.count == count)
        #expect(call["parties"].array.map { $0["address"].string }.last == Self.charlie)
    }
}
