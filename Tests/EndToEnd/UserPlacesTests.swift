import Foundation
import TestSupport
import Testing

@Suite("Where programs of a user look when nothing is said")
struct UserPlacesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func errors(_ program: String, _ words: [String], _ environment: [String: String]) throws -> String {
        let places = ["CASEMATE_VAULT": "", "MAINKEY_DIR": "", "GENERATE_MESSAGE_DB": "", "XDG_DATA_HOME": ""]
        let outcome = try Program(name: program).run(words, environment: places.merging(environment) { $1 })
        #expect(outcome.exitCode != 0, "\(outcome.output)")
        return outcome.errors
    }

    @Test("a vault is not made where the folder that one is in was removed, and that is said")
    func removedFolder() throws {
        let (folder, casemate) = (Program.quoted(scratch.path("gone")), Program.quoted(Program(name: "casemate").path))
        let make = "\(casemate) init --none --network-allowed --vault v"
        let outcome = try Program.shell("{ mkdir \(folder) && cd \(folder) && rmdir \(folder) && \(make); }")
        #expect(outcome.exitCode == 1, "\(outcome)")
        #expect(outcome.errors.contains("v cannot be used: this program's working folder is gone"), "\(outcome.errors)")
    }

    @Test(
        "it is in the home that HOME names, as their help says",
        arguments: [("casemate", ["seed", "list"]), ("mainkey", ["status"])])
    func home(_ program: String, _ words: [String]) throws {
        let home = scratch.path
        let place = "\(home)/.local/share/\(program)"
        #expect(try errors(program, words, ["HOME": home]).contains(place))
        let relative = try errors(program, words, ["HOME": home, "XDG_DATA_HOME": "relative"])
        #expect(relative.contains(place), "\(relative)")
        let data = try errors(program, words, ["HOME": "/nowhere", "XDG_DATA_HOME": home])
        #expect(data.contains("\(home)/\(program)"), "\(data)")
    }

    @Test("the hot side's database is there, too")
    func hotSide() throws {
        let home = scratch.path
        let shown = try Program(name: "generate-message").run(
            ["show", "networks"],
            environment: ["HOME": home, "XDG_DATA_HOME": "", "GENERATE_MESSAGE_DB": ""])
        let database = "\(home)/.local/share/generate-message"
        #expect(
            FileManager.default.fileExists(atPath: database) || shown.errors.contains(database), "\(shown.errors)")
    }
}
