import MetadataDescriptions
import Substrate
import TestSupport
import Testing

@Suite("Metadata 16")
struct Metadata16Tests {
    private static let model = TestChain.model

    @Test("each form of deprecation is read where it stands")
    func deprecations() throws {
        let metadata = try FullMetadata(Self.model.blob(version: 16))
        let system = metadata.pallets[0]
        #expect(system.variantDeprecations.calls.map(\.variantIndex) == [0, 1, 2])
        #expect(
            system.variantDeprecations.calls.map(\.deprecation) == MetadataModel.deprecatedCalls.map(\.deprecation))
        #expect(
            system.storage?.entries.map(\.deprecation) == [.notDeprecated, MetadataModel.deprecatedStorage])
        #expect(system.constants.map(\.deprecation) == [.notDeprecated, .deprecatedWithoutNote])
        #expect(system.deprecation == .notDeprecated)
        #expect(metadata.pallets.last?.deprecation == .deprecated(note: "Gone.", since: nil))
        #expect(metadata.apis[0].deprecation == MetadataModel.deprecatedAPI)
        #expect(metadata.apis[0].methods[0].deprecation == MetadataModel.deprecatedMethod)
    }

    @Test("associated types, view functions and versions of APIs are read")
    func additions() throws {
        let metadata = try FullMetadata(Self.model.blob(version: 16))
        let system = metadata.pallets[0]
        #expect(system.associatedTypes.map(\.name) == ["Hash"])
        #expect(system.associatedTypes[0].type == UInt32(Self.model.id("H256")))
        #expect(metadata.docs(system.associatedTypes[0].docs) == "What hashes are.")
        let function = try #require(system.viewFunctions.first)
        #expect(function.id.bytes == MetadataModel.viewFunctionID)
        #expect(function.method.inputs.map(\.name) == ["account"])
        #expect(function.method.output == UInt32(Self.model.id("u128")))
        #expect(function.method.deprecation == .deprecated(note: "Soon.", since: "4"))
        #expect(metadata.docs(function.method.docs) == "What an account has.")
        #expect(metadata.apis[0].version == MetadataModel.apiVersion)
        #expect(metadata.pallets.dropFirst().allSatisfy { $0.viewFunctions.isEmpty && $0.associatedTypes.isEmpty })
    }

    @Test("transactions have the extensions of version 0, in its order")
    func extensionVersions() throws {
        var model = Self.model
        model.extensions.reverse()
        model.extensions.insert((identifier: "AuthorizeCall", type: "bool", additional: "bool"), at: 3)
        let signed = [7, 6, 5, 4, 2, 1, 0]
        model.extensionSets = [(version: 1, positions: [3, 7]), (version: 0, positions: signed)]
        let blob = model.blob(version: 16)
        let metadata = try RuntimeMetadata(blob)
        #expect(metadata.extensions.map(\.identifier) == Self.model.extensions.map(\.identifier))
        let extrinsic = try FullMetadata(blob).extrinsic
        #expect(extrinsic.versions == [4, 5])
        #expect(extrinsic.extensions == metadata.extensions)
        #expect(extrinsic.allExtensions.map(\.identifier) == model.extensions.map(\.identifier))
        #expect(extrinsic.extensionSets.map(\.version) == [1, 0])
        #expect(extrinsic.extensionSets[1].positions == signed)
        let decoder = TransactionDecoder(metadata: metadata, network: TestChain.network)
        let expected = try TestChain.decoder().decodeExtensions(TestChain.extensions())
        #expect(try decoder.decodeExtensions(TestChain.extensions()).cards.map(\.line) == expected.cards.map(\.line))
    }

    @Test("a list of extensions that contradicts itself is refused by name")
    func badExtensions() {
        var model = Self.model
        model.extensionSets = [(version: 1, positions: [0, 1])]
        expectFault(model) { if case .noSignedExtensions = $0 { true } else { false } }
        model.extensionSets = [(version: 0, positions: [0, 7])]
        expectFault(model) { if case .extensionOutOfRange(_, position: 7) = $0 { true } else { false } }
        let tooMany = MetadataLimits.extensions + 1
        model.extensionSets = [(version: 0, positions: Array(repeating: 0, count: tooMany))]
        expectFault(model) { if case .tooManyExtensions(_, count: tooMany) = $0 { true } else { false } }
        model.extensionSets = Array(repeating: (version: 0, positions: [0]), count: tooMany)
        expectFault(model) { if case .tooManyExtensions(_, count: tooMany) = $0 { true } else { false } }
        model = Self.model
        model.extensions = Array(repeating: model.extensions[0], count: tooMany)
        model.extensionSets = [(version: 0, positions: [0])]
        expectFault(model) { if case .tooManyExtensions(_, count: tooMany) = $0 { true } else { false } }
    }

    @Test("as many extensions as are read can be listed")
    func extensionLimit() throws {
        var model = Self.model
        let limit = MetadataLimits.extensions
        model.extensions += Array(repeating: ("More", "unit", "unit"), count: limit - model.extensions.count)
        let metadata = try RuntimeMetadata(model.blob(version: 16))
        #expect(metadata.extensions.count == limit)
    }

    @Test("a fourth form of deprecation is refused")
    func unknownDeprecation() throws {
        let blob = Self.model.blob(version: 16)
        let note = Array("Use something else.".utf8)
        let start = try #require(blob.indices.first { blob[$0...].starts(with: note) })
        var changed = blob
        // In front of the note: its length, and the form.
        changed[start - 2] = 3
        #expect(throws: MetadataError.unableToDecode(.unknownIndex(offset: start - 2, kind: "deprecation", found: 3))) {
            try RuntimeMetadata(changed)
        }
        #expect(throws: MetadataError.self) { try FullMetadata(changed) }
        #expect(throws: MetadataError.self) { try LeanMetadata.transform(changed) }
    }

    private func expectFault(_ model: MetadataModel, _ isExpected: (MetadataFault) -> Bool) {
        let blob = model.blob(version: 16)
        for read in [
            { _ = try RuntimeMetadata($0) }, { _ = try FullMetadata($0) }, { _ = try LeanMetadata.transform($0) },
        ] as [([UInt8]) throws -> Void] {
            let error = #expect(throws: MetadataError.self) { try read(blob) }
            guard case .unableToDecode(let fault) = error, isExpected(fault) else {
                Issue.record("refused as \(String(describing: error))")
                continue
            }
        }
    }
}
