import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("Credentials of systemd")
struct SystemdCredentialTests {
    private let folder = StorageFolder()
    private var credentials: SystemdCredential {
        SystemdCredential(environment: ["CREDENTIALS_DIRECTORY": folder.path])
    }

    @Test("a credential is read, one that is not there is nil, all are listed")
    func reading() throws {
        folder.put("secret", "vault-key", mode: 0o440)
        folder.put("", "empty", mode: 0o400)
        #expect(text(try credentials.read("vault-key")) == "secret")
        #expect(text(try credentials.read("empty")) == "")
        #expect(try credentials.read("other") == nil)
        #expect(try credentials.labels() == ["empty", "vault-key"])
    }

    @Test("nothing is written or removed")
    func readOnly() throws {
        folder.put("secret", "vault-key")
        #expect(code { try credentials.write("a", try secretBytes("x"), access: .always) } == "configError")
        #expect(code { try credentials.delete("vault-key") } == "configError")
        #expect(folder.names() == ["vault-key"])
    }

    @Test("outside a service there are none, and the error says how to have some")
    func noService() {
        let none = SystemdCredential(environment: [:])
        #expect(code { _ = try none.read("a") } == "configError")
        #expect(message { _ = try none.read("a") }.contains("LoadCredentialEncrypted"))
        #expect(code { _ = try none.labels() } == "configError")
    }

    @Test("links, files that all may read and names with a path are refused")
    func refusals() throws {
        folder.put("secret", "open", mode: 0o444)
        folder.put("secret", "file")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "file")
        #expect(code { _ = try credentials.read("open") } == "io")
        #expect(code { _ = try credentials.read("link") } == "io")
        for name in ["", ".", "..", "../file", "a/b", "a\0b"] {
            #expect(code { _ = try credentials.read(name) } == "configError")
        }
    }
}
