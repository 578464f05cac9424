import RuntimeService
import SCALE
import Substrate

/// What a runtime tells of itself.
package struct Runtime: Sendable {
    /// The metadata; ``ChainMetadata/blob`` is what load-metadata takes.
    package let metadata: ChainMetadata
    /// The name and the numbers of the runtime, the same in its metadata and beside them.
    package let version: RuntimeVersion
    /// Whether the version stands in a section of the runtime, and was not computed by it.
    package let versionIsStated: Bool
    /// Steps that the runtime took.
    package let steps: Int64

    /// - Throws: ``RuntimeError``: `metadata`, `version`, `otherVersion`, `otherFormat`.
    init(_ report: RuntimeReport, metadataVersion: UInt32?) throws(RuntimeError) {
        do throws(MetadataError) { metadata = try ChainMetadata(report.metadata) } catch { throw .metadata(error) }
        do throws(ScaleError) { version = try RuntimeVersion(scaleEncoded: report.version) } catch {
            throw .version(error)
        }
        versionIsStated = report.versionIsStated
        steps = report.steps
        guard version == metadata.version else {
            throw .otherVersion(ofRuntime: version, ofMetadata: metadata.version)
        }
        guard metadataVersion == nil || metadataVersion == UInt32(metadata.formatVersion) else {
            throw .otherFormat(metadata.formatVersion)
        }
    }
}
