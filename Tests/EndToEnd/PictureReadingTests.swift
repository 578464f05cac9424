#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Foundation
    import QRCode
    import TestSupport
    import Testing

    /// Pictures from outside, as the programs read them: in `casemate-worker`, which lies beside them.
    @Suite("Reading pictures", .serialized)
    struct PictureReadingTests {
        private static let noNamespaces = "echo 0 >/proc/sys/user/max_user_namespaces"
        /// Whether this machine gives all of the sandbox, which can then be taken away.
        private static let isStrict =
            (try? Program.shell("exec unshare -Ur sh -c '\(noNamespaces)'").exitCode) == 0
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        /// A folder with copies of the programs and a worker.
        ///
        /// - Parameter worker: its program; nil for none.
        private func copies(worker: String?) throws -> (casemate: String, airgap: String) {
            for name in ["casemate", "airgap"] {
                try ExecutableCopy.make(of: Program(name: name).path, at: scratch.path(name))
            }
            if let worker {
                try ExecutableCopy.make(of: Program(name: worker).path, at: scratch.path("casemate-worker"))
            }
            return (scratch.path("casemate"), scratch.path("airgap"))
        }

        private func run(_ words: [String], settings: String = "") throws -> Program.Outcome {
            try Program.shell("exec env \(settings) " + words.map(Program.quoted).joined(separator: " "))
        }

        private func inspect(_ casemate: String, _ film: String, _ more: String...) throws -> Program.Outcome {
            try run([casemate, "inspect", "--qr", film, "--vault", scratch.path("none")] + more)
        }

        private static let payload = WestendPayload.bytes(
            of: WestendPayload.transaction(WestendPayload.proxiedBatch))

        /// Writes pictures behind each other.
        private func film(_ name: String, _ pictures: [[UInt8]]) throws -> String {
            try Data(pictures.joined()).write(to: URL(filePath: scratch.path(name)))
            return scratch.path(name)
        }

        /// A picture with a code in it, 300 pixels wide.
        private func picture(_ content: [UInt8]) throws -> [UInt8] {
            let symbol = try QRSymbol.encode(bytes: content)
            let scale = 260 / symbol.size
            return Self.pgm(300) { x, y in
                x >= 20 && y >= 20 && symbol[(x - 20) / scale, (y - 20) / scale] ? 0 : 255
            }
        }

        /// The width tells the test's worker what to do.
        private func white(_ width: Int) -> [UInt8] { Self.pgm(width) { _, _ in 255 } }

        private static func pgm(_ side: Int, _ pixel: (Int, Int) -> UInt8) -> [UInt8] {
            Array("P5 \(side) \(side) 255\n".utf8) + (0..<side * side).map { pixel($0 % side, $0 / side) }
        }

        @Test("the programs that hold secrets or hold them apart link no decoder of pictures; the worker does")
        func linkage() throws {
            func needed(_ name: String) throws -> [String] {
                let file = try ExecutableFile(parsing: OpenedFile(path: Program(name: name).path))
                return try file.images.flatMap { try file.linkage(of: $0).needed }
            }
            for program in ["casemate", "airgap"] {
                let libraries = try needed(program)
                #expect(!libraries.isEmpty)
                #expect(!libraries.contains { $0.contains("ZXing") || $0.contains("jpeg") }, "\(program): \(libraries)")
                // Nor is one of them linked in.
                let file = try Data(contentsOf: URL(filePath: Program(name: program).path))
                for symbol in ["cjpeg_", "czxing_"] { #expect(file.range(of: Data(symbol.utf8)) == nil, "\(program)") }
            }
            let worker = try needed("casemate-worker")
            #expect(worker.contains { $0.contains("ZXing") } && worker.contains { $0.contains("jpeg") })
        }

        @Test("a payload comes from a picture, a film and a folder")
        func ordinary() throws {
            let casemate = Program(name: "casemate").path
            let still = try film("still.pgm", [picture(Self.payload)])
            try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: false)
            _ = try film("folder/1.pgm", [white(200)])
            _ = try film("folder/2.pgm", [picture(Self.payload)])
            for source in [still, try film("film.pgm", [white(200), picture(Self.payload)]), scratch.path("folder")] {
                let outcome = try inspect(casemate, source)
                #expect(
                    outcome.exitCode == 0 && outcome.output.contains("3 calls in one transaction"), "\(outcome.errors)")
                #expect(outcome.errors.isEmpty)
            }
        }

        @Test("a picture that kills its reader is lost alone: it is named, and the next one is read")
        func deadly() throws {
            let (casemate, airgap) = try copies(worker: "PictureTestWorker")
            let good = try picture(Self.payload)
            let shown = try inspect(casemate, film("film.pgm", [white(134), good]), "--allow-unsandboxed-pictures")
            #expect(shown.exitCode == 0 && shown.output.contains("3 calls in one transaction"), "\(shown.errors)")
            #expect(shown.errors.contains("was ended by SIGSEGV; picture 1 is lost, and the others are not."))
            let lost = try inspect(casemate, film("lost.pgm", [white(133)]), "--allow-unsandboxed-pictures")
            #expect(lost.exitCode == 17 && lost.output.isEmpty)
            #expect(lost.errors.contains("was ended by SIGABRT; picture 1 is lost"))
            let out = scratch.path("out")
            let received = try run(
                [
                    airgap, "recv", film("file.pgm", [white(136), picture([1, 2, 3])]), "-o", out,
                    "--allow-unsandboxed-pictures",
                ])
            #expect(received.exitCode == 0, "\(received.errors)")
            #expect(received.errors.contains("was ended for a forbidden system call (setuid); picture 1 is lost"))
            #expect(try Array(Data(contentsOf: URL(filePath: out))) == [1, 2, 3])
        }

        @Test("a picture that never ends, and one of which its reader tells what cannot be, are lost alone as well")
        func hangingAndLying() throws {
            let airgap = try copies(worker: "PictureTestWorker").airgap
            let source = try film("film.pgm", [picture([1]), white(135), picture([2]), white(138), picture([3])])
            let outcome = try run([airgap, "qr", "decode", source, "--allow-unsandboxed-pictures"])
            #expect(outcome.exitCode == 0 && outcome.output == "01\n02\n03\n", "\(outcome.errors)")
            #expect(outcome.errors.contains("was ended after 20 s; picture 2 is lost"))
            #expect(outcome.errors.contains("corners that no code has); picture 4 is lost"))
        }

        @Test("a worker is looked for beside the program and nowhere else")
        func missing() throws {
            let (casemate, airgap) = try copies(worker: nil)
            let source = try film("still.pgm", [picture([1])])
            let settings = "PATH=\(Program.folder.path):/usr/bin:/bin"
            let refused = try run(
                [casemate, "inspect", "--qr", source, "--vault", scratch.path("none")], settings: settings)
            #expect(refused.exitCode == 19 && refused.output.isEmpty)
            #expect(
                refused.errors.contains(scratch.path("casemate-worker"))
                    && refused.errors.contains("make install-signed"))
            let received = try run([airgap, "recv", source, "-o", scratch.path("out")], settings: settings)
            #expect(received.exitCode == 1 && received.errors.contains("casemate-worker"))
        }

        @Test("without the sandbox pictures are refused, and with leave read all the same", .enabled(if: isStrict))
        func noSandbox() throws {
            let source = try film("still.pgm", [picture(Self.payload)])
            func outside(_ words: [String]) throws -> Program.Outcome {
                let command = words.map(Program.quoted).joined(separator: " ")
                return try Program.shell(
                    "exec unshare -Ur sh -c \(Program.quoted("\(Self.noNamespaces); exec \(command)"))")
            }
            let inspect = [Program(name: "casemate").path, "inspect", "--qr", source, "--vault", scratch.path("none")]
            let refused = try outside(inspect)
            #expect(refused.exitCode == 19 && refused.output.isEmpty)
            #expect(refused.errors.contains("Raise user.max_user_namespaces"), "\(refused.errors)")
            #expect(refused.errors.contains("--allow-unsandboxed-pictures"))
            let allowed = try outside(inspect + ["--allow-unsandboxed-pictures"])
            #expect(allowed.exitCode == 0 && allowed.output.contains("3 calls in one transaction"), "\(allowed.errors)")
            #expect(allowed.errors.contains("casemate: pictures are read without a sandbox: "))
            #expect(
                allowed.errors.contains("userNamespace") && allowed.errors.contains("Raise user.max_user_namespaces"))
            let receive = [Program(name: "airgap").path, "recv", source, "-o", scratch.path("out")]
            let unread = try outside(receive)
            #expect(unread.exitCode == 1 && unread.errors.contains("--allow-unsandboxed-pictures"))
            #expect(try outside(receive + ["--allow-unsandboxed-pictures"]).exitCode == 0)
            // Where nothing is missing, nothing is said.
            let whole = try run(inspect + ["--allow-unsandboxed-pictures"])
            #expect(whole.exitCode == 0 && whole.errors.isEmpty)
        }

        @Test("an installed reader has to be the one of the signed manifest")
        func manifest() throws {
            let tree = try InstalledTree()
            let source = try film("still.pgm", [picture(Self.payload)])
            let arguments = ["inspect", "--qr", source, "--allow-unsandboxed-pictures"]
            let read = try tree.run(arguments)
            #expect(read.exitCode == 0, "\(read.errors)")
            let worker = URL(filePath: tree.path("bin/casemate-worker"))
            let handle = try FileHandle(forWritingTo: worker)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data([0]))
            try handle.close()
            let refused = try tree.run(arguments)
            #expect(refused.exitCode == 19 && refused.output.isEmpty)
            #expect(
                refused.errors.contains("it is not the program that the signed manifest names"), "\(refused.errors)")
            try tree.without(["bin/casemate-worker"]) {
                let missing = try tree.run(arguments)
                #expect(missing.exitCode == 19 && missing.errors.contains("make install-signed"))
            }
        }
    }
#endif
