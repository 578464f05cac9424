import KnownAnswers
import RaptorQ

/// `[{K, T, source_hex, intermediate_hex, repair}]`: small blocks with all their symbols.
enum SmallBlockAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("intermediate_hex") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, checkBlock) }

    private static func checkBlock(_ row: inout Row) throws {
        guard let count = row["K"].int, let size = row["T"].int else { throw RowError.missing("K or T") }
        let source = try row.bytes("source_hex")
        let seed = UInt64(try row.integer("seed", as: Int.self))
        row.expect("source", source, equals: RaptorQTopic.stream(seed: seed, count: count * size))
        let parameters = try ObjectParameters(objectSize: count * size, symbolSize: size)
        row.expect("K'", try parameters.block(0).extendedSymbolCount, equals: row["Kprime"].int ?? 0)
        row.expect(
            "C", try CodeInspection.intermediateSymbols(source, parameters),
            equals: row["intermediate_hex"].hexes)
        let rfc = try RaptorQEncoder(source, parameters: parameters)
        let vault = try RaptorQEncoder(source, parameters: parameters, numbering: .vault)
        for repair in row["repair"].array {
            let (esi, isi) = (repair["esi"].word, repair["isi"].word)
            let known = repair["hex"].hex ?? []
            row.expect("repair \(esi)", try rfc.symbol(PayloadID(block: 0, symbol: esi)), equals: known)
            guard isi <= PayloadID.maximumSymbol else { continue }
            row.expect("vault repair \(isi)", try vault.symbol(PayloadID(block: 0, symbol: isi)), equals: known)
        }
    }
}

/// `[{oti_hex, seed, source_packets_sha256, repair…}]`: whole objects by the digests of their packets.
enum CodeObjectAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("source_packets_sha256") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, checkObject) }

    /// The repair packets that were hashed, by how their order is told.
    private static let repairOffsets: KeyValuePairs<String, [UInt32]> = [
        "blocks ascending; per block ESI = K + offset for offsets 0-5, 1000, 1001, 4000000, 4000001":
            [0, 1, 2, 3, 4, 5, 1_000, 1_001, 4_000_000, 4_000_001],
        "blocks ascending; per block ESI = K + offset for offsets 0-5, 1000, 1001, 100000, 100001":
            [0, 1, 2, 3, 4, 5, 1_000, 1_001, 100_000, 100_001],
    ]

    private static func checkObject(_ row: inout Row) throws {
        let parameters = try ObjectParameters(serialized: row.bytes("oti_hex"))
        row.expect("OTI", parameters.serialized, equals: try row.bytes("oti_hex"))
        row.expect(parameters)
        row.expect("Kt", parameters.symbolCount, equals: row["Kt"].int ?? 0)
        let bytes = RaptorQTopic.stream(seed: UInt64(row["seed"].int ?? 0), count: parameters.objectSize)
        row.expect("object", RaptorQTopic.sha256(bytes), equals: try row.text("object_sha256"))
        let encoder = try RaptorQEncoder(bytes, parameters: parameters)
        var packets: [UInt8] = []
        for block in 0..<parameters.sourceBlockCount {
            let count = UInt32(try parameters.block(block).sourceSymbolCount)
            let symbols = try encoder.symbols(block: block, ids: 0..<count)
            for id in 0..<count {
                packets += try PayloadID(block: UInt8(block), symbol: id).serialized
                packets += symbols[Int(id) * parameters.symbolSize..<Int(id + 1) * parameters.symbolSize]
            }
        }
        row.expect("source packets", RaptorQTopic.sha256(packets), equals: try row.text("source_packets_sha256"))
        let packetSize = parameters.symbolSize + 4
        for (name, packet) in [("first", packets.prefix(packetSize)), ("last", packets.suffix(packetSize))] {
            let expected = try row.text("\(name)_source_packet_sha256")
            row.expect("\(name) source packet", RaptorQTopic.sha256(Array(packet)), equals: expected)
        }
        let offsets = try row.choice("repair_order", repairOffsets)
        var repairs: [UInt8] = []
        for block in 0..<parameters.sourceBlockCount {
            let first = UInt32(try parameters.block(block).sourceSymbolCount)
            for offset in offsets {
                let id = try PayloadID(block: UInt8(block), symbol: first + offset)
                repairs += id.serialized + (try encoder.symbol(id))
            }
        }
        row.expect(
            "all repair packets", RaptorQTopic.sha256(repairs), equals: try row.text("all_repair_packets_sha256"))
        for repair in row["repair"].array {
            let id = try PayloadID(block: UInt8(repair["sbn"].int ?? 0), symbol: repair["esi"].word)
            row.expect(
                "repair \(id.symbol)", RaptorQTopic.sha256(id.serialized + (try encoder.symbol(id))),
                equals: repair["packet_sha256"].string ?? "")
        }
    }
}

/// `[{F, max_packet, WS, oti_hex}]`: the parameters that an object has by default.
enum CodeDefaultAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("max_packet") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, checkDefaults) }

    private static func checkDefaults(_ row: inout Row) throws {
        let parameters = try ObjectParameters.defaults(
            objectSize: row["F"].int ?? 0, maximumPayloadSize: row["max_packet"].int ?? 0,
            workingMemory: row["WS"].int ?? ObjectParameters.defaultWorkingMemory)
        row.expect("OTI", parameters.serialized, equals: try row.bytes("oti_hex"))
        row.expect(parameters)
    }
}

/// `[{K, T, seed, esis_in_order, completes_after}]`: with which symbol a block is complete.
enum DecodingAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("esis_in_order") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // How the order of the symbols came about.
        report.check(content, besides: ["kind"], checkDecoding)
    }

    private static func checkDecoding(_ row: inout Row) throws {
        guard let count = row["K"].int, let size = row["T"].int else { throw RowError.missing("K or T") }
        let source = RaptorQTopic.stream(seed: UInt64(row["seed"].int ?? 0), count: count * size)
        let parameters = try ObjectParameters(objectSize: count * size, symbolSize: size)
        let encoder = try RaptorQEncoder(source, parameters: parameters)
        let decoder = RaptorQDecoder(parameters: parameters)
        var completed: Int?
        for (index, esi) in row["esis_in_order"].array.enumerated() where completed == nil {
            let id = try PayloadID(block: 0, symbol: esi.word)
            try decoder.receive(try encoder.symbol(id), id: id)
            if decoder.isComplete { completed = index + 1 }
        }
        row.expect("completes after", completed ?? -1, equals: row["completes_after"].int ?? -1)
        if completed != nil { row.expect("object", try decoder.object() == source, equals: true) }
    }
}

extension Row {
    /// Compares parameters with the members of the row that name them.
    mutating func expect(_ parameters: ObjectParameters) {
        expect("F", parameters.objectSize, equals: self["F"].int)
        expect("T", parameters.symbolSize, equals: self["T"].int)
        expect("Z", parameters.sourceBlockCount, equals: self["Z"].int)
        expect("N", parameters.subBlockCount, equals: self["N"].int)
        expect("Al", parameters.alignment, equals: self["Al"].int)
    }
}
