import KnownAnswers

/// A command to a TPM and its response, as bytes.
struct TPMExchange {
    let name: String
    let code: UInt32
    /// Whether this build knows the command.
    let isKnown: Bool
    let responseCode: UInt32
    /// The command's fields behind the header and the handles.
    let command: TPMFields
    let handles: [UInt32]
    /// The response's fields behind the header, and behind the handle and the size of the parameters where there are
    /// any.
    let response: TPMFields
    let responseHandle: UInt32?

    init(_ row: Row) throws {
        name = try row.text("name")
        var command = TPMFields(try row.bytes("command"))
        let tag = try command.integer(UInt16.self)
        guard Int(try command.integer(UInt32.self)) == command.size else { throw RowError.missing("command's size") }
        code = try command.integer()
        let count = Self.handleCounts[code]
        isKnown = count != nil
        handles = try (0..<(count ?? 0)).map { _ in try command.integer(UInt32.self) }
        if tag == Self.withSessions { try command.skip(Int(try command.integer(UInt32.self))) }
        self.command = command
        var response = TPMFields(try row.bytes("response"))
        let answered = try response.integer(UInt16.self)
        guard Int(try response.integer(UInt32.self)) == response.size else { throw RowError.missing("response's size") }
        responseCode = try response.integer()
        let hasHandle = responseCode == 0 && Self.makingHandles.contains(code)
        responseHandle = hasHandle ? try response.integer(UInt32.self) : nil
        if responseCode == 0, answered == Self.withSessions { _ = try response.integer(UInt32.self) }
        self.response = response
    }

    private static let withSessions: UInt16 = 0x8002

    enum Code {
        static let nvDefineSpace: UInt32 = 0x12a
        static let createPrimary: UInt32 = 0x131
        static let nvRead: UInt32 = 0x14e
        static let quote: UInt32 = 0x158
        static let pcrRead: UInt32 = 0x17e
        static let create: UInt32 = 0x153
        static let load: UInt32 = 0x157
        static let sign: UInt32 = 0x15d
        static let readPublic: UInt32 = 0x173
        static let startAuthSession: UInt32 = 0x176
    }

    /// Handles before the authorisations.
    ///
    /// Source: TPM 2.0 Library, part 3.
    private static let handleCounts: [UInt32: Int] = [
        // EvictControl, NV_UndefineSpace, NV_Increment, Startup, Unseal, FlushContext
        0x120: 2, 0x122: 2, 0x134: 2, 0x144: 0, 0x15e: 1, 0x165: 0,
        // GetCapability, GetRandom, PolicyPCR, PolicyRestart, PCR_Extend, PolicyGetDigest
        0x17a: 0, 0x17b: 0, 0x17f: 1, 0x180: 1, 0x182: 1, 0x189: 1,
        Code.nvDefineSpace: 1, Code.createPrimary: 1, Code.nvRead: 2, Code.create: 1, Code.load: 1, Code.quote: 1,
        Code.sign: 1, Code.readPublic: 1, Code.startAuthSession: 2, Code.pcrRead: 0,
    ]

    private static let makingHandles: Set<UInt32> = [Code.createPrimary, Code.load, Code.startAuthSession]
}

/// Reads the fields of a command or response.
struct TPMFields {
    let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var size: Int { bytes.count }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard count <= bytes.count - offset else { throw RowError.missing("byte \(offset + count)") }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func skip(_ count: Int) throws { _ = try take(count) }

    mutating func integer<I: FixedWidthInteger>(_ type: I.Type = I.self) throws -> I {
        try take(MemoryLayout<I>.size).reduce(0) { $0 << 8 | I($1) }
    }

    /// `TPMT_SIGNATURE` of an elliptic curve.
    mutating func signature() throws -> [UInt8] {
        let start = offset
        try skip(4)
        _ = try sized()
        _ = try sized()
        return Array(bytes[start..<offset])
    }

    /// Bytes behind their 16-bit count.
    mutating func sized() throws -> [UInt8] { try take(Int(integer(UInt16.self))) }
}
