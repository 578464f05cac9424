import CodeMeasurement
import ExecutableImage
import Foundation
import Measuring

// usage: bench-vigil FILE PROGRAM
// Prints JSON lines {"op", "us", "kB"} of wall time and memory: the digest of a whole file, as `openssl dgst -sha256` computes it, and
// what a validator computes of a program. Both lie in the page cache after the first round.

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: bench-vigil FILE PROGRAM") }

func measure(_ operation: String, _ body: () throws -> Void) rethrows {
    let bytes = try peakMemory(of: body)
    let time = try ContinuousClock().measure(body)
    report(operation, Cost(microseconds: time / .microseconds(1), bytes: bytes))
}

try measure("hash_file") {
    let file = try OpenedFile(path: arguments[1])
    _ = try file.measure { file throws(ImageFailure) in try ImageDigest(ofAll: file) }
}

for kind in [DigestKind.text2, .load2] {
    try measure("\(kind.rawValue)_of_program") {
        let file = try OpenedFile(path: arguments[2])
        _ = try file.measure { file throws(ImageFailure) in try ExecutableFile(parsing: file).digests([kind]) }
    }
}
