import Files
import TestSupport
import Testing

@testable import AirgapLink

@Suite("Files with payloads")
struct PayloadFileTests {
    @Test("a file holds a payload as bytes or as hex")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let bytes = try folder.write([0x53, 0x01, 0x02], to: "bytes")
        let hex = try folder.write("0x530102\n", to: "hex")
        let odd = try folder.write("53010\n", to: "odd")
        for allowsPipes in [true, false] {
            #expect(try PayloadFile.payload(at: bytes, allowsPipes: allowsPipes) == [0x53, 0x01, 0x02])
            #expect(try PayloadFile.payload(at: hex, allowsPipes: allowsPipes) == [0x53, 0x01, 0x02])
            #expect(try PayloadFile.payload(at: odd, allowsPipes: allowsPipes) == nil)
        }
    }

    @Test("what is no file is refused, and a pipe is not waited for where only files are read")
    func refusals() throws {
        let folder = try TemporaryFolder()
        #expect(throws: FileError.self) {
            _ = try PayloadFile.payload(at: folder.path("nothing"), allowsPipes: false)
        }
        #expect(throws: FileError.self) { _ = try PayloadFile.payload(at: folder.path, allowsPipes: false) }
        #expect(throws: FileError("/dev/null", .read, because: .notRegular)) {
            _ = try PayloadFile.payload(at: "/dev/null", allowsPipes: false)
        }
    }
}
