import CodeMeasurement
import Testing

@testable import Vigil

@Suite("Rules of behaviour")
struct BehaviourBindingTests {
    private func rules(_ members: String) throws -> BehaviourProfile {
        let rule = #"{"id":"threads","field":"status.Threads","op":"le","value":8}"#
        return try BehaviourBinding.profile(
            [UInt8](#"{"version":2,"rules":[\#(rule)]\#(members)}"#), product: "p", epoch: 7)
    }

    @Test("are those of the manifest's product and epoch")
    func bound() throws {
        #expect(try rules(#","product":"p","epoch":7"#).rules.map(\.id) == ["threads"])
    }

    @Test(
        "of another product or release, or of none, are refused",
        arguments: [
            "", #","product":"p""#, #","epoch":7"#, #","product":"q","epoch":7"#, #","product":"p","epoch":6"#,
            #","product":"p","epoch":8"#, #","product":"p","epoch":"7""#,
        ])
    func foreign(members: String) {
        #expect(throws: (any Error).self) { try rules(members) }
    }
}
