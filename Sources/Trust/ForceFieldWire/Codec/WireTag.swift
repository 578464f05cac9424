/// The byte that each FFV1 value begins with.
///
/// Source: `forcefield` section 12.
enum WireTag: UInt8 {
    case `nil` = 0x00
    case `false` = 0x01
    case `true` = 0x02
    case int = 0x03
    case uint = 0x04
    case double = 0x05
    case float = 0x06
    case string = 0x07
    case bytes = 0x08
    case array = 0x09
    case map = 0x0a

    /// What people call a value with this tag.
    var name: String {
        switch self {
        case .nil: "nil"
        case .false, .true: "bool"
        case .int: "signed integer"
        case .uint: "unsigned integer"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .bytes: "bytes"
        case .array: "array"
        case .map: "map"
        }
    }
}
