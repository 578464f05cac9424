import Foundation
import Testing

/// Two users of this machine, who are removed with the last reference: one who signs, and the validator's.
final class TemporaryUsers {
    let signer: String
    /// Made by the installation.
    let validator: String
    let signerID: uid_t

    /// Whether users can be made here: by root, with the usual program.
    static let areAvailable = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/useradd")

    init() throws {
        let tag = UUID().uuidString.prefix(8).lowercased()
        signer = "casemate-s-\(tag)"
        validator = "casemate-v-\(tag)"
        let made = try Program.shell("useradd --no-create-home --user-group --home-dir /nonexistent \(signer)")
        try #require(made.exitCode == 0, "\(made.errors)")
        signerID = try #require(getpwnam(signer)).pointee.pw_uid
    }

    deinit {
        for user in [signer, validator] where getpwnam(user) != nil { _ = try? Program.shell("userdel \(user)") }
    }

    static func name(of user: uid_t) -> String { getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "" }

    /// Words before a program that make it the one of a user.
    func become(_ user: String) -> [String] {
        ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--init-groups", "--no-new-privs"]
    }

    /// Makes a folder that is the signer's.
    func makeFolder(_ path: String) throws {
        let made = try Program.shell("install -d -m 755 -o \(signer) -g \(signer) \(Program.quoted(path))")
        try #require(made.exitCode == 0, "\(made.errors)")
    }

    /// Runs a command of the shell as the signer.
    func shell(_ command: String) throws -> Program.Outcome {
        try Program.shell("exec \((become(signer) + ["sh", "-c", command]).map(Program.quoted).joined(separator: " "))")
    }
}
