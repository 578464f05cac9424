import CodeMeasurement
import ExecutableImage
import Foundation

// usage: bench-vigil FILE PROGRAM
// Prints JSON lines {"op", "ms"} of wall time: the digest of a whole file, as `openssl dgst -sha256` computes it, and
// what a validator computes of a program. Both lie in the page cache after the first round.

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: bench-vigil FILE PROGRAM") }

func report(_ operation: String, _ body: () throws -> Void) rethrows {
    try body()
    let began = ContinuousClock.now
    try body()
    let (seconds, attoseconds) = began.duration(to: .now).components
    print("{\"op\": \"\(operation)\", \"ms\": \(Double(seconds) * 1e3 + Double(attoseconds) / 1e15)}")
}

try report("hash_file") {
    let file = try OpenedFile(path: arguments[1])
    _ = try file.measure { file throws(ImageFailure) in try ImageDigest(ofAll: file) }
}

for kind in [DigestKind.text2, .load2] {
    try report("\(kind.rawValue)_of_program") {
        let file = try OpenedFile(path: arguments[2])
        _ = try file.measure { file throws(ImageFailure) in try ExecutableFile(parsing: file).digests([kind]) }
    }
}
