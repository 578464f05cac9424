import Cryptography
import KnownAnswers
import RaptorQ
import TextForms

/// The fountain code down to its tables: the format of `data/raptorq-qr/rfc6330`.
enum RaptorQTopic: Topic {
    static let name = "raptorq"
    static let summary = "the fountain code of RFC 6330"

    static let lists: [any AnswerList.Type] = [
        OctetAnswers.self, RandomNumberAnswers.self, CodeFunctionAnswers.self, ConstraintAnswers.self,
        SmallBlockAnswers.self, CodeObjectAnswers.self, CodeDefaultAnswers.self, DecodingAnswers.self,
    ]

    static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "systematic-indices.csv": checkIndices
    ]

    /// A line for each K', with what follows from it.
    @Sendable private static func checkIndices(_ file: AnswerFile, report: inout Report) throws {
        let lines = try file.text().split(separator: "\n")
        guard lines.first == "Kprime,J,S,H,W,L,P,P1,B,U" else { throw RowError.missing("the head of the table") }
        for line in lines.dropFirst() {
            let known = line.split(separator: ",").map { Int($0) ?? -1 }
            guard let first = known.first, let code = try? BlockParameters(sourceSymbolCount: first) else {
                report.fail(file.name("\(line)"), because: "this is no row")
                continue
            }
            let found = [
                code.extendedSymbolCount, code.systematicIndex, code.ldpcSymbolCount, code.hdpcSymbolCount,
                code.ltSymbolCount, code.intermediateSymbolCount, code.piSymbolCount, code.piPrime,
                code.plainSymbolCount, code.plainPISymbolCount,
            ]
            report.expect(file.name("\(first)"), found, equals: known)
        }
    }

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

    static func sha256(_ bytes: [UInt8]) -> String { Hex.encode(SHA256Hash.of(bytes)) }
}
