import BasicFoundation

/// One step of a recorded flow: an action, or a call of the host, and what is seen behind it.
///
/// Source: `signer-product` section 12.4.
package struct FlowStep: Decodable, Sendable {
    /// What is seen.
    package struct Expectation: Decodable, Sendable {
        package var screen: String
        package var modal: String?
        package var alert: String?
        package var alertCode: String?
        package var label: String?
        package var back: Bool?
        package var footer: Bool?
        package var footerButton: String?
        package var rightButton: String?
        package var nameType: String?
    }

    /// A condition outside of the core.
    package enum Condition: Decodable, Sendable, Equatable {
        case holds(Bool)
        case named(String)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .holds(flag)
            } else {
                self = .named(try container.decode(String.self))
            }
        }
    }

    /// The number of the step.
    package var n: Int
    /// What is done.
    package var action: String?
    /// What the host does instead.
    package var call: String?
    package var data: String?
    package var secret: String?
    package var names: [String]?
    package var seed: String?
    package var expect: Expectation?
    /// The rule that fires; nil if the action is ignored.
    package var rule: String?
    package var conditions: [String: Condition]?

    /// Reads the steps of a flow, a JSON array.
    package static func steps(_ json: [UInt8]) throws -> [FlowStep] {
        try JSONDecoder().decode([FlowStep].self, from: Data(json))
    }

    /// Whether a condition is said to hold.
    func says(_ name: String) -> Bool? {
        if case .holds(let flag)? = conditions?[name] { flag } else { nil }
    }
}
