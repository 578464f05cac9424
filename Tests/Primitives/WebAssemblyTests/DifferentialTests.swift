import Foundation
import TestSupport
import Testing

@testable import WebAssembly

/// Random modules by this room and by wabt, which is another one's work.
@Suite(
    "WebAssembly beside another reader and interpreter",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/wasm-interp"),
        "wabt is not installed (scripts/deps.sh --tests)"))
struct DifferentialTests {
    @Test("random functions give the same results and trap at the same calls", arguments: 0..<40 as Range<UInt64>)
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
        let theirs = try Self.run("wasm-interp", bytes, "--run-all-exports").output.split(separator: "\n").map { line in
            guard let value = line.range(of: "=> i32:") ?? line.range(of: "=> i64:") else {
                return line.prefix { $0 != "=" } + "=> error"
            }
            return line[..<value.lowerBound] + "=> " + line[value.upperBound...]
        }
        #expect(theirs.map(String.init) == ours)
    }

    @Test("a module with wrong bytes that is read here is valid there too", arguments: 0..<8 as Range<UInt64>)
    func valid(seed: UInt64) throws {
        var generator = ModuleGenerator(seed: 100 + seed)
        var random = SplitMix64(state: seed)
        var readCount = 0
        for _ in 0..<150 {
            var bytes = generator.module(functions: 2).bytes
            let place = Int.random(in: 8..<bytes.count, using: &random)
            switch random.next() % 3 {
            case 0: bytes[place] = random.byte()
            case 1: bytes.remove(at: place)
            default: bytes[place] = [0x00, 0x01, 0x0b, 0x1a, 0x20, 0x40, 0x7f, 0xfc][Int(random.next() % 8)]
            }
            guard (try? Module(bytes)) != nil else { continue }
            readCount += 1
            #expect(try Self.run("wasm-validate", bytes).status == 0)
        }
        #expect(readCount > 5)
    }

    private static func run(
        _ program: String, _ module: [UInt8], _ options: String...
    ) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        let file = try folder.write(module, to: "module.wasm")
        let (status, output) = try Tool.outcome(of: "/usr/bin/\(program)", [file] + options)
        return (status, String(decoding: output, as: UTF8.self))
    }
}
