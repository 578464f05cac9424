#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Foundation
    import ManifestMaking
    import TestSupport
    import Testing

    @testable import Vigil

    let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    /// A little program with a library in a folder of its own, which runs and is connected to this process.
    final class InstalledPeer {
        let folder: TemporaryFolder
        let manifest: Manifest
        private let program = Process()
        private let input = Pipe()
        private let output = Pipe()
        private(set) var peer: any InspectedPeer

        private static let source = """
            #include <dlfcn.h>
            #include <stdio.h>
            #include <string.h>
            #include <sys/socket.h>
            #include <sys/un.h>
            #include <unistd.h>
            int answer(void);
            int main(int argc, char **argv) {
                struct sockaddr_un address = {.sun_family = AF_UNIX};
                strncpy(address.sun_path, argv[argc - 1], sizeof address.sun_path - 1);
                int peer = socket(AF_UNIX, SOCK_STREAM, 0);
                if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return answer();
                char line[4096];
                while (fgets(line, sizeof line, stdin)) {
                    line[strcspn(line, "\\n")] = 0;
                    puts(dlopen(line, RTLD_NOW) ? "loaded" : "refused");
                    fflush(stdout);
                }
            }
            """

        /// - Parameters:
        ///   - pageSize: of the manifest's pages.
        ///   - externals: of the manifest.
        ///   - start: what has to be done before the program is started, and the path that it is started by; nil for
        ///     that of the manifest.
        ///   - change: of the policy.
        init(
            pageSize: PageSize? = nil, externals: [ExternalLibrary] = [], files: FileMeasurements = FileMeasurements(),
            start: ((TemporaryFolder) throws -> String)? = nil, _ change: (inout MeasurementPolicy) -> Void = { _ in }
        ) throws {
            folder = try TemporaryFolder()
            try Self.build(folder)
            manifest = try Self.manifest(folder, externals, pageSize)
            let expected = try ExpectedProgram(
                .app, of: manifest, architecture: RunningArchitecture.name, bundleRoot: folder.path("root"))
            var policy = MeasurementPolicy()
            change(&policy)
            let inspector = KernelInspector(
                expected, policy, peers: PeerPolicy(allowedUsers: [geteuid()]), files: files)
            let listener = try UnixListener(at: folder.path("run/socket"))
            program.executableURL = URL(filePath: try start?(folder) ?? folder.path("root/bin/app"))
            program.arguments = [listener.path]
            program.standardInput = input
            program.standardOutput = output
            try program.run()
            let channel = try UnixSocketChannel(try listener.accept(), isAccepting: true)
            peer = try inspector.inspect(channel)
        }

        deinit {
            kill(program.processIdentifier, SIGKILL)
            program.waitUntilExit()
        }

        private static func build(_ folder: TemporaryFolder) throws {
            let manager = FileManager.default
            for name in ["root/bin", "root/lib", "run"] {
                try manager.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
            }
            chmod(folder.path("run"), 0o700)
            try Data(source.utf8).write(to: folder.url.appending(path: "app.c"))
            try Data("int answer(void) { return 1; }".utf8).write(to: folder.url.appending(path: "answer.c"))
            try compile(folder, "-shared", "-fPIC", "-o", "root/lib/libanswer.so", "answer.c")
            try compile(
                folder, "-o", "root/bin/app", "app.c", "-Lroot/lib", "-lanswer", "-Wl,-rpath,$ORIGIN/../lib")
            try ExecutableCopy.make(of: folder.path("root/bin/app"), at: folder.path("root/bin/validator"))
        }

        private static func compile(_ folder: TemporaryFolder, _ arguments: String...) throws {
            try Tool.run("/usr/bin/cc", ["-O1", "-Wl,-z,now"] + arguments, in: folder.url)
        }

        private static func manifest(
            _ folder: TemporaryFolder, _ externals: [ExternalLibrary], _ pageSize: PageSize?
        ) throws -> Manifest {
            var draft = ManifestDraft(
                app: folder.path("root/bin/app"), validator: folder.path("root/bin/validator"),
                bundleRoot: folder.path("root"))
            draft.withPages = true
            let made = try draft.manifest(product: "org.example", epoch: 1, created: Timestamp(Date()))
            var images = made.images
            if let pageSize {
                for index in images.indices {
                    let path = folder.path("root/\(images[index].path)")
                    try images[index].setPages(of: path, pageSize)
                }
            }
            return try Manifest(
                product: made.product, epoch: made.epoch, created: made.created, images: images,
                externals: externals, bundles: made.bundles)
        }

        var process: Int32 { program.processIdentifier }
        func path(_ name: String) -> String { folder.path("root/\(name)") }

        func look(_ levels: Levels = [.mapShape, .codePages], isNewSession: Bool = false) throws(Refusal) -> Inspection
        {
            try peer.look(levels, isNewSession: isNewSession)
        }

        /// Lets the program load a library.
        func load(_ path: String) throws {
            input.fileHandleForWriting.write(Data("\(path)\n".utf8))
            let answer = try #require(try output.fileHandleForReading.read(upToCount: 7))
            try #require(String(decoding: answer, as: UTF8.self) == "loaded\n".prefix(7))
        }
    }

    extension ManifestImage {
        /// Gives it the pages of another size.
        fileprivate mutating func setPages(of path: String, _ size: PageSize) throws {
            let file = try ExecutableFile(parsing: OpenedFile(path: path))
            let image = try #require(file.images.first)
            let runs = try file.pageDigests(of: image, pageSize: size)
            pages = try runs.map { run in
                PageRun(address: run.segment.address, digests: try run.digests.map { try #require(Bytes32($0.bytes)) })
            }
            pageSize = size
            pageRoot = pages?.root(pageSize: size) ?? .zero
        }
    }
#endif
