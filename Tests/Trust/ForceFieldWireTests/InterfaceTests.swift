import ForceFieldWire
import Testing

struct DecodeRequest: Codable, Sendable {}
struct DecodeReply: Codable, Sendable {}

@Suite("Interface")
struct InterfaceTests {
    @Test("the hash and the text are those of the known answers, in whatever order methods are declared")
    func known() throws {
        let methods = [
            Method<DecodeRequest, DecodeReply>("qr.decode").signature, Method<[UInt8], [UInt8]>("echo").signature,
        ]
        let vector = Fixture.known("hash_vectors.json")["interface"]
        let interface = try Interface(methods)
        #expect(interface.text == vector["text"].string)
        #expect(interface.hash == UInt64(vector["hash"].string ?? "", radix: 16))
        #expect(try Interface(methods.reversed()).hash == interface.hash)
        #expect(interface[MethodID(name: "echo")]?.name == "echo")
    }

    @Test("the hashes of names are those of the known answers")
    func hashes() {
        let vectors = Fixture.known("hash_vectors.json")
        #expect(vectors["fnv1a32"].array.count == 6)
        for vector in vectors["fnv1a32"].array {
            #expect(FNV1a.hash32((vector["in"].string ?? "").utf8) == UInt32(vector["out"].string ?? "", radix: 16))
        }
        for vector in vectors["fnv1a64"].array {
            #expect(FNV1a.hash64((vector["in"].string ?? "").utf8) == UInt64(vector["out"].string ?? "", radix: 16))
        }
    }

    @Test("types are named as they are declared, and streams have two arrows")
    func names() {
        #expect(
            StreamMethod<[String: [Int]], DecodeReply?>("m").signature.line == "m([String: [Int]])->>DecodeReply?")
    }

    @Test("a name that stands twice, collides or is empty is refused")
    func refusals() throws {
        let echo = Method<[UInt8], [UInt8]>("echo").signature
        #expect(throws: InterfaceError.duplicate("echo")) { try Interface([echo, echo]) }
        #expect(throws: InterfaceError.badName("")) { try Interface([Method<Int, Int>("").signature]) }
        #expect(throws: InterfaceError.badName("a b")) { try Interface([Method<Int, Int>("a b").signature]) }
        // Two names that are known to have one hash of 32 bits.
        let pair = ["costarring", "liquid"].map { Method<Int, Int>($0).signature }
        #expect(throws: InterfaceError.collision("costarring", "liquid")) { try Interface(pair) }
    }

    @Test("only methods of bytes for bytes are raw")
    func raw() throws {
        #expect(Method<[UInt8], [UInt8]>("raw").isRaw)
        #expect(!Method<[UInt8], String>("text").isRaw)
        #expect(try MethodBody.encode([1, 2] as [UInt8], raw: true) == [1, 2])
        #expect(try MethodBody.encode([1, 2] as [UInt8], raw: false) == [8, 2, 0, 0, 0, 1, 2])
        #expect(try MethodBody.decode([1, 2], as: [UInt8].self, raw: true) == [1, 2])
    }
}
