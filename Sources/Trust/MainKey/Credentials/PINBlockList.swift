/// PINs and passwords that are tried first, in lower case.
package enum PINBlockList {
    /// Whether the bytes are on the list. Letters of ASCII count in either case.
    static func contains(_ pin: UnsafeRawBufferPointer) -> Bool {
        entries.contains { entry in
            entry.utf8.count == pin.count && zip(entry.utf8, pin).allSatisfy { $0 == lowercased($1) }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    // Source: generated for this project, as all of `mainkey`'s data; sorted.
    package static let entries = [
        "001122", "010203", "100000", "101010", "102030", "112233", "123321", "123456", "1234567", "12345678",
        "123456789", "1234567890", "123654", "131425", "135790", "142536", "147258", "147258369", "159753", "1q2w3e",
        "1q2w3e4r", "1qaz2wsx", "200000", "202020", "223344", "246810", "258369", "332211", "445566", "456123",
        "456789", "520131", "520520", "654321", "696969", "741852", "778899", "789456", "951753", "987654321",
        "998877", "a1b2c3", "abc123", "admin1", "asdfgh", "asdfghjkl", "baseball", "changeme", "default", "dragon",
        "football", "iloveyou", "letmein", "master", "monkey", "passw0rd", "password", "password1", "princess",
        "qwerty", "qwerty1", "qwertyui", "qwertyuiop", "secret", "sunshine", "superman", "trustno1", "welcome",
        "zxcvbn", "zxcvbnm",
    ]
}
