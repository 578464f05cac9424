/// The name of the program that a vault belongs to, as it is called on a command line.
enum OwnerName {
    private static let byteCounts = 1...64
    private static let marks = Array("._-".utf8)

    /// Whether a text can be one: letters and digits of ASCII, and marks behind the first, so that nothing in it is
    /// more than a name where a person copies it.
    static func isOne(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard byteCounts.contains(bytes.count), !marks.contains(bytes[0]) else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: marks.contains(byte)
            }
        }
    }
}
