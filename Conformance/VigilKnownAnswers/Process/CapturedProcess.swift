import CodeMeasurement
import ExecutableImage
import Foundation
import KnownAnswers

/// One scenario: the texts of `/proc/PID`, and where its page tables show private copies.
struct CapturedProcess {
    private let row: Row
    private let map: MemoryMap
    private let program: MeasuredProgram
    private let policy: MapPolicy

    init(_ row: Row, of content: JSON) throws {
        self.row = row
        map = try MemoryMap(Array(row.text("maps").utf8))
        policy = MapPolicy(
            externalPrefixes: content["allowedExternalPrefixes"].strings.map {
                $0.hasSuffix("/") ? String($0.dropLast()) : $0
            })
        let root = try content["bundleRoot"].string ?? Self.missing("bundleRoot")
        var images: [MeasuredImage] = []
        for image in content["images"].array {
            let path = try image["path"].string ?? Self.missing("path")
            let key = images.isEmpty ? try Self.executable(row) : Self.key(of: "\(root)/\(path)", in: map)
            // A library that is not mapped is not measured.
            guard let key else { continue }
            images.append(
                MeasuredImage(path: path, key: key, segments: try image["segments"].array.map(Self.segment)))
        }
        guard let main = images.first else { throw RowError.missing("images") }
        program = MeasuredProgram(main: main, libraries: Array(images.dropFirst()))
    }

    /// The path of the program as the map shows it.
    var mappedPath: String? {
        map.mappings.first { $0.key == program.main.key }.map(map.path(of:))
    }

    func text(_ key: String) throws -> [UInt8] { Array(try row.text(key).utf8) }

    struct Verdict {
        var reason = Reason.ok
        var finding: Finding?
        var ruleID: String?
        var flags: MeasurementFlags
    }

    /// A debugger, then the map, the page tables, and the environment.
    func verdict() throws -> Verdict {
        // The files of the machine on which this was captured cannot be looked at.
        let shape = MapShape(map, program: program, policy: policy) { _, _ in .trusted }
        var verdict = Verdict(flags: shape.flags)
        let status = ProcessStatus(try text("status"))
        let copies = try copies
        if status.tracer != 0 {
            verdict.reason = .traced
        } else if let finding = shape.findings.first {
            verdict.reason = .foreignCode
            verdict.finding = finding
        } else if let finding = CodePage.findings(
            in: shape, of: program,
            copies: { range in
                copies.filter { $0.overlaps(range) }
            }
        ).first {
            verdict.reason = .codeModified
            verdict.finding = finding
        } else {
            let behaviour = try behaviour(status, shape)
            verdict.reason = behaviour.reason
            verdict.ruleID = behaviour.rule?.id
        }
        return verdict
    }

    private func behaviour(_ status: ProcessStatus, _ shape: MapShape) throws -> BehaviourVerdict {
        let environment = EnvironmentBlock(bytes: Array(Data(base64Encoded: try row.text("environ")) ?? Data()))
        let limits = ProcessLimits(try text("limits"))
        // The program that was captured hides nothing: of the rules for those that hold keys it keeps one.
        let rules = BehaviourRule.builtIn + BehaviourRule.vault.filter { $0.field == .coreSize }
        return BehaviourVerdict(rules) { field in
            switch field {
            case .tracer: status.tracer.map { .value(.number($0)) } ?? .unreadable
            case .environment(let name): environment.reading(of: name)
            case .writableExecutable: .value(.number(UInt64(shape.writableExecutableCount)))
            case .coreSize: limits.softCoreSize.map { .value(.number($0)) } ?? .unreadable
            default: .unreadable
            }
        }
    }

    // MARK: The form of the file

    /// Addresses of pages in hex, in a list for each mapping.
    private var copies: [Range<UInt64>] {
        get throws {
            try row["anonymousPagesInReadOnlyFileMappings"].object.values.flatMap(\.array).map { page in
                guard let start = UInt64(page.string?.dropFirst(2) ?? "", radix: 16) else {
                    throw RowError.missing("anonymousPagesInReadOnlyFileMappings")
                }
                return start..<start + 4096
            }
        }
    }

    private static func executable(_ row: Row) throws -> FileKey {
        let numbers = try row.text("exeDev").split(separator: ":").compactMap { UInt32($0, radix: 16) }
        guard numbers.count == 2, let inode = row["exeInode"].int else { throw RowError.missing("exeInode") }
        return FileKey(device: DeviceNumber(major: numbers[0], minor: numbers[1]), inode: UInt64(inode))
    }

    private static func key(of path: String, in map: MemoryMap) -> FileKey? {
        map.mappings.first { map.path(of: $0) == path }?.key
    }

    private static func segment(_ json: JSON) throws -> ImageSegment {
        guard let address = json["address"].int, let offset = json["fileOffset"].int, let size = json["size"].int,
            let protection = json["prot"].int
        else { throw RowError.missing("segments") }
        return ImageSegment(
            name: nil, address: UInt64(address), memorySize: UInt64(size), fileOffset: UInt64(offset),
            fileSize: UInt64(size), protection: SegmentProtection(rawValue: UInt32(protection)))
    }

    private static func missing(_ key: String) throws -> String { throw RowError.missing(key) }
}
