import TestSupport
import Testing

@testable import MainKey

@Suite("RecoveryDecision")
struct RecoveryDecisionTests {
    private static func state(_ known: JSON) throws -> RecoveryDecision.FileState {
        if known.isNull { return .absent }
        if known.string == "invalid" { return .invalid }
        return .valid(
            generation: UInt64(try #require(known["generation"].int)), anchor: known["anchor"].int.map(UInt64.init))
    }

    private static let names: [String: RecoveryDecision] = [
        "useKeyring": .useKeyFile, "discardNew": .discardNew, "promoteNew": .promoteNew, "notFound": .notFound,
        "discardNew+notFound": .discardNewThenNotFound, "finishWipe+notFound": .finishWipeThenNotFound,
        "error:parse": .reportKeyFile, "error:recoverable": .recoverable, "error:rolledBack": .rolledBack,
    ]

    @Test("decides the known cases")
    func knownCases() throws {
        let cases = try Fixture.json("recovery.json")["cases"].array
        #expect(cases.count == 15)
        for known in cases {
            let decision = RecoveryDecision(
                isWiping: known["wipeMarker"].bool == true, keyFile: try Self.state(known["keyring"]),
                new: try Self.state(known["new"]), counter: known["tpmCounter"].int.map(UInt64.init))
            #expect(decision == Self.names[known["expect"].string ?? ""], "\(known["name"])")
        }
    }

    @Test("an anchored file is held to the counter beside whatever stands next to it")
    func anchors() {
        let anchored = RecoveryDecision.FileState.valid(generation: 4, anchor: 9)
        for (new, kept) in [
            (RecoveryDecision.FileState.absent, RecoveryDecision.useKeyFile), (.invalid, .discardNew),
            (.valid(generation: 5, anchor: nil), .discardNew), (.valid(generation: 5, anchor: 12), .discardNew),
        ] {
            let decisions: [(UInt64?, RecoveryDecision)] = [(8, .tampered), (9, kept), (10, .rolledBack), (nil, kept)]
            for (counter, decision) in decisions {
                #expect(
                    RecoveryDecision(isWiping: false, keyFile: anchored, new: new, counter: counter) == decision)
            }
        }
    }

    @Test("of two files that the counter decides about, both stay while it cannot be read")
    func unreadableCounter() {
        func decide(_ counter: UInt64?) -> RecoveryDecision {
            RecoveryDecision(
                isWiping: false, keyFile: .valid(generation: 4, anchor: 9), new: .valid(generation: 5, anchor: 10),
                counter: counter)
        }
        #expect(decide(nil) == .counterNeeded)
        #expect(decide(8) == .tampered)
    }

    @Test("half a first file is the rest of a creation; one that is damaged otherwise may be the only key")
    func creation() {
        #expect(
            RecoveryDecision(isWiping: false, keyFile: .absent, new: .truncated, counter: nil)
                == .discardNewThenNotFound)
        #expect(RecoveryDecision(isWiping: false, keyFile: .absent, new: .invalid, counter: nil) == .recoverable)
    }

    @Test("a damaged key file is never replaced unasked, whatever lies beside it")
    func damaged() {
        let states: [RecoveryDecision.FileState] = [
            .absent, .invalid, .truncated, .valid(generation: 1, anchor: nil), .valid(generation: 9, anchor: 3),
        ]
        for (new, decision) in zip(
            states, [RecoveryDecision.reportKeyFile, .reportKeyFile, .reportKeyFile, .recoverable, .recoverable])
        {
            for keyFile: RecoveryDecision.FileState in [.invalid, .truncated] {
                #expect(RecoveryDecision(isWiping: false, keyFile: keyFile, new: new, counter: 3) == decision)
            }
        }
    }

    @Test("an anchor at the end of its range is compared without counting on")
    func lastAnchor() {
        let last = RecoveryDecision.FileState.valid(generation: 2, anchor: .max)
        #expect(
            RecoveryDecision(isWiping: false, keyFile: last, new: .valid(generation: 3, anchor: 0), counter: .max)
                == .discardNew)
    }
}
