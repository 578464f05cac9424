import Foundation
import TestSupport
import Testing

/// Runs commands in a network namespace of the test's own, with a pair of links that the test connects.
private enum Wire {
    static let isPossible =
        (try? Program.shell("unshare --map-root-user --net sh -c 'ip link add p0 type veth peer name p1'"))?.exitCode
        == 0
    static let reason: Comment = "this process may make no network namespace with links, or there is no ip(8)"

    /// - Parameter script: of the shell; `connect` and `disconnect` do what they say.
    static func run(_ script: String) throws -> Program.Outcome {
        let all = """
            ip link add p0 type veth peer name p1
            connect() { ip link set p0 up; ip link set p1 up; }
            disconnect() { ip link set p0 down; ip link set p1 down; }
            \(script)
            """
        return try Program.shell("unshare --map-root-user --net sh -c \(Program.quoted(all))")
    }
}

@Suite("A machine that is connected", .enabled(if: Wire.isPossible, Wire.reason))
struct NetworkCommandsTests {
    private let scratch: Scratch
    private let vault: String
    private let casemate = Program.quoted(DemoVault.casemate.path)

    /// Makes a strict vault with a seed.
    init() throws {
        scratch = try Scratch()
        vault = scratch.path("vault")
        try Data(DemoVault.pin.utf8).write(to: URL(filePath: scratch.path("pin")))
        try Data(DemoVault.phrase.utf8).write(to: URL(filePath: scratch.path("phrase")))
        try Wire.run("\(command("init --none")) && \(command("seed recover demo --phrase-fd 4"))").succeeded()
    }

    private func command(_ words: String) -> String {
        "\(casemate) \(words) --vault \(Program.quoted(vault)) 3<\(scratch.path("pin")) 4<\(scratch.path("phrase"))"
    }

    private func log() throws -> String { try DemoVault.casemate.run(["log", "show", "--vault", vault]).output }

    @Test(
        "everything with secrets is refused by a code of its own, and nothing is asked for",
        arguments: [
            "seed new other --phrase-fd 5", "seed recover other --phrase-fd 4", "seed show demo --phrase-fd 5",
            "key derive demo //x --network westend", "key preview --seed demo", "sign --yes --hex 00",
            "key import --yes --hex 00", "network sign --with x --types --yes", "seed rename demo other",
            "protect --add-recovery --recovery-fd 5", "protect --pin --new-pin-fd 3", "protect --autolock 7", "rotate",
            "rotate --rekey --new-pin-fd 3", "vigil bind", "vigil unbind --yes",
        ])
    func refused(words: String) throws {
        let before = try log()
        let outcome = try Wire.run("connect; \(command(words)) 5>&1")
        #expect(outcome.exitCode == 20, "\(outcome.errors)")
        #expect(outcome.errors.contains("interfaces: p0") && outcome.errors.contains("[DetectorNotSafe]"))
        #expect(outcome.errors.contains("casemate --isolated"), "what to do")
        #expect(!outcome.output.contains("abandon") && !outcome.output.contains("bottom"))
        #expect(try log() == before)
    }

    @Test("what uses no secret is done all the same: addresses are exported, and a seed is removed")
    func notRefused() throws {
        let exported = try Wire.run("connect; \(command("key export demo --json"))")
        #expect(exported.exitCode == 0, "\(exported.errors)")
        let removed = try Wire.run("connect; \(command("seed remove demo --yes"))")
        #expect(removed.exitCode == 0 && removed.output.contains("Seed demo removed."), "\(removed.errors)")
    }

    @Test("no vault is made on a connected machine, unless it is to allow that")
    func onboarding() throws {
        let other = Program.quoted(scratch.path("other"))
        let refused = try Wire.run("connect; \(casemate) init --none --vault \(other)")
        #expect(refused.exitCode == 20 && refused.errors.contains("init --network-allowed"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("other")))
        #expect(try Wire.run("connect; \(casemate) init --none --network-allowed --vault \(other)").exitCode == 0)
    }

    @Test("a refusal is not forgotten when the cable is out, until a person has acknowledged it")
    func wasOnline() throws {
        #expect(try Wire.run("connect; \(command("key preview --seed demo"))").exitCode == 20)
        let after = try Wire.run(command("key preview --seed demo"))
        #expect(after.exitCode == 20 && after.errors.contains("casemate acknowledge"), "\(after.errors)")
        #expect(try Wire.run("connect; \(command("acknowledge --yes"))").exitCode == 20, "not while it is connected")
        let shown = try Wire.run(command("acknowledge --yes"))
        #expect(shown.exitCode == 0 && shown.output.contains("DeviceWasOnline"), "\(shown.errors)")
        #expect(try log().contains("ResetDangerRecord"))
        #expect(try Wire.run(command("key preview --seed demo")).exitCode == 0)
        let again = try Wire.run(command("acknowledge --yes"))
        #expect(again.exitCode == 1 && again.errors.contains("[AckNotPossible]"), "\(again.errors)")
    }

    @Test("a connection that goes on is logged once")
    func once() throws {
        let words = command("key derive demo //x --network westend")
        #expect(try Wire.run("connect; \(words); \(words); \(words)").exitCode == 20)
        _ = try Wire.run(command("acknowledge --yes"))
        #expect(try log().ranges(of: "DeviceWasOnline").count == 1)
        #expect(try Wire.run("connect; \(words)").exitCode == 20)
        _ = try Wire.run(command("acknowledge --yes"))
        #expect(try log().ranges(of: "DeviceWasOnline").count == 2)
    }

    @Test("a cable that was in for a moment while a person typed stops what was begun")
    func moment() throws {
        let pipe = scratch.path("typed")
        let other = DemoVault.otherPhrases[0]
        let outcome = try Wire.run(
            """
            mkfifo \(pipe); exec 9<>\(pipe)
            \(casemate) seed recover other --phrase-fd 9 --vault \(Program.quoted(vault)) &
            until grep -q ":$(stat -c %i \(vault)/lock) " /proc/locks; do kill -0 $! || exit 99; sleep 0.02; done
            connect; disconnect
            echo \(Program.quoted(other)) >&9
            wait $!
            """)
        #expect(outcome.exitCode == 20, "\(outcome.errors)")
        #expect(try !DemoVault.casemate.run(["seed", "list", "--vault", vault]).output.contains("other"))
        #expect(try Wire.run(command("key preview --seed demo")).exitCode == 20, "it has to be acknowledged")
    }

    @Test("a link that comes and goes is no person who keeps a vault open", .timeLimit(.minutes(30)))
    func flappingLink() throws {
        let (other, shown) = (Program.quoted(scratch.path("left-alone")), Program.quoted(scratch.path("shown")))
        // A minute is the least; as long again and more for a slow machine. That it is locked may come with a change of
        // the network, too.
        let locked = #"'"cause":.*"screen":"Unlock"'"#
        let outcome = try Wire.run(
            """
            \(casemate) init --vault \(other) --pin-fd 3 --no-recovery --autolock 1 --cost 2:19456 3<\(scratch.path("pin")) || exit 98
            {
                echo '{"action":"Start"}'; echo '{"action":"GoForward"}'
                for i in $(seq 30); do
                    sleep 7; connect; disconnect
                    grep -q \(locked) \(shown) && break
                done
            } | \(casemate) core act --vault \(other) --pin-fd 3 3<\(scratch.path("pin")) >\(shown)
            grep -c '"cause":"network"' \(shown); grep -q \(locked) \(shown)
            """)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect((outcome.output.split(separator: "\n").last.flatMap { Int($0) } ?? 0) > 0)
    }

    @Test("the same stops a new PIN, and the vault opens as before")
    func momentOfNewPIN() throws {
        let pipe = scratch.path("typed")
        let outcome = try Wire.run(
            """
            mkfifo \(pipe); exec 9<>\(pipe)
            \(casemate) protect --pin --new-pin-fd 9 --vault \(Program.quoted(vault)) &
            changing=\(Program.quoted(vault))/key/vigil.json.lock
            until [ -e "$changing" ] && grep -q ":$(stat -c %i "$changing") " /proc/locks; do
                kill -0 $! || exit 99; sleep 0.02
            done
            connect; disconnect
            echo 'a new passphrase' >&9
            wait $!
            """)
        #expect(outcome.exitCode == 20, "\(outcome.errors)")
        _ = try Wire.run(command("acknowledge --yes"))
        // Nothing is asked for.
        let opened = try Wire.run("\(casemate) key preview --seed demo --vault \(Program.quoted(vault)) </dev/null")
        #expect(opened.exitCode == 0, "\(opened.errors)")
    }

    @Test(
        "no variable allows it", arguments: ["CASEMATE_NETWORK_ALLOWED=1", "CASEMATE_NETWORK_POLICY=network-allowed"])
    func variables(setting: String) throws {
        #expect(try Wire.run("export \(setting); connect; \(command("key preview --seed demo"))").exitCode == 20)
    }

    @Test("a vault that allows it warns, logs it, and says so in its status")
    func allowed() throws {
        let set = try Wire.run(command("network-policy --network-allowed"))
        #expect(set.exitCode == 0, "\(set.errors)")
        let words = command("key derive demo //x --network westend")
        let done = try Wire.run("connect; \(words)")
        #expect(done.exitCode == 0 && done.errors.contains("connected to a network (interfaces: p0"), "\(done.errors)")
        let text = try log()
        #expect(text.contains("network policy: network-allowed") && text.contains("DeviceWasOnline"))
        let status = try DemoVault.casemate.run(["status", "--json", "--vault", vault]).json()
        #expect(status["networkPolicy"].array.map(\.string) == ["network-allowed"] && status["wasOnline"].bool == true)
        _ = try Wire.run(command("network-policy --strict"))
        #expect(try Wire.run("connect; \(command("key preview --seed demo"))").exitCode == 20)
    }

    @Test(
        "killed at any step, what was seen stays",
        arguments: [
            ("key preview --seed demo", "replace.renamed"), ("acknowledge --yes", "database.noted"),
            ("acknowledge --yes", "database.written"), ("acknowledge --yes", "network.logged"),
            ("acknowledge --yes", "replace.written"), ("acknowledge --yes", "replace.renamed"),
        ])
    func killed(words: String, step: String) throws {
        if words.hasPrefix("acknowledge") { _ = try Wire.run("connect; \(command("key preview --seed demo"))") }
        let killed = try Wire.run("connect; \(command("--crash-at=\(step) \(words)")); echo $?")
        #expect(killed.output.hasSuffix("137\n"), "\(step) was not reached: \(killed.errors)")
        #expect(try Wire.run(command("key preview --seed demo")).exitCode == 20)
        #expect(try Wire.run(command("acknowledge --yes")).exitCode == 0)
        #expect(try log().contains("DeviceWasOnline"))
        #expect(try Wire.run(command("key preview --seed demo")).exitCode == 0)
    }

    // MARK: Isolation

    @Test("an isolated command sees no link and no route, and its status and descriptors are its own")
    func isolated() throws {
        let links = try Wire.run("connect; \(casemate) isolated -- ip -o link")
        #expect(links.exitCode == 0 && links.output.contains("lo:") && !links.output.contains("p0"), "\(links.errors)")
        #expect(try Wire.run("\(casemate) isolated -- ip route").output.isEmpty)
        #expect(try Program.shell("\(casemate) isolated -- /bin/sh -c 'exit 7'").exitCode == 7)
        #expect(try Program.shell("\(casemate) isolated -- cat", input: Array("through\n".utf8)).output == "through\n")
        #expect(
            try Wire.run("connect; \(casemate) isolated -- \(command("key preview --seed demo"))").exitCode == 0,
            "nothing counts but what is seen from inside")
        #expect(try Wire.run("connect; \(command("--isolated key preview --seed demo"))").exitCode == 0)
    }

    @Test("a self check proves from inside that there is no network, and says what there is where nothing is isolated")
    func selfCheck() throws {
        func statuses(_ words: String) throws -> [String: (status: String, text: String)] {
            let outcome = try Wire.run("connect; \(command(words))")
            var statuses: [String: (status: String, text: String)] = [:]
            for line in try outcome.json().array {
                statuses[try #require(line["code"].string)] = (line["status"].string ?? "", line["text"].string ?? "")
            }
            return statuses
        }
        let inside = try statuses("--isolated selfcheck --json")
        #expect(inside["Namespace"]?.status == "ok" && inside["Namespace"]?.text.contains("switched off") == true)
        for probe in ["interfaces", "routes"] { #expect(inside["Network.\(probe)"]?.status == "ok", "\(probe)") }
        let outside = try statuses("selfcheck --json")
        #expect(outside["Namespace"]?.status == "warn" && outside["Namespace"]?.text.contains("p0") == true)
        #expect(outside["Network.interfaces"]?.status == "fail")
        for code in ["Sandbox", "Sandbox.socket", "Sandbox.file"] {
            #expect(inside[code]?.status == outside[code]?.status, "\(code): \(inside), \(outside)")
        }
    }

    @Test("files keep their owner, and rights are not gained")
    func rights() throws {
        let file = scratch.path("made")
        let made = try Program.shell(
            "\(casemate) isolated -- /bin/sh -c \(Program.quoted("echo x >\(file); grep NoNewPrivs /proc/self/status; id -u"))"
        )
        #expect(made.exitCode == 0 && made.output.contains("NoNewPrivs:\t1\n\(getuid())\n"), "\(made.output)")
        var facts = stat()
        #expect(stat(file, &facts) == 0 && facts.st_uid == getuid())
    }

    @Test("where there is no namespace to be had, nothing is run")
    func impossible() throws {
        for words in ["isolated -- /bin/echo run", "--isolated key preview --phrase-fd 4"] {
            let refused = try Wire.run("echo 0 >/proc/sys/user/max_net_namespaces && \(command(words))")
            #expect(refused.exitCode == 22 && refused.output.isEmpty, "\(refused.errors)")
            #expect(refused.errors.contains("disconnect the machine"), "what to do")
        }
    }
}
