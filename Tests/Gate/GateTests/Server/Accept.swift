import Crypto
import Foundation

/// RFC 6455 section 4.2.2, not by the code that is tested.
func accept(_ key: String) -> String {
    Data(Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
}
