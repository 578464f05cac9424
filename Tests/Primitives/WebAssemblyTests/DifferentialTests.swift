import Foundation
import TestSupport
import Testing

@testable import WebAssembly

/// Random modules by this interpreter and by wabt's, which is another one's work: the same results, and traps at the
/// same calls.
@Suite("The interpreter of WebAssembly beside another one")
struct DifferentialTests {
    private static let other = "/usr/bin/wasm-interp"

    @Test(
        "random functions give the same results and trap alike",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: other), "wabt is not installed (scripts/deps.sh --tests)"),
        arguments: 0..<40 as Range<UInt64>)
    func same(seed: UInt64) throws {
        var generator = ModuleGenerator(seed: seed)
        let bytes = generator.module(functions: 12).bytes
        let instance = try Instance(of: try Module(bytes), host: NoHost())
        // In the order of the exports: what they leave in memory and globals stays for the next.
        let ours = (0..<12).map { number in
            do throws(Trap) {
                return "f\(number)() => " + (try instance.call("f\(number)")).map(String.init).joined()
            } catch {
                return "f\(number)() => error"
            }
        }
        #expect(try Self.theirs(bytes) == ours)
    }

    private static func theirs(_ bytes: [UInt8]) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "casemate-\(UUID().uuidString).wasm")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: other)
        process.arguments = [file.path, "--run-all-exports"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { line in
            guard let value = line.range(of: "=> i32:") ?? line.range(of: "=> i64:") else {
                return String(line.prefix { $0 != "=" }) + "=> error"
            }
            return line[..<value.lowerBound] + "=> " + line[value.upperBound...]
        }
    }
}
