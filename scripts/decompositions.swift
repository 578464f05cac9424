// Writes the compatibility decompositions of all characters (NFKD), as Foundation's tables of Unicode have them:
//
//     swift scripts/decompositions.swift >Sources/Bridges/CTexts/Files/decompositions.txt
//
// A line for each character that is decomposed: its scalar and those of its parts, in hexadecimal digits. Syllables of
// Hangul are left out, as they follow a rule. A test compares the file with Foundation.
import Foundation

func hex(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16, uppercase: true) }

for value in UInt32(0x80)...0x10ffff where !(0xac00...0xd7a3 ~= value) {
    guard let scalar = Unicode.Scalar(value) else { continue }
    let parts = Array(String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars)
    if parts != [scalar] { print(([scalar] + parts).map(hex).joined(separator: " ")) }
}
