import StrictJSON
import TextForms

/// A JSON object for each event and each request.
struct JSONCoding: Sendable {
    private let reader: JSONReader
    /// The number of the latest message that is counted; the first is 1.
    private var sequence = 0

    init(maximumRequestBytes: Int) {
        reader = JSONReader(maximumBytes: maximumRequestBytes)
    }

    // MARK: Server to client

    mutating func encode(_ event: TelnetEvent) -> ClientMessage? {
        switch event {
        case .data(let bytes):
            return counted("data") { message in
                message += #","payload":""#.utf8
                message += Base64.encodedUTF8(bytes)
                message.append(UInt8(ascii: "\""))
            }
        case .message(let package, let data):
            return counted("gmcp") { message in
                message += #","package":"#.utf8
                JSON.write(quoted: package, to: &message)
                message += #","data":"#.utf8
                // Passed on as it is if it is JSON to everyone, else as a text.
                let bytes = Array(data.utf8)
                if (try? JSONReader(maximumBytes: .max).read(bytes)) != nil {
                    message += bytes
                } else {
                    JSON.write(quoted: data, to: &message)
                }
            }
        case .echo(let isSuppressed):
            return counted("echo") { $0 += #","suppressed":\#(isSuppressed)"#.utf8 }
        case .prompt: return counted("prompt") { _ in }
        case .msdp, .discarded: return nil
        }
    }

    private mutating func counted(_ type: String, _ write: (inout [UInt8]) -> Void) -> ClientMessage {
        sequence += 1
        var message = Array(#"{"type":"\#(type)","seq":\#(sequence)"#.utf8)
        write(&message)
        message.append(UInt8(ascii: "}"))
        return ClientMessage(isText: true, bytes: message)
    }

    static func disconnected(reason: String) -> ClientMessage {
        message([.init(name: "type", value: .string("disconnected")), .init(name: "reason", value: .string(reason))])
    }

    private static func refused(field: String, _ text: String) -> ClientRequest {
        .refused(
            message([
                .init(name: "type", value: .string("error")), .init(name: "code", value: .string("invalid_request")),
                .init(name: "field", value: .string(field)), .init(name: "message", value: .string(text)),
            ]))
    }

    private static func message(_ members: [JSON.Member]) -> ClientMessage {
        ClientMessage(isText: true, bytes: JSON.object(members).utf8())
    }

    // MARK: Client to server

    func decode(_ message: [UInt8]) -> ClientRequest {
        let request: JSON
        do throws(JSONError) {
            request = try reader.read(message)
        } catch {
            switch error.reason {
            // JSON that readers could differ about is no player's line.
            case .tooLarge, .tooDeep, .duplicateMember, .loneSurrogate:
                return Self.refused(field: "", error.description)
            default: return .input(message)
            }
        }
        guard case .object = request else { return .input(message) }
        switch request["type"]?.string {
        case "input": return input(request)
        case "naws": return resize(request)
        case "gmcp": return gmcp(request)
        case "disconnect": return .disconnect
        default: return Self.refused(field: "type", "expected input, naws, gmcp or disconnect")
        }
    }

    private func input(_ request: JSON) -> ClientRequest {
        guard let text = request["text"]?.string else { return Self.refused(field: "text", "expected a string") }
        return .input(Array(text.utf8))
    }

    private func resize(_ request: JSON) -> ClientRequest {
        func size(_ name: String) -> UInt16? {
            request[name]?.integer.flatMap { UInt16(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        guard let columns = size("width") else {
            return Self.refused(field: "width", "expected an integer from 1 to 65535")
        }
        guard let rows = size("height") else {
            return Self.refused(field: "height", "expected an integer from 1 to 65535")
        }
        return .resize(WindowSize(columns: columns, rows: rows))
    }

    private func gmcp(_ request: JSON) -> ClientRequest {
        guard let package = request["package"]?.string, !package.isEmpty,
            package.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return Self.refused(field: "package", "expected a name of visible ASCII characters") }
        return .message(package: package, data: request["data"]?.text() ?? "")
    }
}
