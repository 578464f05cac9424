import CLibrary

/// An account in the system's list of users.
///
/// It is a copy: what `getpwuid` and `getpwnam` return is written over by whoever calls them next, on any thread.
package struct UserAccount: Hashable, Sendable {
    package let id: uid_t
    package let name: String
    /// The path of the home directory, as the list has it; nobody says that it is there.
    package let home: String

    /// The account of a number; nil where the list has none, or cannot be read.
    package init?(id: uid_t) {
        self.init { getpwuid_r(id, $0, $1, $2, $3) }
    }

    /// The account of a name; nil where the list has none, or cannot be read.
    package init?(named name: String) {
        self.init { getpwnam_r(name, $0, $1, $2, $3) }
    }

    /// The account that this process acts as.
    package static var effective: UserAccount? { UserAccount(id: geteuid()) }

    /// Room for the texts of an entry; more than `mostSpace` has no account.
    private static let leastSpace = 1 << 10
    private static let mostSpace = 1 << 20

    private init?(
        _ look: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> CInt
    ) {
        var count = Self.leastSpace
        while count <= Self.mostSpace {
            let space = UnsafeMutablePointer<CChar>.allocate(capacity: count)
            defer { space.deallocate() }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            switch look(&entry, space, count, &found) {
            case 0:
                guard found != nil, let name = entry.pw_name, let home = entry.pw_dir else { return nil }
                (id, self.name, self.home) = (entry.pw_uid, String(cString: name), String(cString: home))
                return
            case EINTR: break
            case ERANGE: count *= 4
            default: return nil
            }
        }
        return nil
    }
}
