import ForceFieldWire

/// What `runtime-worker` does for its host: takes the file of a chain's runtime, an outside value that is a program,
/// and answers with the version and the metadata that the runtime tells of itself.
///
/// The answer is an outside value too: `check` it, then read the metadata as any that come from outside.
package enum RuntimeService {
    /// Reads one runtime, on a worker that has seen no other.
    package static let read = Method<RuntimeFile, RuntimeAnswer>("runtime.read", maxReplyBytes: replyLimit)

    package static func interface() throws(InterfaceError) -> Interface { try Interface([read.signature]) }

    /// Bytes of a runtime, in its file and expanded, as nodes have it (`CODE_BLOB_BOMB_LIMIT`).
    package static let blobLimit = 50 << 20
    /// Bytes of metadata, as they are read everywhere.
    package static let metadataLimit = 4 << 20
    /// Both, with their names and lengths on the wire.
    static let replyLimit = metadataLimit + RuntimeReport.versionLimit + (4 << 10)

    /// Frames that a file fits into, for the host's policy.
    package static let maxFrameBytes = FrameLimits.largestFrame
    /// Memory for the file, the runtime, its code translated, and the memory that it runs in, for the host's policy.
    package static let memoryBytes: UInt64 = 2 << 30
}

/// The file of a runtime.
package struct RuntimeFile: Codable, Hashable, Sendable {
    /// The file, plain or compressed.
    package var bytes: [UInt8]
    /// The version of the metadata's format that is wanted; nil for what the runtime gives without being asked.
    package var metadataVersion: UInt32?
    /// Steps that the runtime may take.
    package var fuel: Int64

    /// Some fifty times what runtimes of today take.
    package static let usualFuel: Int64 = 1_000_000_000

    package init(bytes: [UInt8], metadataVersion: UInt32? = nil, fuel: Int64 = usualFuel) {
        self.bytes = bytes
        self.metadataVersion = metadataVersion
        self.fuel = fuel
    }
}

/// What a worker makes of a runtime.
package enum RuntimeAnswer: Codable, Hashable, Sendable {
    /// What the runtime tells of itself.
    case read(RuntimeReport)
    /// Why nothing is read, in the worker's words.
    case refused(String)

    package static let reasonLimit = 1_024

    /// - Throws: ``ReportRefusal`` for what cannot be.
    package func check() throws(ReportRefusal) {
        switch self {
        case .refused(let reason): guard reason.utf8.count <= Self.reasonLimit else { throw .words }
        case .read(let report):
            guard report.version.count <= RuntimeReport.versionLimit else { throw .version(report.version.count) }
            guard report.metadata.count <= RuntimeService.metadataLimit else {
                throw .metadata(report.metadata.count)
            }
        }
    }
}

/// What a runtime tells of itself.
package struct RuntimeReport: Codable, Hashable, Sendable {
    /// The version, in SCALE.
    package var version: [UInt8]
    /// Whether the version stands in a section of its own, and was not computed.
    package var versionIsStated: Bool
    /// The metadata, beginning with `meta`.
    package var metadata: [UInt8]
    /// Steps that it took.
    package var steps: Int64

    package static let versionLimit = 64 << 10

    package init(version: [UInt8], versionIsStated: Bool, metadata: [UInt8], steps: Int64) {
        self.version = version
        self.versionIsStated = versionIsStated
        self.metadata = metadata
        self.steps = steps
    }
}

/// Why an answer is not believed.
package enum ReportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case words
    case version(Int)
    case metadata(Int)

    /// What is wrong, as a part of a sentence.
    package var description: String {
        switch self {
        case .words: "the runtime reader said more than it may"
        case .version(let count): "the runtime reader told of a version of \(count) bytes"
        case .metadata(let count): "the runtime reader told of metadata of \(count) bytes"
        }
    }
}
