import Files
import Foundation
import Testing

/// Two users of this machine, who are removed with the last reference: one who signs, and the validator's.
final class TemporaryUsers {
    let signer: String
    /// Made by the installation.
    let validator: String
    /// The group that casemate is set-group-ID to; the installation makes it too.
    let group: String
    let signerID: uid_t

    /// Whether users can be made here: by root, with the usual program.
    static let areAvailable = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/useradd")

    init() throws {
        let tag = UUID().uuidString.prefix(8).lowercased()
        signer = "casemate-s-\(tag)"
        validator = "casemate-v-\(tag)"
        group = "casemate-g-\(tag)"
        try Program.shell("useradd --no-create-home --user-group --home-dir /nonexistent \(signer)").succeeded()
        signerID = try #require(UserAccount(named: signer)).id
    }

    deinit {
        for user in [signer, validator] where UserAccount(named: user) != nil {
            _ = try? Program.shell("userdel \(user)")
        }
        if getgrnam(group) != nil { _ = try? Program.shell("groupdel \(group)") }
    }

    static func name(of user: uid_t) -> String { UserAccount(id: user)?.name ?? "" }

    /// Words before a program that make it the one of a user: of who signs as after a login, of the validator as the
    /// service's unit does.
    ///
    /// - Parameter isLooking: whether the validator has the rights to look into casemate.
    func become(_ user: String, isLooking: Bool = true) -> [String] {
        let words = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--init-groups"]
        guard user == validator else { return words }
        let rights = isLooking ? "-all,+sys_ptrace,+dac_read_search" : "-all"
        return words + ["inh-caps", "ambient-caps", "bounding-set"].map { "--\($0)=\(rights)" } + ["--no-new-privs"]
    }

    /// Makes a folder that is the signer's.
    func makeFolder(_ path: String) throws {
        try Program.shell("install -d -m 755 -o \(signer) -g \(signer) \(Program.quoted(path))").succeeded()
    }

    /// Runs a command of the shell as the signer, or as the validator.
    func shell(
        as user: String? = nil, looking: Bool = true, _ command: String
    ) throws -> Program.Outcome {
        let words = become(user ?? signer, isLooking: looking) + ["sh", "-c", command]
        return try Program.shell("exec \(words.map(Program.quoted).joined(separator: " "))")
    }
}
