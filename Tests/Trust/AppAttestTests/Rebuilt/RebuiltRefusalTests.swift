import TestSupport
import Testing

@testable import AppAttest

@Suite("Refusals, made again")
struct RebuiltRefusalTests {
    private static let all = [
        Rebuild.objects, Rebuild.authenticatorData, Rebuild.chains, Rebuild.bindings, Rebuild.policies,
        Rebuild.receipts,
    ].flatMap(\.self)

    private static let table = AppAttestFixture.json("negative/attestations-minted.json").array

    @Test("what the test kit makes is refused with the code and at the step of the table", arguments: all)
    func rebuilt(_ rebuild: Rebuild) throws {
        let row = try #require(Self.table.first { $0["id"].string == rebuild.description })
        #expect(try rebuild.outcome() == "\(row["expect"].string ?? "") \(row["step"].string ?? "")")
    }

    @Test("every case of the table is made again")
    func complete() {
        #expect(Self.all.map(\.description).sorted() == Self.table.compactMap { $0["id"].string }.sorted())
    }
}
