import CLibrary
import Files
import TestSupport
import Testing

@testable import Gate

@Suite("A JSON file whose process is killed")
struct KilledStoreTests {
    private func open(_ folder: TemporaryFolder) throws -> JSONKeyStore {
        var options = JSONKeyStore.Options()
        options.maximumKeys = 1_000_000
        return try JSONKeyStore(path: folder.path("keys.json"), options, now: Keys.time, timer: ManualTimer())
    }

    /// Four lanes register; one acknowledgement is waited for, and the process dies while the others are under way.
    @Test("holds each registration that was acknowledged, however often it happens")
    func kill() async throws {
        let folder = try TemporaryFolder()
        let host = try ChildProgram.built("GateTestHost")
        var random = SplitMix64(state: 3)
        var acknowledged: Set<Int> = []
        for round in 0..<25 {
            let program = try ChildProgram(host, ["register", folder.path("keys.json"), String(round * 1_000_000)])
            for _ in 0...(random.next() % 12) {
                acknowledged.insert(try #require((await program.nextLine()).flatMap { Int($0) }))
            }
            program.kill()
            // What it said before it died counts too.
            acknowledged.formUnion(await program.remainingLines().compactMap { Int($0) })
            #expect(await program.wait() == 128 + SIGKILL)

            let store = try open(folder)
            #expect(store.opening.skipped == 0)
            let lost = acknowledged.filter { store.key(Keys.id($0)) == nil }
            #expect(lost.isEmpty, "in round \(round)")
            // At most one registration of each lane was under way.
            #expect(store.count() <= acknowledged.count + 4 * (round + 1))
            await store.close()
        }
    }

    @Test("has the old content or the new at each step of a save", arguments: ReplacementStep.allCases)
    func steps(step: ReplacementStep) async throws {
        let folder = try TemporaryFolder()
        let host = try ChildProgram.built("GateTestHost")
        let path = folder.path("keys.json")
        #expect(try await ChildProgram.run(host, ["step", path, "1", "none"]) == ["acknowledged"])
        let program = try ChildProgram(host, ["step", path, "2", step.rawValue])
        #expect(await program.remainingLines().isEmpty)
        #expect(await program.wait() == 9)
        let store = try open(folder)
        #expect(store.opening.skipped == 0 && store.key(Keys.id(1)) != nil)
        #expect((store.key(Keys.id(2)) != nil) == [.renamed, .settled].contains(step))
        // What the dead process left does not stand in the way.
        #expect(try await store.insertIfAbsent(Keys.key(3)) == .inserted)
        #expect(folder.names(in: ".keys.json.saving").isEmpty)
        await store.close()
    }

    /// A file system of its own that is full: for root, in a mount namespace that goes with the process.
    @Test(
        "on a full disk refuses, loses nothing, and recovers",
        .enabled(if: canMount, "no right to mount a small file system"))
    func full() async throws {
        let folder = try TemporaryFolder()
        let host = try ChildProgram.built("GateTestHost")
        let script = """
            mount -t tmpfs -o size=256k tmpfs "$2" && head -c 65536 /dev/zero >"$2/ballast" \
            && "$1" fill "$2/keys.json" "$2/ballast" && cp "$2/keys.json" "$3"
            """
        #expect(mkdir(folder.path("disk"), 0o700) == 0)
        let lines = try await ChildProgram.run(
            "/usr/bin/unshare",
            ["-m", "/bin/sh", "-c", script, "sh", host, folder.path("disk"), folder.path("keys.json")])
        #expect(lines.count == 2 && lines.last == "recovered")
        let acknowledged = try #require(lines.first?.split(separator: " ").first.flatMap { Int($0) })
        #expect(acknowledged > 0 && lines.first?.hasSuffix("refused") == true)
        let store = try open(folder)
        #expect(store.opening == .init(keys: acknowledged + 1))
        for number in 0...acknowledged { #expect(store.key(Keys.id(number)) != nil) }
        await store.close()
    }

    static let canMount = geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0 && mayUnshare

    /// Containers often forbid it to root too.
    private static let mayUnshare: Bool = {
        var status: Int32 = 0
        var child: pid_t = 0
        let script = "mount -t tmpfs -o size=64k tmpfs /mnt"
        let words = ["unshare", "-m", "/bin/sh", "-c", script] as [String]
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        guard posix_spawn(&child, "/usr/bin/unshare", nil, nil, copies + [nil], environ) == 0 else { return false }
        return waitpid(child, &status, 0) == child && status == 0
    }()

    @Test("at a limit of its size refuses, and loses nothing")
    func limit() async throws {
        let folder = try TemporaryFolder()
        let host = try ChildProgram.built("GateTestHost")
        let program = try ChildProgram(
            "/bin/sh",
            ["-c", "trap '' XFSZ; ulimit -f 200; exec \"$0\" fill \"$1\" /nonexistent", host, folder.path("keys.json")])
        let lines = await program.remainingLines()
        _ = await program.wait()
        let acknowledged = try #require(lines.first?.split(separator: " ").first.flatMap { Int($0) })
        #expect(acknowledged > 0 && lines.first?.hasSuffix("refused") == true)
        let store = try open(folder)
        #expect(store.opening.skipped == 0)
        for number in 0..<acknowledged { #expect(store.key(Keys.id(number)) != nil) }
        await store.close()
    }
}
