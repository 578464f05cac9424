import ForceField
import ForceFieldWire
import Scheduling

/// Both sides of a channel in the state that a known answer needs.
enum KnownConversation {
    /// A host that grants `net.connect`, after HELLO if said.
    static func host(_ interface: UInt64, saysHello: Bool = true) throws -> HostSideConversation {
        var terms = ChannelTerms(interfaceHash: interface)
        terms.maxInFlight = 8
        terms.capabilities = [MethodID(rawValue: 0x6269_290e)]
        return try host(terms, saysHello: saysHello)
    }

    static func host(_ terms: ChannelTerms, saysHello: Bool = true) throws -> HostSideConversation {
        var host = HostSideConversation(terms)
        guard saysHello else { return host }
        let hello = Hello(
            role: .linked, interfaceHash: terms.interfaceHash ?? 0, maxFrame: 16 << 20, maxInFlight: 8)
        _ = try events(of: Frame.hello(hello).bytes, read: &host)
        return host
    }

    /// - Returns: how many events the bytes are.
    static func events(of bytes: [UInt8], read host: inout HostSideConversation) throws -> Int {
        var (count, rest) = (0, bytes[...])
        let now = SteadyInstant.now
        while !rest.isEmpty {
            rest = rest.dropFirst(host.fill(at: now) { fill($0, from: rest) })
            while try host.next(at: now) != nil { count += 1 }
        }
        return count
    }

    static func events(of bytes: [UInt8], read worker: inout WorkerSideConversation) throws -> Int {
        var (count, rest) = (0, bytes[...])
        while !rest.isEmpty {
            rest = rest.dropFirst(worker.fill(at: .now) { fill($0, from: rest) })
            while try worker.next() != nil { count += 1 }
        }
        return count
    }

    private static func fill(_ room: UnsafeMutableRawBufferPointer, from bytes: ArraySlice<UInt8>) -> Int {
        let part = bytes.prefix(room.count)
        room.copyBytes(from: part)
        return part.count
    }
}
