/// A profile as JSON has it.
struct ProfileForm: Codable {
    let version: Int
    let rules: [RuleForm]
}

struct RuleForm: Codable {
    let id: String
    let field: String
    let op: String
    let value: ValueForm?

    init(_ rule: BehaviourRule) {
        id = rule.id
        field = rule.field.name
        switch rule.condition {
        case .equal(let expected): (op, value) = ("eq", .one(expected))
        case .notEqual(let other): (op, value) = ("ne", .one(other))
        case .atMost(let bound): (op, value) = ("le", .one(.number(bound)))
        case .atLeast(let bound): (op, value) = ("ge", .one(.number(bound)))
        case .oneOf(let values): (op, value) = ("in", .several(values))
        case .absent: (op, value) = ("absent", nil)
        case .present: (op, value) = ("present", nil)
        case .maskZero(let mask): (op, value) = ("maskZero", .one(.number(mask)))
        }
    }

    /// - Throws: ``BehaviourProfileError/rule(index:_:)``.
    func rule(index: Int) throws(BehaviourProfileError) -> BehaviourRule {
        guard !id.isEmpty else { throw .rule(index: index, "the id is empty") }
        guard let field = BehaviourField(name: field) else {
            throw .rule(index: index, "there is no field \(self.field)")
        }
        return BehaviourRule(id: id, field, try condition(of: field, index: index))
    }

    private func condition(
        of field: BehaviourField, index: Int
    ) throws(BehaviourProfileError) -> BehaviourRule.Condition {
        switch op {
        case "eq": return .equal(try one(field, index))
        case "ne": return .notEqual(try one(field, index))
        case "le": return .atMost(try number(field, index))
        case "ge": return .atLeast(try number(field, index))
        case "maskZero": return .maskZero(try number(field, index))
        case "absent": return .absent
        case "present": return .present
        case "in":
            guard case .several(let values)? = value else {
                throw .rule(index: index, "the operation in takes a list of values")
            }
            var found: [BehaviourValue] = []
            for value in values { found.append(try fitted(value, to: field, index: index)) }
            return .oneOf(found)
        default: throw .rule(index: index, "there is no operation \(op)")
        }
    }

    private func one(_ field: BehaviourField, _ index: Int) throws(BehaviourProfileError) -> BehaviourValue {
        guard case .one(let value)? = value else { throw .rule(index: index, "the operation \(op) takes one value") }
        return try fitted(value, to: field, index: index)
    }

    private func number(_ field: BehaviourField, _ index: Int) throws(BehaviourProfileError) -> UInt64 {
        guard case .number(let number) = try one(field, index) else {
            throw .rule(index: index, "the operation \(op) needs a field that is a number")
        }
        return number
    }

    /// A value of the field's type. Sets of bits may be written as `"0x…"`, since JSON's numbers need not hold 64 bits.
    private func fitted(
        _ value: BehaviourValue, to field: BehaviourField, index: Int
    ) throws(BehaviourProfileError) -> BehaviourValue {
        switch value {
        case .text(let text) where !field.isText:
            guard text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16) else {
                throw .rule(index: index, "\(field.name) is a number")
            }
            return .number(number)
        case .number where field.isText: throw .rule(index: index, "\(field.name) is a text")
        default: return value
        }
    }
}

enum ValueForm: Codable {
    case one(BehaviourValue)
    case several([BehaviourValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let values = try? container.decode([BehaviourValue].self) {
            self = .several(values)
        } else {
            self = .one(try container.decode(BehaviourValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .one(let value): try container.encode(value)
        case .several(let values): try container.encode(values)
        }
    }
}

extension BehaviourValue: Codable {
    /// Reads a profile of any coder, and checks it as ``init(json:)`` does.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(UInt64.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Numbers that JSON's readers may not hold are written as `"0x…"`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number) where number >> 53 == 0: try container.encode(number)
        case .number(let number): try container.encode("0x" + String(number, radix: 16))
        case .text(let text): try container.encode(text)
        }
    }
}
