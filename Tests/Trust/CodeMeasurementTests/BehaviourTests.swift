import TestSupport
import Testing

@testable import CodeMeasurement

@Suite("Rules of behaviour")
struct BehaviourTests {
    private func profile(_ rules: String, version: Int = 2) throws(BehaviourProfileError) -> BehaviourProfile {
        try BehaviourProfile(json: Array(#"{"version":\#(version),"rules":[\#(rules)],"note":"passed over"}"#.utf8))
    }

    @Test("all operations are read")
    func operations() throws {
        let read = try profile(
            """
            {"id":"a","field":"status.Threads","op":"le","value":8},
            {"id":"b","field":"status.Seccomp","op":"ge","value":1},
            {"id":"c","field":"status.CapEff","op":"maskZero","value":"0xfffffffffffffffe"},
            {"id":"d","field":"env.LANG","op":"in","value":["C","C.UTF-8"]},
            {"id":"e","field":"env.HOME","op":"present"},
            {"id":"f","field":"env.BAD","op":"absent","comment":1},
            {"id":"g","field":"exe.path","op":"eq","value":"/opt/app"},
            {"id":"h","field":"status.Uid.effective","op":"ne","value":0}
            """)
        #expect(
            read.rules == [
                BehaviourRule(id: "a", .threads, .atMost(8)), BehaviourRule(id: "b", .seccomp, .atLeast(1)),
                BehaviourRule(id: "c", .effectiveCapabilities, .maskZero(~1)),
                BehaviourRule(id: "d", .environment("LANG"), .oneOf([.text("C"), .text("C.UTF-8")])),
                BehaviourRule(id: "e", .environment("HOME"), .present),
                BehaviourRule(id: "f", .environment("BAD"), .absent),
                BehaviourRule(id: "g", .executablePath, .equal(.text("/opt/app"))),
                BehaviourRule(id: "h", .effectiveUser, .notEqual(.number(0))),
            ])
        #expect(try BehaviourProfile(json: read.json) == read)
    }

    @Test("every field has a name that leads back to it")
    func fields() {
        for field in BehaviourField.named + [.environment("X")] {
            #expect(BehaviourField(name: field.name) == field)
        }
        for name in ["", "env.", "status", "status.Name", "ENV.X"] { #expect(BehaviourField(name: name) == nil) }
    }

    @Test(
        "a rule that cannot be kept is refused with its place",
        arguments: [
            #"{"id":"a","field":"status.Nothing","op":"eq","value":0}"#,
            #"{"id":"a","field":"fd.count","op":"lt","value":0}"#,
            #"{"id":"a","field":"fd.count","op":"le","value":"many"}"#,
            #"{"id":"a","field":"env.X","op":"le","value":1}"#,
            #"{"id":"a","field":"env.X","op":"eq","value":["a"]}"#,
            #"{"id":"a","field":"env.X","op":"in","value":"a"}"#,
            #"{"id":"a","field":"fd.count","op":"eq"}"#, #"{"id":"","field":"fd.count","op":"eq","value":1}"#,
        ])
    func unkept(rule: String) throws {
        do throws(BehaviourProfileError) {
            _ = try profile(rule)
            Issue.record("it was taken")
        } catch {
            guard case .rule(index: 0, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("two rules of one id, other versions, other forms and large profiles are refused")
    func refusals() throws {
        let rule = #"{"id":"a","field":"fd.count","op":"le","value":1}"#
        #expect(throws: BehaviourProfileError.rule(index: 1, "the id is not unique")) { try profile("\(rule),\(rule)") }
        #expect(throws: BehaviourProfileError.unsupportedVersion(3)) { try profile("", version: 3) }
        for text in [
            "", "[]", "{", #"{"version":2}"#, #"{"version":2,"rules":[{"id":1}]}"#,
            #"{"version":2,"rules":[{"id":"a","field":"fd.count","op":"le","value":-1}]}"#,
        ] {
            #expect(throws: BehaviourProfileError.self, "\(text)") { try BehaviourProfile(json: Array(text.utf8)) }
        }
        let many = (0...256).map { #"{"id":"\#($0)","field":"fd.count","op":"le","value":1}"# }.joined(separator: ",")
        #expect(throws: BehaviourProfileError.tooLarge) { try profile(many) }
        #expect(throws: BehaviourProfileError.tooLarge) {
            try BehaviourProfile(json: [UInt8](repeating: 0x20, count: BehaviourProfile.maximumSize + 1))
        }
    }

    @Test("conditions hold and fail as they are written")
    func conditions() {
        func outcome(_ condition: BehaviourRule.Condition, _ reading: FieldReading) -> BehaviourRule.Outcome {
            BehaviourRule(id: "a", .threads, condition).outcome(reading)
        }
        let five = FieldReading.value(.number(5))
        #expect(outcome(.equal(.number(5)), five) == .holds)
        #expect(outcome(.equal(.number(4)), five) == .fails)
        #expect(outcome(.notEqual(.number(5)), five) == .fails)
        #expect(outcome(.atMost(5), five) == .holds)
        #expect(outcome(.atMost(4), five) == .fails)
        #expect(outcome(.atLeast(5), five) == .holds)
        #expect(outcome(.atLeast(6), five) == .fails)
        #expect(outcome(.maskZero(2), five) == .holds)
        #expect(outcome(.maskZero(4), five) == .fails)
        #expect(outcome(.oneOf([.number(4), .number(5)]), five) == .holds)
        #expect(outcome(.oneOf([]), five) == .fails)
        #expect(outcome(.absent, five) == .fails)
        #expect(outcome(.absent, .absent) == .holds)
        #expect(outcome(.present, .absent) == .fails)
        #expect(outcome(.present, five) == .holds)
        #expect(outcome(.equal(.number(0)), .absent) == .fails)
    }

    @Test("what cannot be read fails its rule, but what a process may keep to itself")
    func unreadable() {
        for field in BehaviourField.named + [.environment("X")] {
            #expect(BehaviourRule(id: "a", field, .absent).outcome(.unreadable) == .fails)
            let mayBeHidden = field == .descriptors || field == .networkSockets || field == .environment("X")
            #expect(BehaviourRule(id: "a", field, .absent).outcome(.hidden) == (mayBeHidden ? .skipped : .fails))
        }
    }

    @Test("the first rule that does not hold decides, a debugger by its own reason")
    func verdict() {
        func verdict(_ readings: [BehaviourField: FieldReading]) -> BehaviourVerdict {
            BehaviourVerdict(BehaviourRule.builtIn + BehaviourRule.vault) { field in
                if let reading = readings[field] { return reading }
                if case .environment = field { return .absent }
                return .value(.number(0))
            }
        }
        #expect(verdict([:]).reason == .ok)
        #expect(verdict([:]).rule == nil)
        #expect(verdict([.tracer: .value(.number(7)), .coreSize: .value(.number(1))]).reason == .traced)
        #expect(verdict([.coreSize: .value(.number(.max))]).rule?.id == "limits.core.soft")
        #expect(verdict([.dumpable: .value(.number(1))]).rule?.id == "process.dumpable")
        #expect(verdict([.seccomp: .value(.number(2))]).rule?.id == "status.Seccomp")
        #expect(verdict([.writableExecutable: .value(.number(1))]).reason == .behaviour)
        for name in ["LD_PRELOAD", "LD_AUDIT", "LD_DEBUG"] {
            let found = verdict([.environment(name): .value(.text(""))])
            #expect(found.reason == .behaviour)
            #expect(found.finding?.ruleID == "env.\(name)")
        }
        let hidden = verdict([.environment("LD_AUDIT"): .hidden])
        #expect(hidden.reason == .ok)
        #expect(hidden.isEnvironmentUnreadable)
        #expect(verdict([.environment("LD_AUDIT"): .unreadable]).reason == .behaviour)
    }

    @Test("a learned profile bounds what was seen, and every look keeps it")
    func learning() throws {
        var learning = BehaviourLearning()
        let looks: [[BehaviourField: BehaviourValue]] = [
            [
                .threads: .number(2), .effectiveCapabilities: .number(1), .seccomp: .number(2),
                .effectiveUser: .number(7),
            ],
            [
                .threads: .number(5), .effectiveCapabilities: .number(4), .seccomp: .number(1),
                .effectiveUser: .number(7),
            ],
        ]
        func read(_ look: [BehaviourField: BehaviourValue]) -> (BehaviourField) -> FieldReading {
            { field in look[field].map { .value($0) } ?? .unreadable }
        }
        for look in looks { learning.record(read(look)) }
        #expect(learning.count == 2)
        let profile = try BehaviourProfile(json: learning.profile.json)
        #expect(
            profile.rules == [
                BehaviourRule(id: "learned.status.Threads", .threads, .atMost(5)),
                BehaviourRule(id: "learned.status.Seccomp", .seccomp, .atLeast(1)),
                BehaviourRule(id: "learned.status.CapEff", .effectiveCapabilities, .maskZero(~5)),
                BehaviourRule(id: "learned.status.Uid.effective", .effectiveUser, .oneOf([.number(7)])),
            ])
        for look in looks { #expect(BehaviourVerdict(profile.rules, read(look)).reason == .ok) }
        var worse = looks[0]
        worse[.effectiveCapabilities] = .number(2)
        #expect(BehaviourVerdict(profile.rules, read(worse)).rule?.id == "learned.status.CapEff")
    }

    @Test("mauled profiles never trap")
    func random() throws {
        var random = SplitMix64(state: 9)
        let seed = try profile(#"{"id":"d","field":"status.CapEff","op":"maskZero","value":"0xff"}"#).json
        for _ in 0..<3_000 {
            var text = seed
            for _ in 0..<4 { text[Int(random.next() % UInt64(text.count))] = random.byte() }
            _ = try? BehaviourProfile(json: text)
        }
    }
}
