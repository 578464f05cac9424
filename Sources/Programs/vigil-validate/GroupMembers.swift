import BasicFoundation

/// Who is in a group, as its own or as one more.
enum GroupMembers {
    /// - Returns: names, each once; only those that the system lists.
    static func names(of group: gid_t) -> [String] {
        var names: Set<String> = []
        if let entry = getgrgid(group), var member = entry.pointee.gr_mem {
            while let name = member.pointee {
                names.insert(String(cString: name))
                member += 1
            }
        }
        setpwent()
        defer { endpwent() }
        while let user = getpwent() {
            if user.pointee.pw_gid == group { names.insert(String(cString: user.pointee.pw_name)) }
        }
        return names.sorted()
    }
}
