internal import StrictJSON

/// A flat JSON object in the making: answers and lines of the log are one each, written without a tree in between.
struct JSONObject {
    private var content = [UInt8(ascii: "{")]

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        JSON.write(quoted: value, to: &content)
    }

    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        add(name, json: String(value))
    }

    mutating func add(_ name: String, flag value: Bool) { add(name, json: value ? "true" : "false") }

    /// - Parameter json: a whole JSON value.
    mutating func add(_ name: String, json: String) {
        begin(name)
        content += json.utf8
    }

    var text: String { String(decoding: content, as: UTF8.self) + "}" }

    private mutating func begin(_ name: String) {
        if content.count > 1 { content.append(UInt8(ascii: ",")) }
        JSON.write(quoted: name, to: &content)
        content.append(UInt8(ascii: ":"))
    }
}
