import Foundation

/// One parser of outside bytes under fuzz. It must return for every input; a trap or a time-out is a finding.
struct FuzzTarget: Sendable {
    let name: String
    /// Inputs to start from, so that the fuzzer need not discover the format by itself.
    let seeds: [[UInt8]]
    let run: @Sendable ([UInt8]) -> Void
}

// libFuzzer's own entry point, for programs that bring their own main.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The target of this process: the driver's callback is a C function and cannot capture.
private let chosen = targets.first { $0.name == ProcessInfo.processInfo.environment["FUZZ_TARGET"] }

/// `FUZZ_TARGET=name fuzz [libFuzzer options] CORPUS`; `fuzz --list` prints the names, `fuzz --seed FOLDER` writes the
/// first inputs of the target there.
@_cdecl("fuzz_main")
func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--list" {
        for target in targets { print(target.name) }
        return 0
    }
    guard let target = chosen else {
        print("Set FUZZ_TARGET to one of: \(targets.map(\.name).joined(separator: ", ")).")
        return 64
    }
    if words.first == "--seed", let folder = words.dropFirst().first {
        return writeSeeds(of: target, to: URL(filePath: folder, directoryHint: .isDirectory))
    }
    return drive(count, arguments)
}

private func drive(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var count = count
    var arguments = arguments
    return withUnsafeMutablePointer(to: &count) { count in
        withUnsafeMutablePointer(to: &arguments) { runDriver(count, $0, runOne) }
    }
}

/// One input; what libFuzzer calls.
private func runOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    chosen?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private func writeSeeds(of target: FuzzTarget, to folder: URL) -> CInt {
    do {
        for (index, seed) in target.seeds.enumerated() {
            try Data(seed).write(to: folder.appending(path: "seed-\(index)"))
        }
        return 0
    } catch {
        print("The first inputs cannot be written to \(folder.path): \(error)")
        return 1
    }
}
