import CSodium
import Foundation
import KnownAnswers
import RaptorQ

/// The fountain code down to its tables: the format of `data/raptorq-qr/rfc6330`.
enum RaptorQTopic: Topic {
    static let name = "raptorq"
    static let summary = "the fountain code of RFC 6330"

    static func run(folder: URL, report: inout Report) throws {
        try report.checkFiles(in: folder) { report, file, json in
            if !json["oct_exp"].isNull {
                checkField(json, file: file, report: &report)
            } else if !json["degree_f"].isNull {
                checkDegrees(json, file: file, report: &report)
            } else if !json["tuple"].isNull {
                checkFunctions(json, file: file, report: &report)
            } else if !json["10"]["rows_hex"].isNull {
                checkMatrices(json, file: file, report: &report)
            } else if !json[0]["intermediate_hex"].isNull {
                report.checkRows(json.array, file: file, checkBlock)
            } else if !json[0]["source_packets_sha256"].isNull {
                report.checkRows(json.array, file: file, checkObject)
            } else if !json[0]["max_packet"].isNull {
                report.checkRows(json.array, file: file, checkDefaults)
            } else if !json[0]["esis_in_order"].isNull {
                report.checkRows(json.array, file: file, checkDecoding)
            } else {
                report.fail(file, because: "no check takes a file of this shape")
            }
        }
        try checkTables(in: folder, &report)
    }

    // MARK: Tables

    private static func checkField(_ json: JSON, file: String, report: inout Report) {
        let field = CodeInspection.field
        let powers = json["oct_exp"].array.compactMap(\.int)
        report.expect("\(file) oct_exp", powers, equals: (0..<powers.count).map { Int(field.powers[$0 % 255]) })
        report.expect(
            "\(file) oct_log", json["oct_log_1_to_255"].array.compactMap(\.int), equals: field.logarithms.map(Int.init))
    }

    /// The thresholds are found again by asking on both sides of each; the words by functions of single bytes.
    private static func checkDegrees(_ json: JSON, file: String, report: inout Report) {
        let thresholds = json["degree_f"].array.compactMap(\.int)
        for (degree, threshold) in thresholds.enumerated() where degree > 0 && degree < thresholds.count - 1 {
            let found = [threshold - 1, threshold].map { CodeInspection.degree(UInt32($0), ltSymbols: 1000) }
            report.expect("\(file) f[\(degree)]", found, equals: [UInt32(degree), UInt32(degree) + 1])
        }
        let words = (0..<4).map { json["V\($0)"].array.compactMap(\.int) }
        for index in 0..<256 {
            // All bytes of y but one are 0, so that the other tables give their first word.
            for table in 0..<4 {
                let y = UInt32(index) << UInt32(8 * table)
                let expected = (0..<4).reduce(0) { $0 ^ words[$1][$1 == table ? index : 0] }
                report.expect(
                    "\(file) V\(table)[\(index)]", CodeInspection.random(y: y, i: 0, m: .max),
                    equals: UInt32(truncatingIfNeeded: expected) % .max)
            }
        }
    }

    private static func checkTables(in folder: URL, _ report: inout Report) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".csv") }
        for name in names {
            let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            guard lines.first?.hasPrefix("Kprime,J,S,H,W") ?? false else { continue }
            for line in lines.dropFirst() {
                let known = line.split(separator: ",").compactMap { Int($0) }
                guard let first = known.first, let code = try? BlockParameters(sourceSymbolCount: first) else {
                    report.fail("\(name) \(line)", because: "this is no row")
                    continue
                }
                let found = [
                    code.extendedSymbolCount, code.systematicIndex, code.ldpcSymbolCount, code.hdpcSymbolCount,
                    code.ltSymbolCount, code.intermediateSymbolCount, code.piSymbolCount, code.piPrime,
                    code.plainSymbolCount, code.plainPISymbolCount,
                ]
                report.expect("\(name) \(first)", Array(found.prefix(known.count)), equals: known)
            }
        }
    }

    private static func checkFunctions(_ json: JSON, file: String, report: inout Report) {
        for (index, row) in json["rand"].array.enumerated() {
            let found = CodeInspection.random(y: word(row["y"]), i: word(row["i"]), m: word(row["m"]))
            report.expect("\(file) rand[\(index)]", found, equals: word(row["out"]))
        }
        for (index, row) in json["deg"].array.enumerated() {
            let found = CodeInspection.degree(word(row["v"]), ltSymbols: word(row["W"]))
            report.expect("\(file) deg[\(index)]", found, equals: word(row["d"]))
        }
        for (index, row) in json["tuple"].array.enumerated() {
            guard let code = try? BlockParameters(sourceSymbolCount: Int(word(row["Kprime"]))) else {
                report.fail("\(file) tuple[\(index)]", because: "no such K'")
                continue
            }
            let id = word(row["X"])
            report.expect(
                "\(file) tuple[\(index)]", CodeInspection.tuple(code, internalID: id),
                equals: row["d_a_b_d1_a1_b1"].array.map(word))
            report.expect(
                "\(file) tuple[\(index)] columns", CodeInspection.columns(code, internalID: id).sorted(),
                equals: row["columns"].array.compactMap(\.int).sorted())
        }
    }

    private static func word(_ json: JSON) -> UInt32 { UInt32(truncatingIfNeeded: json.int ?? -1) }

    /// Sparse rows as they stand; dense rows by what they say of a block: its intermediate symbols sum up to nothing.
    private static func checkMatrices(_ json: JSON, file: String, report: inout Report) {
        for (key, matrix) in json.object {
            let rows = matrix["rows_hex"].array.compactMap(\.hex)
            guard let count = Int(key), let code = try? BlockParameters(sourceSymbolCount: count),
                let parameters = try? ObjectParameters(objectSize: count * 8, symbolSize: 8),
                let symbols = try? CodeInspection.intermediateSymbols(stream(seed: 1, count: count * 8), parameters)
            else {
                report.fail("\(file) \(key)", because: "no such K'")
                continue
            }
            let sparse = CodeInspection.sparseRows(code)
            for (index, row) in rows.enumerated() {
                let dense = index - code.ldpcSymbolCount
                if (0..<code.hdpcSymbolCount).contains(dense) {
                    var sum = [UInt8](repeating: 0, count: 8)
                    for (column, factor) in row.enumerated() where column < symbols.count {
                        for byte in 0..<8 { sum[byte] ^= CodeInspection.product(factor, by: symbols[column][byte]) }
                    }
                    report.expect("\(file) \(key) row \(index)", sum, equals: [UInt8](repeating: 0, count: 8))
                } else {
                    var found = [UInt8](repeating: 0, count: row.count)
                    for column in sparse[index < code.ldpcSymbolCount ? index : index - code.hdpcSymbolCount] {
                        found[column] ^= 1
                    }
                    report.expect("\(file) \(key) row \(index)", found, equals: row)
                }
            }
        }
    }

    // MARK: Blocks and objects

    private static func checkBlock(_ row: inout Row) throws {
        guard let count = row["K"].int, let size = row["T"].int else { throw RowError.missing("K or T") }
        let source = try row.bytes("source_hex")
        let parameters = try ObjectParameters(objectSize: count * size, symbolSize: size)
        row.expect("K'", try parameters.block(0).extendedSymbolCount, equals: row["Kprime"].int ?? 0)
        row.expect(
            "C", try CodeInspection.intermediateSymbols(source, parameters),
            equals: row["intermediate_hex"].array.compactMap(\.hex))
        let rfc = try RaptorQEncoder(source, parameters: parameters)
        let vault = try RaptorQEncoder(source, parameters: parameters, numbering: .vault)
        for repair in row["repair"].array {
            let (esi, isi) = (word(repair["esi"]), word(repair["isi"]))
            let known = repair["hex"].hex ?? []
            row.expect("repair \(esi)", try rfc.symbol(PayloadID(block: 0, symbol: esi)), equals: known)
            guard isi <= PayloadID.maximumSymbol else { continue }
            row.expect("vault repair \(isi)", try vault.symbol(PayloadID(block: 0, symbol: isi)), equals: known)
        }
    }

    private static func checkObject(_ row: inout Row) throws {
        let parameters = try ObjectParameters(serialized: row.bytes("oti_hex"))
        row.expect("OTI", parameters.serialized, equals: try row.bytes("oti_hex"))
        row.expect("Kt", parameters.symbolCount, equals: row["Kt"].int ?? 0)
        let bytes = stream(seed: UInt64(row["seed"].int ?? 0), count: parameters.objectSize)
        row.expect("object", sha256(bytes), equals: try row.text("object_sha256"))
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
        row.expect("source packets", sha256(packets), equals: try row.text("source_packets_sha256"))
        for repair in row["repair"].array {
            let id = try PayloadID(block: UInt8(repair["sbn"].int ?? 0), symbol: word(repair["esi"]))
            row.expect(
                "repair \(id.symbol)", sha256(id.serialized + (try encoder.symbol(id))),
                equals: repair["packet_sha256"].string ?? "")
        }
    }

    private static func checkDefaults(_ row: inout Row) throws {
        let parameters = try ObjectParameters.defaults(
            objectSize: row["F"].int ?? 0, maximumPayloadSize: row["max_packet"].int ?? 0,
            workingMemory: row["WS"].int ?? ObjectParameters.defaultWorkingMemory)
        row.expect("OTI", parameters.serialized, equals: try row.bytes("oti_hex"))
    }

    private static func checkDecoding(_ row: inout Row) throws {
        guard let count = row["K"].int, let size = row["T"].int else { throw RowError.missing("K or T") }
        let source = stream(seed: UInt64(row["seed"].int ?? 0), count: count * size)
        let parameters = try ObjectParameters(objectSize: count * size, symbolSize: size)
        let encoder = try RaptorQEncoder(source, parameters: parameters)
        let decoder = RaptorQDecoder(parameters: parameters)
        var completed: Int?
        for (index, esi) in row["esis_in_order"].array.enumerated() where completed == nil {
            let id = try PayloadID(block: 0, symbol: word(esi))
            try decoder.receive(try encoder.symbol(id), id: id)
            if decoder.isComplete { completed = index + 1 }
        }
        row.expect("completes after", completed ?? -1, equals: row["completes_after"].int ?? -1)
        if completed != nil { row.expect("object", try decoder.object() == source, equals: true) }
    }

    // MARK: Streams

    /// The bytes that the data name by a seed.
    static func stream(seed: UInt64, count: Int) -> [UInt8] {
        var state = seed
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            value ^= value >> 31
            withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
        }
        return Array(bytes.prefix(count))
    }

    static func sha256(_ bytes: [UInt8]) -> String {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
