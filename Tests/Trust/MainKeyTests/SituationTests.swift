import Foundation
import Testing

@testable import MainKey

@Suite("Errors whose case does not tell what happened")
struct SituationTests {
    @Test("what a reason ends with tells one situation", arguments: MainKeyError.Situation.allCases)
    func words(_ situation: MainKeyError.Situation) {
        let others = MainKeyError.Situation.allCases.filter { $0 != situation }
        #expect(!others.contains { $0.rawValue.hasSuffix(situation.rawValue) })
        let error: MainKeyError =
            switch situation {
            case .wipeUnfinished: .notFound("vault in /v: \(situation.rawValue)")
            case .fileNotListed: .notFound("file that a. \(situation.rawValue)")
            default: .configError(reason: "of a\(situation.rawValue)")
            }
        #expect(error.situation == situation)
    }

    @Test("a path that reads like one is none")
    func paths() {
        for situation in MainKeyError.Situation.allCases {
            #expect(MainKeyError.notFound("file /home/a \(situation.rawValue)").situation == nil)
            #expect(MainKeyError.io(path: situation.rawValue, reason: situation.rawValue).situation == nil)
        }
        #expect(MainKeyError.notFound("vault in /v").situation == nil)
        #expect(MainKeyError.notFound("file that the vault lists as 'a'").situation == nil)
        #expect(MainKeyError.truncated(.file).situation == nil)
        #expect(MainKeyError.truncated(.wipeMark).situation == .falseWipeMark)
    }

    @Test("the hardware as the only way in is told from other rules")
    func onlyHardware() {
        func check(_ kinds: [Slot.Kind], requiresHardware: Bool = false) throws {
            try SlotRules.check(kinds, requiresHardware: requiresHardware, allowsNoRecovery: false)
        }
        #expect(situation { try check([.hardwareAndPIN]) } == .noRecovery)
        #expect(situation { try check([.pin], requiresHardware: true) } == nil)
        #expect(code { try check([.pin], requiresHardware: true) } == "configError")
        #expect(code { try check([.hardwareAndPIN, .recovery]) } == "ok")
    }

    @Test("the program that alone rotates a vault is named where it has one")
    func owner() throws {
        let folder = try VaultFolder()
        _ = try folder.make()
        var file = try KeyFile(parsing: Array(Data(contentsOf: folder.url.appending(path: "vault/keyring.mk"))))
        while file.epochs.count < KeyFile.epochCounts.upperBound { file.epochs.append(file.epochs[0]) }
        for program in ["casemate", nil] {
            let error = #expect(throws: MainKeyError.self) { () throws -> Void in
                try file.checkRoomForEpoch(program: program)
            }
            #expect(error?.situation == .rotationUnfinished && error?.rotatingProgram == program)
        }
        #expect(MainKeyError.configError(reason: "no rotation is under way").rotatingProgram == nil)
    }
}
