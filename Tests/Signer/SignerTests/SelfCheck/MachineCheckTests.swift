import Testing

@testable import Signer

@Suite("What the self check says of the machine")
struct MachineCheckTests {
    @Test("what a worker was refused is fine, each of its attempts", arguments: MachineCheck.Escape.allCases)
    func refused(escape: MachineCheck.Escape) {
        let line = MachineCheck.line(escape, [.refused("Permission denied"), .refused("No such file")])
        #expect(
            line.status == .ok && line.code == escape.rawValue && line.text.contains("Permission denied, No such file"))
    }

    @Test("one thing that it was let do, that was not tried, or nothing at all, is a failure")
    func failures() {
        let refused = MachineCheck.Outcome.refused("Permission denied")
        for outcomes in [[.succeeded], [refused, .succeeded], [.succeeded, .notTried("x")]] as [[MachineCheck.Outcome]]
        {
            let line = MachineCheck.line(.socket, outcomes)
            #expect(line.status == .fail && line.code == "Sandbox.socket" && line.text.contains("does not hold"))
        }
        for outcomes in [[], [refused, .notTried("it ended")]] as [[MachineCheck.Outcome]] {
            let line = MachineCheck.line(.file, outcomes)
            #expect(line.status == .fail && line.code == "Sandbox.file" && line.text.contains("did not try"))
        }
        #expect(MachineCheck.line(.file, [refused, .notTried("it ended")]).text.hasSuffix("it ended"))
    }

    private static func namespace(
        _ interfaces: [String], routes: [String] = [], isIsolated: Bool = false, isEmpty: Bool = false
    ) -> MachineCheck.Namespace {
        MachineCheck.Namespace(interfaces: interfaces, routes: routes, isIsolated: isIsolated, isEmpty: isEmpty)
    }

    @Test("an empty namespace is fine, a loopback that is on only where no other was asked for")
    func isolated() {
        let empty = Self.namespace(["lo"], isIsolated: true, isEmpty: true)
        for isAskedFor in [false, true] { #expect(MachineCheck.line(empty, isAskedFor: isAskedFor).status == .ok) }
        let on = Self.namespace(["lo"], isIsolated: true)
        #expect(MachineCheck.line(on, isAskedFor: false).status == .ok)
        #expect(MachineCheck.line(on, isAskedFor: true).status == .fail)
    }

    @Test("what is there is named: a warning, and a failure where the process was to be isolated")
    func seen() {
        let namespace = Self.namespace(["eth0", "lo"], routes: ["eth0"])
        let (warned, failed) = (
            MachineCheck.line(namespace, isAskedFor: false), MachineCheck.line(namespace, isAskedFor: true)
        )
        #expect(warned.status == .warn && warned.text.contains("2 interfaces (eth0, lo)"))
        #expect(warned.text.contains("routes through eth0") && warned.text.contains("isolated"))
        #expect(failed.status == .fail && failed.text.contains("eth0"))
    }
}
