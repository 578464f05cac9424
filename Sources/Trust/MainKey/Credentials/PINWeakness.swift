/// The first rule that a PIN breaks (`mainkey` section 11).
public enum PINWeakness: String, Sendable, CaseIterable {
    case tooShort, tooLong, badByte, allEqual, sequence, repeated, tooFewDistinct, blocklisted

    package var explanation: String {
        switch self {
        case .tooShort: "it has fewer than 6 characters"
        case .tooLong: "it has more than 128 characters"
        case .badByte: "it has a character other than letters, digits and signs of ASCII"
        case .allEqual: "all its characters are the same"
        case .sequence: "its characters follow one another, like 123456"
        case .repeated: "it repeats two or three characters, like 121212"
        case .tooFewDistinct: "it has fewer than three different characters"
        case .blocklisted: "it is one of those that are tried first"
        }
    }
}
