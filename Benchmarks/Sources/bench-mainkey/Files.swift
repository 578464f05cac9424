import Foundation
import MainKey
import Measuring

/// Whole files and parts of them.
struct Files {
    let vault: MainKeyVault
    let folder: URL

    private let byteCount = 256 << 20

    func run() throws {
        let clear = folder.appending(path: "clear").path
        let sealed = folder.appending(path: "sealed").path
        var bytes = Data(count: byteCount)
        bytes.withUnsafeMutableBytes { bytes in
            for index in stride(from: 0, to: bytes.count, by: 64) {
                bytes.storeBytes(of: UInt64(index) &* 0x9e37_79b9_7f4a_7c15, toByteOffset: index, as: UInt64.self)
            }
        }
        try bytes.write(to: URL(filePath: clear))
        bytes = Data()
        try vault.withUnlocked { vault in
            report("encrypt_256MiB", try best(rounds: 5) { try vault.encryptFile(at: clear, to: sealed) })
            report(
                "decrypt_256MiB",
                try best(rounds: 5) {
                    try vault.decryptFile(at: sealed, to: folder.appending(path: "opened").path)
                })
            try intoNothing(clear, sealed, vault)
            try readAtRandom(sealed, vault)
        }
    }

    private func readAtRandom(_ sealed: String, _ vault: borrowing UnlockedVault) throws {
        let places = (0..<200).map { _ in Int.random(in: 0..<(byteCount - 4096)) }
        var next = 0
        report(
            "read_4KiB_at_random",
            try best(rounds: 5, repeats: 40) {
                _ = try vault.fileReader(at: sealed).read(at: places[next % places.count], count: 4096)
                next += 1
            })
    }

    /// From the page cache to nowhere, as the bar has it.
    private func intoNothing(_ clear: String, _ sealed: String, _ vault: borrowing UnlockedVault) throws {
        let nothing = open("/dev/null", O_WRONLY)
        defer { close(nothing) }
        for (op, path) in [("encrypt_256MiB_to_nothing", clear), ("decrypt_256MiB_to_nothing", sealed)] {
            let cost = try best(rounds: 5) {
                let source = open(path, O_RDONLY)
                defer { close(source) }
                if path == clear {
                    try vault.encrypt(from: source, to: nothing)
                } else {
                    try vault.decrypt(from: source, to: nothing)
                }
            }
            report(op, cost)
            print("note: \(op): \(String(format: "%.2f", Double(byteCount) / cost.microseconds / 1e3)) GB/s")
        }
    }
}
