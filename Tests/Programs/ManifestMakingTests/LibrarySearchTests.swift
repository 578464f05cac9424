#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Foundation
    import TestSupport
    import Testing

    @testable import ManifestMaking
    @testable import Vigil

    /// Programs that are compiled here, whose libraries the system's own loader lists beside ours.
    @Suite("Libraries of a program", .enabled(if: hasCompiler))
    struct LibrarySearchTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            for name in ["rööt/bin", "rööt/lib/inner", "rööt/libexec", "elsewhere"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path(name), withIntermediateDirectories: true)
            }
        }

        private func compile(_ source: String, to path: String, _ options: [String]) throws {
            let file = folder.path("\(URL(filePath: path).lastPathComponent).c")
            try Data(source.utf8).write(to: URL(filePath: file))
            try Tool.run(
                "/usr/bin/cc", ["-o", path, "-Wl,-z,now,--no-as-needed,--allow-shlib-undefined", file] + options,
                in: folder.url)
        }

        private func library(_ path: String, _ options: String...) throws {
            let name = URL(filePath: path).lastPathComponent
            let function = name.prefix { $0 != "." }
            try compile(
                "int \(function)(void) { return 1; }", to: path, ["-shared", "-fPIC", "-Wl,-soname,\(name)"] + options)
        }

        private func program(_ path: String, _ options: String...) throws {
            try compile("int main(void) { return 0; }", to: path, options)
        }

        private func manifest(_ system: SystemLibraries? = .ofThisMachine) throws -> Manifest {
            var draft = ManifestDraft(
                app: folder.path("rööt/bin/app"), validator: folder.path("rööt/libexec/validator"),
                bundleRoot: folder.path("rööt"))
            draft.systemLibraries = system
            return try draft.manifest(product: "org.example", epoch: 1, created: Timestamp(Date()))
        }

        /// What the loader says that it would load: paths of real files by the names that are asked for.
        private func listed(by program: String) throws -> [String: String] {
            let output = try Tool.outcome(of: program, [], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).output
            let text = String(decoding: output, as: UTF8.self)
            var found: [String: String] = [:]
            for line in text.split(separator: "\n") {
                // `name => path (address)`, and for the loader its path alone.
                let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
                guard let name = words.first, !name.hasPrefix("linux-vdso") else { continue }
                let path = words.count > 2 && words[1] == "=>" ? words[2] : name
                found[URL(filePath: name).lastPathComponent] = LibrarySearch.withoutLinks(path)
            }
            return found
        }

        /// Whether a manifest names what the loader loads, each on its side.
        private func agrees(_ manifest: Manifest) throws -> Bool {
            let root = try #require(LibrarySearch.withoutLinks(folder.path("rööt"))) + "/"
            let listed = try listed(by: folder.path("rööt/bin/app"))
            let own = Set(listed.values.filter { $0.hasPrefix(root) }.map { String($0.dropFirst(root.count)) })
            let external = Set(listed.filter { !$0.value.hasPrefix(root) }.keys)
            let images = manifest.images(of: .app, architecture: RunningArchitecture.name).map(\.path)
            #expect(own.isSubset(of: images))
            #expect(manifest.externalNames(of: .app) == external)
            return own.isSubset(of: images) && manifest.externalNames(of: .app) == external
        }

        @Test("DT_RUNPATH is that of who asks alone, and $ORIGIN the folder of that file")
        func runpath() throws {
            try library("rööt/lib/inner/libdeep.so")
            try library("rööt/lib/libupper.so", "-Lrööt/lib/inner", "-ldeep", "-lm", "-Wl,-rpath,${ORIGIN}/inner")
            try program("rööt/bin/app", "-Lrööt/lib", "-lupper", "-Wl,-rpath,$ORIGIN/../lib")
            try program("rööt/libexec/validator")
            let manifest = try manifest()
            #expect(try agrees(manifest))
            #expect(manifest.externalNames(of: .app)?.isSuperset(of: ["libm.so.6", "libc.so.6"]) == true)
            #expect(manifest.externalNames(of: .validator)?.contains("libm.so.6") == false)
        }

        @Test("DT_RPATH is also that of whoever loaded the one who asks")
        func rpath() throws {
            try library("elsewhere/libfar.so", "-lm")
            try library("rööt/lib/libupper.so", "-Lelsewhere", "-lfar")
            try program(
                "rööt/bin/app", "-Lrööt/lib", "-lupper", "-Wl,--disable-new-dtags",
                "-Wl,-rpath,$ORIGIN/../lib:\(folder.path("elsewhere"))")
            try program("rööt/libexec/validator")
            let manifest = try manifest()
            #expect(try agrees(manifest))
            #expect(manifest.externalNames(of: .app)?.isSuperset(of: ["libfar.so", "libm.so.6"]) == true)
        }

        @Test("what tpm2-tss loads to reach a TPM is named where it is installed, with what that needs")
        func openedLater() throws {
            let source = "int nothing(void) { return 1; }"
            try compile(
                source, to: "elsewhere/libtss2-tcti-device.so.0",
                ["-shared", "-fPIC", "-Wl,-soname,libtss2-tcti-device.so.0", "-lm"])
            try compile(
                source, to: "elsewhere/libtss2-tctildr.so.0",
                ["-shared", "-fPIC", "-Wl,-soname,libtss2-tctildr.so.0", "-Wl,-rpath,$ORIGIN"])
            try program(
                "rööt/bin/app", "-Lelsewhere", "-l:libtss2-tctildr.so.0",
                "-Wl,-rpath,\(folder.path("elsewhere"))")
            try program("rööt/libexec/validator")
            let manifest = try manifest(SystemLibraries(folders: []))
            let names = try #require(manifest.externalNames(of: .app))
            #expect(names.isSuperset(of: ["libtss2-tctildr.so.0", "libtss2-tcti-device.so.0", "libm.so.6"]))
            #expect(!names.contains("libtss2-tcti-swtpm.so.0"))
            let others = try #require(manifest.externalNames(of: .validator))
            #expect(!others.contains("libtss2-tcti-device.so.0"))
        }

        @Test("what a program says it opens later is named, with what that needs; a note that says nothing is none")
        func openedByItself() throws {
            try library("elsewhere/liblate.so.1", "-lm")
            func source(_ content: String) -> String {
                """
                __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct {
                    unsigned int name, content, type;
                    char owner[4];
                    char text[sizeof(\(content))];
                } note = {4, sizeof(\(content)), 0x407c0c0a, "FDO", \(content)};
                int main(void) { return 0; }
                """
            }
            let options = ["-Wl,-rpath,\(folder.path("elsewhere"))"]
            let note = #""[{\"feature\":\"x\",\"soname\":[\"liblate.so.1\",\"libnone.so.1\"]}]""#
            try compile(source(note), to: "rööt/bin/app", options)
            try compile(source(#""{\"soname\":7}""#), to: "rööt/libexec/validator", options)
            let manifest = try manifest()
            let names = try #require(manifest.externalNames(of: .app))
            #expect(names.isSuperset(of: ["liblate.so.1", "libnone.so.1", "libm.so.6", "libc.so.6"]))
            let others = try #require(manifest.externalNames(of: .validator))
            #expect(!others.contains("liblate.so.1") && others.contains("libc.so.6"))
        }

        @Test("of two libraries of one name that one counts which the program's folders lead to")
        func sameName() throws {
            try library("rööt/lib/inner/libdeep.so")
            try library("elsewhere/libdeep.so", "-lm")
            try program(
                "rööt/bin/app", "-Lelsewhere", "-ldeep", "-Wl,-rpath,\(folder.path("elsewhere")):$ORIGIN/../lib/inner")
            try program("rööt/libexec/validator")
            let manifest = try manifest()
            #expect(try agrees(manifest))
            #expect(manifest.externalNames(of: .app)?.contains("libdeep.so") == true)
        }

        @Test("what no folder leads to is the bundle's library of that name, as before it is installed")
        func notInstalled() throws {
            try library("rööt/lib/inner/libdeep.so", "-lm")
            try program("rööt/bin/app", "-Lrööt/lib/inner", "-ldeep", "-Wl,-rpath,/opt/example/lib")
            try program("rööt/libexec/validator")
            let manifest = try manifest()
            #expect(manifest.externalNames(of: .app)?.contains("libdeep.so") == false)
            #expect(manifest.externalNames(of: .app)?.contains("libm.so.6") == true)
            // Without the libraries of the system none is listed.
            #expect(try self.manifest(nil).externals.isEmpty)
        }

        @Test("what a file says of its libraries is read from it")
        func linkage() throws {
            try library("rööt/lib/libupper.so", "-Wl,-rpath,/a:${ORIGIN}/b", "-Wl,-z,nodefaultlib")
            try program("rööt/bin/app", "-Lrööt/lib", "-lupper", "-Wl,--disable-new-dtags,-rpath,$ORIGIN:/c")
            func linkage(_ path: String) throws -> Linkage {
                let file = try ExecutableFile(parsing: OpenedFile(path: folder.path(path)))
                return try file.linkage(of: file.images[0])
            }
            let upper = try linkage("rööt/lib/libupper.so")
            #expect(upper.soname == "libupper.so" && upper.avoidsDefaultFolders)
            #expect(upper.runpath == ["/a", "${ORIGIN}/b"] && upper.rpath.isEmpty)
            let app = try linkage("rööt/bin/app")
            #expect(app.soname == nil && !app.avoidsDefaultFolders)
            #expect(app.rpath == ["$ORIGIN", "/c"] && app.runpath == nil)
        }
    }

    @Suite("The loader's cache")
    struct LoaderCacheTests {
        /// As ldconfig writes it: names and paths behind the entries.
        private static func file(_ entries: [(String, String)], olderCount: Int? = nil) -> [UInt8] {
            var older: [UInt8] = []
            if let olderCount {
                older = Array("ld.so-1.7.0\0".utf8) + number(UInt32(olderCount))
                older += [UInt8](repeating: 0xee, count: olderCount * 12)
                older += [UInt8](repeating: 0, count: (8 - older.count % 8) % 8)
            }
            var texts: [UInt8] = []
            var list: [UInt8] = []
            let start = 48 + 24 * entries.count
            for (name, path) in entries {
                list += number(3) + number(UInt32(start + texts.count))
                texts += Array(name.utf8) + [0]
                list += number(UInt32(start + texts.count)) + [UInt8](repeating: 0, count: 12)
                texts += Array(path.utf8) + [0]
            }
            return older + Array("glibc-ld.so.cache1.1".utf8) + number(UInt32(entries.count))
                + number(UInt32(texts.count)) + [UInt8](repeating: 0, count: 20) + list + texts
        }

        private static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

        private static let entries = [
            ("libb.so.2", "/usr/lib/libb.so.2"), ("liba.so.1", "/opt/a/liba.so.1"), ("liba.so.1", "/lib/liba.so.1"),
        ]

        @Test("names are found in its order, also behind a list for older loaders", arguments: [nil, 0, 1, 2])
        func found(olderCount: Int?) throws {
            let cache = try #require(LoaderCache(parsing: Self.file(Self.entries, olderCount: olderCount)))
            #expect(cache.places(of: "liba.so.1") == ["/opt/a/liba.so.1", "/lib/liba.so.1"])
            #expect(cache.places(of: "libb.so.2") == ["/usr/lib/libb.so.2"])
            #expect(cache.places(of: "libc.so.3").isEmpty)
        }

        @Test("one that is cut off anywhere, or of random bytes, is none, or holds only its own text")
        func hostile() {
            let whole = Self.file(Self.entries, olderCount: 1)
            for count in 0..<whole.count - 1 { #expect(LoaderCache(parsing: Array(whole.prefix(count))) == nil) }
            var random = SplitMix64(state: 8)
            for _ in 0..<2000 {
                var bytes = whole
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = LoaderCache(parsing: bytes)?.places(of: "liba.so.1")
            }
        }

        @Test(
            "that of this machine has what ldconfig prints of it",
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/sbin/ldconfig")))
        func machine() throws {
            let content = try #require(FileManager.default.contents(atPath: "/etc/ld.so.cache"))
            let cache = try #require(LoaderCache(parsing: Array(content)))
            let text = String(decoding: try Tool.run("/sbin/ldconfig", ["-p"]), as: UTF8.self)
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("\t") }
            try #require(!lines.isEmpty)
            for line in lines {
                let name = String(line.dropFirst().prefix { $0 != " " })
                let path = String(line.suffix(from: try #require(line.range(of: "=> ")).upperBound))
                #expect(cache.places(of: name).contains(path), "\(name)")
            }
        }
    }
#endif
