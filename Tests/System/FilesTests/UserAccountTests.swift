import Files
import Foundation
import Testing

@Suite("Accounts of users")
struct UserAccountTests {
    /// What the list says without the system's functions.
    private static func listed() throws -> [(id: uid_t, name: String, home: String)] {
        try String(contentsOfFile: "/etc/passwd", encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 7, let id = uid_t(parts[2]) else { return nil }
            return (id, parts[0], parts[5])
        }
    }

    @Test("an account is the one that the list has, by its name and by its number")
    func listedAccounts() throws {
        let listed = try Self.listed()
        #expect(listed.contains { $0.name == "root" })
        for (id, name, home) in listed {
            let account = try #require(UserAccount(named: name))
            #expect((account.id, account.name, account.home) == (id, name, home))
            // Of several with one number the first counts.
            #expect(UserAccount(id: id)?.name == listed.first { $0.id == id }?.name)
        }
        #expect(UserAccount.effective == UserAccount(id: geteuid()))
    }

    @Test("who is not in the list has no account")
    func unknown() {
        #expect(UserAccount(named: "nobody has this name") == nil)
        #expect(UserAccount(named: "") == nil)
        #expect(UserAccount(id: 3_999_999_999) == nil)
    }

    @Test("threads that ask at once get each its own answer")
    func concurrent() async throws {
        let listed = try Self.listed()
        let firsts = listed.filter { entry in listed.first { $0.id == entry.id }?.name == entry.name }
        await withTaskGroup(of: Bool.self) { group in
            for (id, name, home) in firsts {
                group.addTask {
                    (0..<200).allSatisfy { _ in
                        let account = UserAccount(id: id)
                        return account?.name == name && account?.home == home
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("a home is an absolute path; another is passed over for the one in the list of users")
    func home() {
        #expect(UserPlaces.home("/somewhere") == "/somewhere")
        for none in [nil, "", "relative"] { #expect(UserPlaces.home(none) == UserAccount.effective?.home ?? "/") }
    }
}
