import CLibrary

/// The addresses of a database's hosts: libpq goes on from one to the next where connecting fails, and not where the
/// first says nothing, so that each is asked by itself.
enum HostAddresses {
    /// The most of one name that are asked.
    static let limit = 8

    /// What tells the addresses of a host apart.
    ///
    /// - Parameters:
    ///   - host: the parameters that name it.
    ///   - soleHost: its name where it is the only one and the connection string names it.
    ///   - resolve: gives the addresses of a name, in the order in which they are to be asked.
    /// - Returns: the host as it is where it has one address, or its name is left to libpq: for a name without an
    ///   address libpq says why, a socket has none, and who gives an address means that.
    static func apart(
        _ host: [String: String], soleHost: String?, resolving resolve: (String) -> [String] = Self.resolved
    ) -> [[String: String]] {
        guard host["hostaddr"] == nil, let name = host["host"] ?? soleHost, let first = name.first,
            !["/", "@"].contains(first)
        else { return [host] }
        let addresses = resolve(name).prefix(limit)
        guard addresses.count > 1 else { return [host] }
        return addresses.map { address in host.merging(["hostaddr": address]) { $1 } }
    }

    /// Asks the system for the addresses of a name, and waits for name servers, as libpq does.
    static func resolved(_ name: String) -> [String] {
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, nil, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let info = next {
            if let address = text(of: info.pointee), !addresses.contains(address) { addresses.append(address) }
            next = info.pointee.ai_next
        }
        return addresses
    }

    private static func text(of info: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress,
                getnameinfo(
                    info.ai_addr, info.ai_addrlen, base, socklen_t(buffer.count), nil, 0, Int32(NI_NUMERICHOST)) == 0
            else { return nil }
            return String(cString: base)
        }
    }
}
