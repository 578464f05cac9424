import Foundation
import MainKey
import SecretMemory
import TestSupport
import Testing

/// Text that nobody vouches for, as the program prints it.
@Suite("What mainkey prints of others")
struct ForeignTextTests {
    @Test("names that steer a terminal are escaped, in results and in errors")
    func escaped() throws {
        let folder = try TemporaryFolder()
        let place = ["--dir", folder.path("vault"), "--known-vaults", folder.path("known")]
        var opening = OpenOptions()
        opening.knownVaults = KnownVaults(at: folder.path("known"))
        opening.watching = .none
        let vault = try MainKeyVault.create(at: folder.path("vault"), [.none], opening: opening)
        let hostile = "a\u{1b}]0;b\u{7}\r\u{9b}31m"
        try vault.setToken(hostile, try SecretBytes(copying: [1]))
        try folder.write("reboot \(hostile)", to: "vault/owner")
        let missing = folder.path + "/" + hostile
        let cases: [(arguments: [String], status: Int32)] = [
            (["token", "list"], 0), (["token", "get", hostile + "x"], 10), (["check", missing], 10),
            (["rotate"], 30), (["decrypt", missing, folder.path("out")], 10),
        ]
        for (arguments, status) in cases {
            let (output, ending) = try run(arguments + place)
            #expect(ending == status, "\(arguments)")
            #expect(!output.isEmpty)
            #expect(output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        }
    }

    private func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = Bundle.main.bundleURL.appending(path: "mainkey")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    }
}
