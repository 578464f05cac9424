import AppAttestTestKit

@testable import AppAttest

extension Rebuild {
    /// Steps A1 and A2.
    static let objects: [Rebuild] = [
        Rebuild("cbor-empty", bytes: { _ in [] }),
        Rebuild("cbor-truncated", bytes: { $0.dropLast() }),
        Rebuild("cbor-trailing-byte", bytes: { $0 + [0] }),
        Rebuild("cbor-indefinite-map", bytes: { [0xbf] + $0.dropFirst() + [0xff] }),
        Rebuild("cbor-indefinite-bytes") { recipe, _, _ in
            recipe.editObject = { $0[2].value = .raw([0x5f] + $0[2].value.encoded + [0xff]) }
        },
        Rebuild("cbor-duplicate-key") { recipe, _, _ in recipe.editObject = { $0.append($0[0]) } },
        Rebuild("cbor-non-minimal-length") { recipe, _, _ in
            recipe.format = .raw([0x78, 0x0f] + Array("apple-appattest".utf8))
        },
        Rebuild("cbor-tagged", bytes: { [0xd9, 0xd9, 0xf7] + $0 }),
        Rebuild("cbor-depth-bomb", bytes: { _ in Array(repeating: 0x81, count: 4_000) + [0x00] }),
        Rebuild("cbor-huge-length", bytes: { _ in [0x5b] + Array(repeating: 0xff, count: 8) }),
        Rebuild("cbor-huge-array", bytes: { _ in [0x9b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff] }),
        Rebuild(
            "cbor-float",
            bytes: { _ in [0xa1, 0x63, 0x66, 0x6d, 0x74, 0xfb, 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18] }),
        Rebuild("cbor-bad-utf8", bytes: { _ in [0xa1, 0x62, 0xc3, 0x28, 0x00] }),
        Rebuild("top-level-array", bytes: { _ in MintedCBOR.array([.text("apple-appattest")]).encoded }),
        Rebuild("fmt-apple") { recipe, _, _ in recipe.format = .text("apple") },
        Rebuild("fmt-bytes") { recipe, _, _ in recipe.format = .bytes(Array("apple-appattest".utf8)) },
        Rebuild("fmt-none") { recipe, _, _ in recipe.format = .text("none") },
        Rebuild("extra-top-key") { recipe, _, _ in
            recipe.editObject = { $0.append((key: .text("more"), value: .unsigned(1))) }
        },
        Rebuild("missing-authdata") { recipe, _, _ in recipe.editObject = { $0.removeLast() } },
        Rebuild("missing-receipt") { recipe, _, _ in recipe.editStatement { $0.removeLast() } },
        Rebuild("x5c-empty") { recipe, _, _ in recipe.certificates = { _ in [] } },
        Rebuild("x5c-leaf-only") { recipe, _, _ in recipe.certificates = { [$0] } },
        Rebuild("x5c-five") { recipe, _, _ in recipe.certificates = { Array(repeating: $0, count: 5) } },
        Rebuild("x5c-text-entry") { recipe, _, _ in
            recipe.editStatement { $0[0].value = .array([.text("leaf"), .text("intermediate")]) }
        },
    ]

    /// Step A3.
    static let authenticatorData: [Rebuild] = [
        Rebuild("authdata-short-163") { recipe, _, authority in
            try recipe.editData(by: authority) { $0.removeLast() }
        },
        Rebuild("authdata-36") { recipe, _, authority in
            try recipe.editData(by: authority) { $0 = Array($0.prefix(36)) }
        },
        Rebuild("authdata-at-clear") { recipe, _, _ in recipe.authenticatorData.flags = 0x00 },
        Rebuild("authdata-ed-set-no-ext") { recipe, _, _ in recipe.authenticatorData.flags = 0xc0 },
        Rebuild("authdata-credlen-33") { recipe, _, _ in recipe.credentialIDLength = [0x00, 0x21] },
        Rebuild("authdata-credlen-16") { recipe, _, _ in
            recipe.credentialIDLength = [0x00, 0x10]
            recipe.credentialID = Array(repeating: 1, count: 16)
        },
        Rebuild("authdata-trailing-garbage") { recipe, _, _ in recipe.authenticatorData.extensions = .raw([0x00]) },
        Rebuild("authdata-ext-then-garbage") { recipe, _, _ in
            recipe.authenticatorData.extensions = .raw([0xa0, 0x00])
        },
        Rebuild("authdata-ext-array") { recipe, _, _ in recipe.authenticatorData.extensions = .array([]) },
        Rebuild("authdata-cose-es384") { recipe, _, _ in recipe.coseKey = key { $0[1].value = .negative(34) } },
        Rebuild("authdata-cose-kty") { recipe, _, _ in recipe.coseKey = key { $0[0].value = .unsigned(3) } },
        Rebuild("authdata-cose-extra") { recipe, _, _ in
            recipe.coseKey = key { $0.append((key: .unsigned(4), value: .array([]))) }
        },
        Rebuild("authdata-cose-short-x") { recipe, _, _ in
            recipe.coseKey = key { $0[3].value = .bytes(Array(repeating: 1, count: 31)) }
        },
        Rebuild("authdata-category-3-bytes") { recipe, _, _ in
            recipe.authenticatorData.extensions = .map([
                (.text("apple_validation_category_01"), .bytes([4, 0, 0]))
            ])
        },
        Rebuild("authdata-version-bytes") { recipe, _, _ in
            recipe.authenticatorData.extensions = .map([(.text("apple_bundle_version_01"), .bytes([0x31]))])
        },
        Rebuild("authdata-codehash-without-type") { recipe, _, _ in
            recipe.authenticatorData.extensions = .map([
                (.text("apple_cd_hash_hash_01"), .bytes(Array(repeating: 1, count: 32)))
            ])
        },
    ]

    private static func key(_ edit: (inout [(key: MintedCBOR, value: MintedCBOR)]) -> Void) -> MintedCBOR {
        guard case .map(var entries) = AttestationRecipe.coseKey(point: TestKey.makeP256().point) else {
            return .raw([])
        }
        edit(&entries)
        return .map(entries)
    }
}
