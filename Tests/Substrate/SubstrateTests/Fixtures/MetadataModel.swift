import SCALE

/// Metadata as a test writes it down: types refer to each other by name, an encoder turns it into a blob of version 14
/// to 16.
struct MetadataModel {
    var types: [TypeModel] = []
    var pallets: [PalletModel] = []
    var extensions: [(identifier: String, type: String, additional: String)] = []
    var address = "MultiAddress"
    var outerCall = "RuntimeCall"
    var signature = "bytes"
    var extrinsic = "UncheckedExtrinsic"
    /// Which extensions an extension version has, by position: for version 16. Without any, version 0 has all.
    var extensionSets: [(version: UInt8, positions: [Int])] = []

    struct TypeModel {
        var name: String
        var path: [String] = []
        var parameters: [(String, String?)] = []
        var definition: Definition
        var docs: [String] = []
    }

    struct Field {
        var name: String?
        var type: String
        var typeName: String?
        var docs: [String] = []

        init(_ name: String? = nil, _ type: String, typeName: String? = nil, docs: [String] = []) {
            (self.name, self.type, self.typeName, self.docs) = (name, type, typeName, docs)
        }
    }

    struct Variant {
        var name: String
        var index: UInt8
        var fields: [Field] = []
        var docs: [String] = []
    }

    indirect enum Definition {
        case composite([Field])
        case variant([Variant])
        case sequence(String)
        case array(UInt32, String)
        case tuple([String])
        case primitive(UInt8)
        case compact(String)
        case bits(store: String, order: String)
    }

    struct PalletModel {
        var name: String
        var index: UInt8
        var calls: String?
        var constants: [(name: String, type: String, value: [UInt8])] = []
    }

    mutating func type(
        _ name: String, path: [String] = [], parameters: [(String, String?)] = [], docs: [String] = [],
        _ definition: Definition
    ) {
        types.append(TypeModel(name: name, path: path, parameters: parameters, definition: definition, docs: docs))
    }

    /// Says anew what the type called `name` is.
    mutating func redefine(_ name: String, _ definition: Definition) {
        types[id(name)].definition = definition
    }

    /// The position of the type called `name`; one behind the last for a name that is not there.
    func id(_ name: String) -> Int {
        types.firstIndex { $0.name == name } ?? types.count
    }
}

extension MetadataModel {
    func blob(version: UInt8) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw("meta".utf8)
        encoder.integer(version)
        encoder.compact(types.count)
        for (position, type) in types.enumerated() {
            encoder.compact(position)
            write(type, to: &encoder)
        }
        encoder.sequence(pallets) { write($1, version: version, to: &$0) }
        writeExtrinsic(version: version, to: &encoder)
        if version < 16 { encoder.compact(id("unit")) }
        if version > 14 { writeTail(version: version, to: &encoder) }
        return encoder.bytes
    }

    private func writeExtrinsic(version: UInt8, to encoder: inout ScaleEncoder) {
        switch version {
        case 14:
            encoder.compact(id(extrinsic))
            encoder.integer(UInt8(4))
        case 15:
            encoder.integer(UInt8(4))
            for name in [address, outerCall, signature, "unit"] { encoder.compact(id(name)) }
        default:
            encoder.byteSequence([4, 5])
            for name in [address, outerCall, signature] { encoder.compact(id(name)) }
            writeExtensionSets(to: &encoder)
        }
        encoder.sequence(extensions) { encoder, item in
            encoder.string(item.identifier)
            encoder.compact(id(item.type))
            encoder.compact(id(item.additional))
        }
    }

    /// A runtime API with a method, the outer enums, a custom value.
    private func writeTail(version: UInt8, to encoder: inout ScaleEncoder) {
        encoder.compact(1)
        encoder.string("Core")
        encoder.compact(1)
        encoder.string("version")
        encoder.compact(1)
        encoder.string("input")
        encoder.compact(id("u32"))
        encoder.compact(id("u32"))
        write(["Returns the version."], to: &encoder)
        if version >= 16 { write(Self.deprecatedMethod, to: &encoder) }
        write(["The core API."], to: &encoder)
        if version >= 16 {
            encoder.compact(Int(Self.apiVersion))
            write(Self.deprecatedAPI, to: &encoder)
        }
        for _ in 0..<3 { encoder.compact(id(outerCall)) }
        encoder.compact(1)
        encoder.string("custom")
        encoder.compact(id("u8"))
        encoder.byteSequence([7])
    }

    func write(_ docs: [String], to encoder: inout ScaleEncoder) {
        encoder.sequence(docs) { $0.string($1) }
    }

    private func write(_ type: TypeModel, to encoder: inout ScaleEncoder) {
        write(type.path, to: &encoder)
        encoder.sequence(type.parameters) { encoder, parameter in
            encoder.string(parameter.0)
            encoder.option(parameter.1) { $0.compact(id($1)) }
        }
        write(type.definition, to: &encoder)
        write(type.docs, to: &encoder)
    }

    private func write(_ definition: Definition, to encoder: inout ScaleEncoder) {
        switch definition {
        case .composite(let fields):
            encoder.integer(UInt8(0))
            write(fields, to: &encoder)
        case .variant(let variants):
            encoder.integer(UInt8(1))
            encoder.sequence(variants) { encoder, variant in
                encoder.string(variant.name)
                write(variant.fields, to: &encoder)
                encoder.integer(variant.index)
                write(variant.docs, to: &encoder)
            }
        case .sequence(let item):
            encoder.integer(UInt8(2))
            encoder.compact(id(item))
        case .array(let length, let item):
            encoder.integer(UInt8(3))
            encoder.integer(length)
            encoder.compact(id(item))
        case .tuple(let elements):
            encoder.integer(UInt8(4))
            encoder.sequence(elements) { $0.compact(id($1)) }
        case .primitive(let code):
            encoder.integer(UInt8(5))
            encoder.integer(code)
        case .compact(let inner):
            encoder.integer(UInt8(6))
            encoder.compact(id(inner))
        case .bits(let store, let order):
            encoder.integer(UInt8(7))
            encoder.compact(id(store))
            encoder.compact(id(order))
        }
    }

    private func write(_ fields: [Field], to encoder: inout ScaleEncoder) {
        encoder.sequence(fields) { encoder, field in
            encoder.option(field.name) { $0.string($1) }
            encoder.compact(id(field.type))
            encoder.option(field.typeName) { $0.string($1) }
            write(field.docs, to: &encoder)
        }
    }

    private func write(_ pallet: PalletModel, version: UInt8, to encoder: inout ScaleEncoder) {
        let isSystem = pallet.name == "System"
        encoder.string(pallet.name)
        encoder.option(isSystem ? () : nil) { encoder, _ in writeStorage(version: version, to: &encoder) }
        encoder.option(pallet.calls) { encoder, calls in
            encoder.compact(id(calls))
            if version >= 16 { write(isSystem ? Self.deprecatedCalls : [], to: &encoder) }
        }
        encoder.option(nil as Int?) { $0.compact($1) }
        encoder.sequence(pallet.constants) { encoder, constant in
            encoder.string(constant.name)
            encoder.compact(id(constant.type))
            encoder.byteSequence(constant.value)
            write(["What \(constant.name) is."], to: &encoder)
            if version >= 16 { write(Self.deprecation(ofConstant: constant.name), to: &encoder) }
        }
        encoder.option(nil as Int?) { $0.compact($1) }
        if version >= 16 { writeAdditions(isSystem: isSystem, to: &encoder) }
        encoder.integer(pallet.index)
        if version >= 15 { write(["The pallet \(pallet.name)."], to: &encoder) }
        if version >= 16 { write(Self.deprecation(ofPallet: pallet.name), to: &encoder) }
    }

    /// A plain entry and a map.
    private func writeStorage(version: UInt8, to encoder: inout ScaleEncoder) {
        encoder.string("System")
        encoder.compact(2)
        encoder.string("Number")
        encoder.raw([1, 0])
        encoder.compact(id("u32"))
        encoder.byteSequence([0, 0, 0, 0])
        write(["The current block number."], to: &encoder)
        if version >= 16 { write(.notDeprecated, to: &encoder) }
        encoder.string("Account")
        encoder.raw([0, 1])
        encoder.sequence([UInt8(2)]) { $0.integer($1) }
        encoder.compact(id("AccountId32"))
        encoder.compact(id("u128"))
        encoder.byteSequence([])
        write([] as [String], to: &encoder)
        if version >= 16 { write(Self.deprecatedStorage, to: &encoder) }
    }
}
