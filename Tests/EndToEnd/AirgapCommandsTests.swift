import Foundation
import TestSupport
import Testing

@Suite("airgap, as a person runs it")
struct AirgapCommandsTests {
    private static let airgap = Program(name: "airgap")
    private let scratch: Scratch
    private let file: String

    init() throws {
        scratch = try Scratch()
        file = scratch.path("file.bin")
    }

    private func bytes(_ count: Int, seed: UInt64 = 9) -> [UInt8] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in random.byte() }
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = scratch.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// Sends, and expects to be done.
    private func send(_ arguments: [String]) throws {
        try Self.airgap.run(["send"] + arguments).succeeded()
    }

    private func receive(_ arguments: [String]) throws -> Program.Outcome {
        try Self.airgap.run(["recv"] + arguments)
    }

    @Test("200 KB go into a film and come out of it", arguments: ["film.apng", "film.y4m", "film.gif"])
    func films(name: String) throws {
        let content = bytes(200_000)
        let film = scratch.path(name)
        try send([try write(content, "file.bin"), "--out", film])
        let out = scratch.path("out.bin")
        let outcome = try receive([film, "-o", out, "--json"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try read(out) == content)
        let json = try outcome.json()
        #expect(json["files"][0]["bytes"].int == 200_000 && json["refused"].int == 0)
        // As soon as it is certain, not at the end of the film.
        #expect(try #require(json["pictures"].int) < 200)
    }

    @Test("a film of more pictures than its budget is read so far, said by name and by an exit code of its own")
    func filmBudget() throws {
        var film = Array("YUV4MPEG2 W1 H1 F30:1 Cmono\n".utf8)
        for _ in 0..<100_001 { film += Array("FRAME\n".utf8) + [0xeb] }
        let path = try write(film, "small.y4m")
        let outcome = try receive([path, "-o", scratch.path("out"), "--film-minutes", "1"])
        #expect(outcome.exitCode == 5, "\(outcome.errors)")
        #expect(outcome.errors.contains("budget of 100000 pictures") || outcome.errors.contains("budget of 60 s"))
        #expect(outcome.errors.contains("--film-minutes"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
        #expect(try receive([path, "-o", scratch.path("out"), "--film-minutes", "0"]).exitCode == 4)
    }

    @Test("of a film of which 30 % are missing and the rest is out of order, all comes out")
    func losses() throws {
        let content = bytes(60_000)
        let folder = scratch.path("frames")
        try send([try write(content, "file.bin"), "--out", folder + "/"])
        var random = SplitMix64(state: 4)
        let frames = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let kept = frames.filter { _ in random.next() % 10 > 2 }.shuffled(using: &random)
        #expect(kept.count < frames.count)
        let out = scratch.path("out.bin")
        let outcome = try receive(kept.map { "\(folder)/\($0)" } + ["-o", out])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try read(out) == content)
    }

    @Test("of two films that are shown in turn both come out")
    func interleaved() throws {
        let contents = [bytes(30_000, seed: 1), bytes(40_000, seed: 2)]
        let lines = try contents.enumerated().map { index, content in
            let path = try write(content, "file\(index)")
            return try Self.airgap.run(["send", path, "--out", "-"]).output.split(separator: "\n")
        }
        let mixed = (0..<max(lines[0].count, lines[1].count)).flatMap { index in
            lines.compactMap { index < $0.count ? $0[index] : nil }
        }
        let out = scratch.path("out.bin")
        let outcome = try Self.airgap.run(
            ["recv", "-", "-o", out, "--all"], input: Array(mixed.joined(separator: "\n").utf8))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try read(out + "-1") == contents[0] && read(out + "-2") == contents[1])
    }

    @Test("what was read of an unfinished film is kept and gone on with")
    func partial() throws {
        let content = bytes(20_000)
        let sent = try Self.airgap.run(["send", try write(content, "file.bin"), "--out", "-"])
        let lines = sent.output.split(separator: "\n")
        let first = try write(Array(lines[..<10].joined(separator: "\n").utf8), "first.hex")
        let second = try write(Array(lines[10...].joined(separator: "\n").utf8), "second.hex")
        let (kept, out) = (scratch.path("kept"), scratch.path("out.bin"))
        let begun = try receive([first, "-o", out, "--partial", kept])
        #expect(begun.exitCode == 2 && begun.errors.contains("10 different codes of at least 20"))
        #expect(!FileManager.default.fileExists(atPath: out))
        let collected = try read(kept)
        // A place that is full.
        let words = [Self.airgap.path, "recv", second, "-o", "-", "--partial", kept].map(Program.quoted)
        let full = try Program.shell("(exec \(words.joined(separator: " ")) >/dev/full)")
        #expect(try full.exitCode == 1 && read(kept) != collected, "\(full.errors)")
        // All of it was read: nothing more is needed.
        let nothing = try write([], "nothing.hex")
        let done = try receive([nothing, "-o", out, "--partial", kept])
        #expect(done.exitCode == 0, "\(done.errors)")
        #expect(try read(out) == content)
        #expect(!FileManager.default.fileExists(atPath: kept))
    }

    @Test("who ends the program loses nothing of what was read", arguments: [SIGTERM, SIGHUP, SIGINT])
    func ended(signal: CInt) throws {
        let content = bytes(20_000)
        let sent = try Self.airgap.run(["send", try write(content, "file.bin"), "--out", "-"])
        let lines = sent.output.split(separator: "\n")
        let first = try write(Array((lines[..<10].joined(separator: "\n") + "\n").utf8), "first.hex")
        let second = try write(Array(lines[10...].joined(separator: "\n").utf8), "second.hex")
        let (kept, out) = (scratch.path("kept"), scratch.path("out.bin"))
        // It waits for lines that do not come, having taken all that came. A shell would start it with SIGINT ignored.
        let script = """
            import fcntl, os, signal, struct, sys, termios, time
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                for each in (1, 2, 15): signal.signal(each, signal.SIG_DFL)
                os.dup2(reading, 0)
                os.execv(sys.argv[3], sys.argv[3:])
            os.write(writing, open(sys.argv[2], "rb").read())
            def left(): return struct.unpack("i", fcntl.ioctl(reading, termios.FIONREAD, bytes(4)))[0]
            def state(): return open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0]
            while left() > 0 or state() != "S": time.sleep(0.01)
            os.kill(child, int(sys.argv[1]))
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        let words = [
            "python3", "-c", script, "\(signal)", first, Self.airgap.path, "recv", "-", "-o", out, "--partial", kept,
        ]
        let ended = try Program.shell(words.map(Program.quoted).joined(separator: " "))
        #expect(ended.exitCode == 2, "\(ended.errors)")
        let done = try receive([second, "-o", out, "--partial", kept])
        #expect(done.exitCode == 0, "\(done.errors)")
        #expect(try read(out) == content)
    }

    @Test("a contradiction is not forgotten with the run that has met it, though nothing else is left of it")
    func contradictionAlone() throws {
        let codes = try [bytes(2_500, seed: 51), bytes(2_500, seed: 52)].enumerated().map { index, content in
            let path = try write(content, "file\(index)")
            return try Self.airgap.run(["send", path, "--out", "-", "--legacy"]).output.split(separator: "\n")
        }
        try #require(codes[0].count == codes[1].count && codes[0].count > 2)
        let film = [codes[0][0], codes[1][0], codes[0][1], codes[1][2], codes[0][0]] + codes[1][3...]
        let out = scratch.path("out.bin")
        for cut in 1..<film.count {
            let kept = scratch.path("kept\(cut)")
            let first = try write(Array(film[..<cut].joined(separator: "\n").utf8), "first.hex")
            let second = try write(Array(film[cut...].joined(separator: "\n").utf8), "second.hex")
            #expect(try receive([first, "-o", out, "--partial", kept]).exitCode != 0)
            #expect(try receive([second, "-o", out, "--partial", kept]).exitCode == 3, "cut at \(cut)")
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    @Test("a contradiction is not forgotten with the run that has met it")
    func contradiction() throws {
        let codes = try [bytes(20_000, seed: 31), bytes(20_000, seed: 32)].enumerated().map { index, content in
            let path = try write(content, "file\(index)")
            return try Self.airgap.run(["send", path, "--out", "-", "--repair", "0"]).output.split(separator: "\n")
        }
        let begun = Array(codes[0][..<10]) + [codes[1][4]]
        let (kept, out) = (scratch.path("kept"), scratch.path("out.bin"))
        let first = try write(Array(begun.joined(separator: "\n").utf8), "first.hex")
        let second = try write(Array(codes[0][10...].joined(separator: "\n").utf8), "second.hex")
        #expect(try receive([first, second, "-o", out]).exitCode == 3)
        #expect(try receive([first, "-o", out, "--partial", kept]).exitCode != 0)
        #expect(try receive([second, "-o", out, "--partial", kept]).exitCode == 3)
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test("with --all a file that is not whole is told of")
    func unfinishedBeside() throws {
        let codes = try [bytes(20_000, seed: 41), bytes(30_000, seed: 42)].enumerated().map { index, content in
            let path = try write(content, "file\(index)")
            return try Self.airgap.run(["send", path, "--out", "-"]).output.split(separator: "\n")
        }
        let mixed = try write(Array((codes[0] + codes[1][..<5]).joined(separator: "\n").utf8), "mixed.hex")
        let out = scratch.path("out.bin")
        let outcome = try receive([mixed, "-o", out, "--all"])
        #expect(outcome.exitCode == 2 && outcome.errors.contains("5 different codes of at least"), "\(outcome.errors)")
        #expect(try read(out) == bytes(20_000, seed: 41))
    }

    @Test("what is not a file of its own is neither read nor removed as one that was begun")
    func foreignPartial() throws {
        let small = try write(bytes(100), "small")
        let sent = try Self.airgap.run(["send", small, "--out", "-"])
        let lines = try write(Array(sent.output.utf8), "lines.hex")
        let (out, own) = (scratch.path("out.bin"), try write(Array("00ff\n".utf8), "own.hex"))
        let (pipe, link) = (scratch.path("pipe"), scratch.path("link"))
        try #require(mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: own)
        for kept in [own, pipe, link, scratch.path] {
            let refused = try receive([lines, "-o", out, "--partial", kept])
            #expect(refused.exitCode == 4 && refused.errors.contains("no file that --partial has made"), "\(kept)")
            #expect(FileManager.default.fileExists(atPath: kept) && !FileManager.default.fileExists(atPath: out))
        }
        #expect(try read(own) == Array("00ff\n".utf8))
        #expect(try receive([lines, "-o", out, "--partial", scratch.path("new")]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("new")))
    }

    @Test("a file that no further code confirms is said to be one, and two such files are not taken for one")
    func unconfirmed() throws {
        let contents = [bytes(20_000, seed: 21), bytes(20_000, seed: 22), bytes(30_000, seed: 23)]
        let codes = try contents.enumerated().map { index, content in
            let path = try write(content, "file\(index)")
            return try Self.airgap.run(["send", path, "--out", "-", "--repair", "0"]).output.split(separator: "\n")
        }
        let lines = { (name: String, codes: [Substring]) in
            try write(Array(codes.joined(separator: "\n").utf8), name)
        }
        let (kept, out) = (scratch.path("kept"), scratch.path("out.bin"))
        let one = try receive([lines("one.hex", codes[0]), "-o", out, "--partial", kept, "--json"])
        #expect(try one.exitCode == 0 && one.json()["files"][0]["confirmed"].bool == false)
        #expect(try read(out) == contents[0] && !FileManager.default.fileExists(atPath: kept))
        // Codes of two files of one size fit each other, and it is said that nothing vouches for the whole.
        let mixed = try receive([lines("mixed.hex", Array(codes[0][..<10]) + codes[1][10...]), "-o", out])
        #expect(mixed.exitCode == 0 && mixed.errors.contains("compare it with its source"))
        let two = try lines("two.hex", codes[0] + codes[2])
        for place in [out, "-"] {
            let refused = try receive([two, "-o", place])
            #expect(refused.exitCode == 3 && refused.output.isEmpty && refused.errors.contains("2 files are whole"))
        }
        #expect(try receive([two, "-o", scratch.path("all"), "--all"]).exitCode == 0)
        #expect(try read(scratch.path("all-2")) == contents[2])
    }

    @Test("numbered pieces of two files are not put together, and what only came once is not called confirmed")
    func numberedPieces() throws {
        let files = [bytes(2000, seed: 31), bytes(2000, seed: 32)]
        func line(_ file: Int, _ piece: Int) -> String {
            let head = [0, 0, 2, 0, UInt8(piece)] as [UInt8]
            let data = piece == 0 ? files[file][..<1024] : files[file][1024...]
            return (head + data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        func received(_ name: String, _ lines: [String]) throws -> Program.Outcome {
            let path = try write(Array(lines.joined(separator: "\n").utf8), name)
            return try receive([path, "-o", file, "--json"])
        }
        let mixed = try received("mixed.hex", [line(0, 0), line(1, 0), line(1, 1)])
        #expect(mixed.exitCode == 3 && !FileManager.default.fileExists(atPath: file), "\(mixed.errors)")
        // Nothing contradicts these, and nothing vouches for them.
        let once = try received("once.hex", [line(0, 0), line(1, 1)])
        #expect(try once.exitCode == 0 && once.json()["files"][0]["confirmed"].bool == false)
        let behind = try received(
            "behind.hex", [line(0, 0), line(1, 0)] + [line(1, 0), line(1, 1), line(1, 0), line(1, 1)])
        #expect(try behind.exitCode == 0 && behind.json()["files"][0]["confirmed"].bool == true, "\(behind.errors)")
        #expect(try read(file) == files[1])
    }

    @Test("pictures are not put into a folder that holds others")
    func folderInUse() throws {
        let folder = scratch.path("pictures") + "/"
        try send([try write(bytes(5000), "first"), "--out", folder])
        let other = try write(bytes(100), "second")
        let refused = try Self.airgap.run(["send", other, "--out", folder])
        #expect(refused.exitCode == 4 && refused.errors.contains("is not empty"))
        #expect(try receive([folder, "-o", scratch.path("out.bin")]).exitCode == 0)
        #expect(try read(scratch.path("out.bin")) == bytes(5000))
    }

    @Test("of two films that are put into one folder at once, one is")
    func oneFolder() throws {
        let files = try [1, 2].map { try write(bytes(20_000, seed: $0), "file\($0)") }
        let send = files.map { file in
            ([Self.airgap.path, "send", file, "--out", scratch.path("both") + "/"]).map(Program.quoted)
                .joined(separator: " ")
        }
        let codes = try Program.shell("{ \(send[0]) >&2 & \(send[1]) >&2; echo $?; wait $!; echo $?; }")
        #expect(["0\n4\n", "4\n0\n"].contains(codes.output), "\(codes)")
        #expect(try receive([scratch.path("both"), "-o", scratch.path("out.bin")]).exitCode == 0)
        let first = codes.output.hasPrefix("0")
        #expect(try read(scratch.path("out.bin")) == bytes(20_000, seed: first ? 2 : 1))
    }

    @Test(
        "a file whose first bytes are those of a frame goes through one code",
        arguments: [[0x89, 0x50], [0, 0], [0x80, 0]])
    func frameLike(first: [UInt8]) throws {
        let content = first + bytes(500)
        let picture = scratch.path("one.png")
        let sent = try Self.airgap.run(["send", try write(content, "file.bin"), "--out", picture, "--json"])
        #expect(try sent.json()["bytes"].int == 502 && sent.json()["frames"].int == 1)
        let outcome = try receive([picture, "-o", scratch.path("out.bin"), "--json"])
        #expect(try outcome.json()["files"][0]["confirmed"].bool == true, "\(outcome.errors)")
        #expect(try read(scratch.path("out.bin")) == content)
    }

    @Test("wrong use, wrong input and too little input have their exit codes")
    func refusals() throws {
        let small = try write(bytes(5000), "small")
        let empty = try write([], "empty")
        let out = scratch.path("out")
        #expect(try Self.airgap.run(["send", small, "--out", scratch.path("film.avi")]).exitCode == 4)
        #expect(try Self.airgap.run(["send", small, "--out", scratch.path("film.png")]).exitCode == 4)
        #expect(try Self.airgap.run(["send", small, "--fps", "99"]).exitCode == 4)
        #expect(
            try Self.airgap.run(["send", small, "--out", scratch.path("f.gif"), "--repair", "endless"]).exitCode == 4)
        #expect(try Self.airgap.run(["send", empty, "--out", scratch.path("f.gif")]).exitCode == 1)
        #expect(try Self.airgap.run(["send", scratch.path("none"), "--out", scratch.path("f.gif")]).exitCode == 1)
        #expect(try Self.airgap.run(["nonsense"]).exitCode == 4)
        #expect(try Self.airgap.run(["send", scratch.path, "--out", scratch.path("f.gif")]).exitCode == 1)
        #expect(try receive([scratch.path("none"), "-o", out]).exitCode == 1)
        #expect(try receive(["/dev/null", "-o", out]).exitCode == 1)
        #expect(try receive([try write(Array("P5 9 9 255\n".utf8) + bytes(81), "noise.pgm"), "-o", out]).exitCode == 2)
        let noPicture = try receive([try write(bytes(3000), "noise.png"), "-o", out])
        #expect(noPicture.exitCode == 2 && noPicture.errors.contains("no picture or film"), "\(noPicture.errors)")
        let lines = try [bytes(5000, seed: 1), bytes(5000, seed: 2)].map { content in
            try Self.airgap.run(["send", try write(content, "x"), "--out", "-"]).output
        }
        // Frames of two files of the same size contradict each other, and those that come second are refused.
        #expect(try receive([try write(Array(lines.joined().utf8), "mixed.hex"), "-o", out]).exitCode == 0)
        let codes = lines.map { $0.split(separator: "\n") }
        let turns = zip(codes[0], codes[1]).flatMap { [$0, $1] }
        let outcome = try receive([try write(Array(turns.joined(separator: "\n").utf8), "turns.hex"), "-o", out])
        #expect(outcome.exitCode == 0 && outcome.errors.contains("that did not fit"), "\(outcome.errors)")
        #expect(try read(out) == bytes(5000, seed: 1))
        // Where each gives its half there is none that the rest confirms.
        let halves = zip(codes[0], codes[1]).enumerated().flatMap { $0 % 2 == 0 ? [$1.0, $1.1] : [$1.1, $1.0] }
        let mixed = try receive([try write(Array(halves.joined(separator: "\n").utf8), "halves.hex"), "-o", out])
        #expect(mixed.exitCode == 3, "\(mixed.errors)")
        let large = try receive([try write(Array(lines[0].utf8), "large.hex"), "-o", out, "--max-size", "4999"])
        #expect(large.exitCode == 3 && large.errors.contains("at most 4999"), "\(large.errors)")
        #expect(try Self.airgap.run(["--help"]).output.contains("--max-size"))
        for help in [["--help"], ["send", "--help"], ["recv", "--help"], ["rq", "--help"], ["qr", "--help"]] {
            #expect(try Self.airgap.run(help).exitCode == 0)
        }
    }

    @Test("the code alone: packets with losses give the file back")
    func packets() throws {
        let content = bytes(50_000)
        let packets = scratch.path("packets")
        let encoded = try Self.airgap.run(
            [
                "rq", "encode", try write(content, "file.bin"), "--symbol-size", "500", "--repair", "40", "-o", packets,
                "--json",
            ])
        let oti = try #require(try encoded.json()["oti"].string)
        let all = try read(packets)
        // Symbols have a multiple of 8 bytes.
        let starts = (0..<all.count / 500).filter { $0 % 4 != 0 }.map { $0 * 500 }
        let kept = starts.flatMap { start in all[start..<start + 500] }
        let out = scratch.path("out.bin")
        let decoded = try Self.airgap.run(
            ["rq", "decode", try write(kept, "kept"), "--oti", oti, "-o", out])
        #expect(decoded.exitCode == 0, "\(decoded.errors)")
        #expect(try read(out) == content)
        let few = try write(Array(all[..<5000]), "few")
        #expect(try Self.airgap.run(["rq", "decode", few, "--oti", oti, "-o", out]).exitCode == 2)
        #expect(try Self.airgap.run(["rq", "decode", few, "--oti", "00", "-o", out]).exitCode == 4)
        #expect(try Self.airgap.run(["rq", "plan-stats", "10", "--json"]).json()[0]["intermediate"].int == 27)
        #expect(try Self.airgap.run(["rq", "oti", oti, "--json"]).json()["objectSize"].int == 50_000)
    }

    @Test("a single code is made and read")
    func single() throws {
        let picture = scratch.path("code.png")
        let made = try Self.airgap.run(
            ["qr", "encode", try write(Array("hello".utf8), "text"), "-o", picture, "--level", "H", "--json"])
        #expect(try made.json()["version"].int == 1 || made.json()["version"].int == 2)
        let read = try Self.airgap.run(["qr", "decode", picture])
        #expect(read.output == "68656c6c6f\n")
        #expect(try Self.airgap.run(["qr", "decode", picture, "--raw"]).output == "hello")
        #expect(try Self.airgap.run(["qr", "encode", file]).exitCode == 1)
    }

    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test("a browser shows the page, and what it shows is read", .enabled(if: browser != nil))
    func page() throws {
        let content = bytes(3000)
        let page = scratch.path("film.html")
        try send([try write(content, "file.bin"), "--dialect", "vault", "--out", page])
        let shots = scratch.path("shots")
        try FileManager.default.createDirectory(atPath: shots, withIntermediateDirectories: true)
        let browser = try #require(Self.browser)
        // Three parts of the file, two of them, and repair codes.
        for frame in [1, 3, 4, 5] {
            try Program.shell(
                "timeout 600 \(browser) --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,1100 "
                    + "--user-data-dir=\(Program.quoted(scratch.path("profile"))) "
                    + "--screenshot=\(Program.quoted("\(shots)/\(frame).png")) \(Program.quoted("file://\(page)#frame=\(frame)"))"
            ).succeeded()
        }
        let out = scratch.path("out.bin")
        let outcome = try receive([shots, "-o", out])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try read(out) == content)
    }

    @Test("the film in the manual holds the licence")
    func manual() throws {
        let out = scratch.path("licence")
        let outcome = try receive([packageRoot.appending(path: "docs/images/film.png").path, "-o", out])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try read(out) == read(packageRoot.appending(path: "LICENSE").path))
    }

    @Test("casemate reads a payload from a film, as from a picture")
    func inspect() throws {
        let payload = try write(
            WestendPayload.bytes(of: WestendPayload.transaction(WestendPayload.proxiedBatch)), "payload")
        let film = scratch.path("film.apng")
        try send([payload, "--chunk", "64", "--out", film])
        let outcome = try Program(name: "casemate").run(["inspect", "--qr", film])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("3 calls in one transaction"))
    }
}
