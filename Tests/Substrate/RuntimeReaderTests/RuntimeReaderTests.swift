#if os(Linux)
    import AirgapLink
    import ForceField
    import Foundation
    import WebAssemblyTestSupport
    import Substrate
    import TestSupport
    import Testing

    @testable import RuntimeReader

    @Suite(
        "Runtimes are read in a process of their own", .serialized,
        .enabled(if: SharedData.has("signer-wire/metadata"), "the known answers are not beside the checkout"))
    struct RuntimeReaderTests {
        private let metadata: [UInt8]
        private let version: RuntimeVersion

        init() throws {
            metadata = try SharedData.bytes("signer-wire/metadata/westend9111.scale")
            version = try ChainMetadata(metadata).version
        }

        private var runtime: SampleRuntime {
            SampleRuntime(
                metadata: metadata,
                version: SampleRuntime.version(
                    version.specName, version.specVersion, transactionVersion: version.transactionVersion))
        }

        /// A reader by the worker that is built beside the tests; the machine that runs them may lack layers.
        private static func reader(_ change: (inout RuntimeReader.Terms) -> Void = { _ in }) -> RuntimeReader {
            var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "runtime-worker").path),
                folder.path != "/"
            {
                folder.deleteLastPathComponent()
            }
            var terms = RuntimeReader.Terms()
            terms.program = .path(folder.appending(path: "runtime-worker").path)
            terms.allowsMissingLayers = true
            // Only a test that is about it waits for it.
            terms.timeLimit = .seconds(600)
            change(&terms)
            return RuntimeReader(terms)
        }

        @Test("name, version and metadata come out, the same that a node gives")
        func read() async throws {
            let runtime = try await Self.reader().read(runtime.bytes)
            #expect(runtime.metadata.blob == metadata)
            #expect(runtime.version == version && runtime.versionIsStated)
            #expect(runtime.metadata.base58Prefix == 42)
            #expect(runtime.steps > Int64(metadata.count))
        }

        @Test("a runtime that says it is another one than its metadata do is refused")
        func contradiction() async throws {
            var runtime = runtime
            runtime.version = SampleRuntime.version("polkadot", version.specVersion, transactionVersion: 1)
            let error = await #expect(throws: RuntimeError.self) { try await Self.reader().read(runtime.bytes) }
            #expect(error?.description.contains("says that it is polkadot 9111") == true)
            #expect(error?.description.contains("Do not trust this file") == true)
        }

        @Test("metadata that are none, and a version that is none, are refused")
        func wrongContent() async throws {
            var runtime = runtime
            runtime.metadata = [1, 2, 3]
            await #expect(throws: RuntimeError.metadata(.notMeta)) { try await Self.reader().read(runtime.bytes) }
            runtime = self.runtime
            runtime.version = [0xff]
            let error = await #expect(throws: RuntimeError.self) { try await Self.reader().read(runtime.bytes) }
            #expect(error?.description.contains("The version that the runtime states does not decode") == true)
        }

        @Test("a runtime that loops ends by its steps or by its time, and the next one is read")
        func endless() async throws {
            var endless = runtime
            endless.body = [0x03, 0x40, 0x0c, 0, 0x0b, 0x00]
            let bySteps = Self.reader { $0.fuel = 1_000_000 }
            let error = await #expect(throws: RuntimeError.self) { try await bySteps.read(endless.bytes) }
            #expect(error?.description.contains("used up all the steps") == true)
            let byTime = Self.reader { ($0.fuel, $0.timeLimit) = (.max, .seconds(2)) }
            let ending = await #expect(throws: RuntimeError.self) { try await byTime.read(endless.bytes) }
            #expect(
                ending?.description.contains("The runtime's reader was ended after 2 s") == true
                    || ending?.description.contains("used up its processor time") == true)
            #expect(try await Self.reader().read(runtime.bytes).version == version)
        }

        @Test("words of the worker's are made safe to show, and without the program nothing is read")
        func words() async throws {
            #expect(RuntimeError(refusal: "a\u{1b}[2J").description.contains("\u{1b}") == false)
            let missing = Self.reader { $0.program = .path("/nowhere/runtime-worker") }
            let error = await #expect(throws: RuntimeError.self) { try await missing.read(runtime.bytes) }
            guard case .noReader = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }

        @Test("a file that is too large starts no worker")
        func large() async throws {
            let missing = Self.reader { $0.program = .path("/nowhere/runtime-worker") }
            let file = [UInt8](repeating: 0, count: (50 << 20) + 1)
            let error = await #expect(throws: RuntimeError.self) { try await missing.read(file) }
            #expect(error?.description.contains("larger than the 52428800 bytes") == true)
        }
    }
#endif
