import BasicFoundation
import ExecutableImage
import StrictJSON
import TextForms

extension Manifest {
    /// Reads the payload of a manifest's envelope. Members that are not known are ignored.
    ///
    /// - Throws: ``ManifestError``: `unsupportedVersion`, `malformedManifest`.
    package init(payload: [UInt8]) throws(ManifestError) {
        let fields: JSONFields
        do {
            fields = try JSONFields(reading: payload, limit: Envelope.sizeLimit)
        } catch {
            throw .malformedManifest("\(error)")
        }
        let version: Int64? = try? fields.integer("vigilManifest")
        guard version == Int64(Self.version) else { throw .unsupportedVersion(found: version) }
        do {
            let parts = try Self.parts(of: fields)
            try self.init(
                product: fields.string("product"), epoch: fields.integer("epoch"), created: fields.string("created"),
                images: parts.images, externals: parts.externals, bundles: parts.bundles)
        } catch let error as ManifestError {
            throw error
        } catch {
            throw .malformedManifest("\(error)")
        }
    }

    private typealias Parts = (images: [ManifestImage], externals: [ExternalLibrary], bundles: [BundleEntry])

    private static func parts(of fields: JSONFields) throws(JSONFieldError) -> Parts {
        var parts: Parts = ([], [], [])
        for entry in try fields.objects("entries", limit: entryLimit) {
            switch try entry.string("role") {
            case "app": parts.images.append(try ManifestImage(entry, side: .app, role: .program))
            case "validator": parts.images.append(try ManifestImage(entry, side: .validator, role: .program))
            case "bundle": parts.images.append(try ManifestImage(entry, side: entry.value("of"), role: .library))
            case "external": parts.externals.append(try ExternalLibrary(entry))
            default: throw entry.error(in: "role", "\"app\", \"validator\", \"bundle\" or \"external\" expected")
            }
        }
        for entry in try fields.objects("bundles", limit: entryLimit) {
            parts.bundles.append(
                BundleEntry(
                    side: try entry.value("of"), architecture: try entry.string("arch"),
                    bundle2: try entry.digest("bundle2")))
        }
        return parts
    }

    /// The payload, always the same for the same manifest.
    package var payload: [UInt8] {
        let members: JSON = [
            "vigilManifest": .integer(Self.version), "product": .string(product),
            "epoch": .integer(epoch),
            "created": .string(created), "entries": .array(images.map(\.json) + externals.map(\.json)),
            "bundles": .array(bundles.map(\.json)),
        ]
        return members.canonicalText
    }
}

extension BundleEntry {
    fileprivate var json: JSON {
        ["of": .string(side.rawValue), "arch": .string(architecture), "bundle2": .string("\(bundle2)")]
    }
}

extension ExternalLibrary {
    fileprivate init(_ fields: JSONFields) throws(JSONFieldError) {
        side = try fields.value("of")
        soname = try fields.string("soname")
        switch try fields.string("policy") {
        case "rootOwned": policy = .rootOwned
        case "pinned": policy = .pinned(try fields.digest("text2"))
        default: throw fields.error(in: "policy", "\"rootOwned\" or \"pinned\" expected")
        }
    }

    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "role": "external", "of": .string(side.rawValue), "soname": .string(soname), "policy": "rootOwned",
        ]
        if case .pinned(let text2) = policy {
            members["policy"] = "pinned"
            members["text2"] = .string("\(text2)")
        }
        return .object(members)
    }
}

extension ManifestImage {
    fileprivate init(_ fields: JSONFields, side: Side, role: Role) throws(JSONFieldError) {
        guard let pageSize = PageSize(rawValue: try fields.integer("pageSize")) else {
            throw fields.error(in: "pageSize", "4096 or 16384 expected")
        }
        self.init(
            side: side, role: role, path: try fields.string("path"), format: try fields.value("format"),
            architecture: try fields.string("arch"), text1: try fields.digest("text1"),
            text2: try fields.digest("text2"), load2: try fields.digest("load2"),
            file: try fields.ifPresent("file", fields.digest), size: try fields.integer("size"),
            fsverity: try fields.ifPresent("fsverity", fields.digest), pageSize: pageSize,
            pageRoot: try fields.digest("pageRoot"), pages: try fields.ifPresent("pages", fields.pageRuns))
    }

    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "role": .string(role == .library ? "bundle" : side.rawValue), "path": .string(path),
            "format": .string(format.rawValue), "arch": .string(architecture), "text1": .string("\(text1)"),
            "text2": .string("\(text2)"), "load2": .string("\(load2)"), "size": .integer(Int64(clamping: size)),
            "pageSize": .integer(pageSize.rawValue), "pageRoot": .string("\(pageRoot)"),
        ]
        if role == .library { members["of"] = .string(side.rawValue) }
        if let file { members["file"] = .string("\(file)") }
        if let fsverity { members["fsverity"] = .string("\(fsverity)") }
        if let pages {
            members["pages"] = .string(Data(pages.flatMap(\.digests).flatMap(\.bytes)).base64EncodedString())
            members["pageSegments"] = .array(
                pages.map {
                    ["address": .string(String($0.address, radix: 16)), "pages": .integer($0.digests.count)]
                })
        }
        return .object(members)
    }
}

extension JSONFields {
    /// The digests of pages, and beside them which segments they are of: `pageSegments`, an array of {`address` in hex,
    /// `pages`}.
    ///
    /// The specification names the digests alone; without the addresses of the segments it could not be told whether
    /// they belong to `pageRoot`.
    fileprivate func pageRuns(_ name: String) throws(JSONFieldError) -> [PageRun] {
        var rest = try base64(name)[...]
        var runs: [PageRun] = []
        for segment in try objects("pageSegments", limit: 512) {
            let address = try segment.string("address")
            guard let address = UInt64(address, radix: 16),
                String(address, radix: 16) == (try segment.string("address"))
            else { throw segment.error(in: "address", "lower-case hexadecimal digits expected") }
            let count: UInt16 = try segment.integer("pages")
            guard rest.count >= Int(count) * Bytes32.count else {
                throw error(in: name, "fewer pages than pageSegments say")
            }
            var digests: [Bytes32] = []
            for _ in 0..<count {
                if let digest = Bytes32(rest.prefix(Bytes32.count)) { digests.append(digest) }
                rest = rest.dropFirst(Bytes32.count)
            }
            runs.append(PageRun(address: address, digests: digests))
        }
        guard rest.isEmpty else { throw error(in: name, "more pages than pageSegments say") }
        return runs
    }
}
