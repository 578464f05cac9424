import Screens
import SecretMemory
import Testing

@testable import SignerSession

@MainActor
@Suite struct CallValuesTests {
    private let fields = FakeFields()

    private func data(_ data: CoreCall.Data) throws -> String {
        try CoreCall(.goForward, data).values(fields, choices: nil).data
    }

    @Test("data are made of fields as an action takes them")
    func makesData() throws {
        fields.texts = ["name": "a \"name\"", "path": "//a", "from": "2", "to": "3"]
        fields.toggles = ["on": true, "off": false]
        #expect(try data(.none) == "")
        #expect(try data(.text("as it is")) == "as it is")
        #expect(try data(.field("name")) == "a \"name\"")
        #expect(try data(.toggle("on")) == "true")
        #expect(try data(.toggle("off")) == "false")
        #expect(try data(.list(["from", "to"])) == "2,3")
        #expect(try data(.passwordedPath("path")) == "//a///")
        #expect(
            try data(.object(["name": "name"], known: ["networks": ["aa", "bb"]]))
                == #"{"name":"a \"name\"","networks":["aa","bb"]}"#)
        let chosen = ["networks": [CoreCall.Choice("on", value: "cc"), CoreCall.Choice("off", value: "dd")]]
        #expect(
            try data(.object([:], known: ["networks": ["aa"]], chosen: chosen)) == #"{"networks":["aa","cc"]}"#)
    }

    @Test("what confirms a danger leaves its field, and what is only sent stays")
    func takesConfirmations() throws {
        fields.texts = ["typed": "94tz", "name": "demo"]
        #expect(try data(.taken("typed")) == "94tz" && data(.field("name")) == "demo")
        #expect(fields.texts == ["typed": "", "name": "demo"])
        #expect(throws: CallError.otherPage) { try data(.taken("nowhere")) }
    }

    @Test("a word is compared with the one of its number, and a toggle with being on")
    func checks() throws {
        fields.toggles = ["on": true, "off": false]
        func call(_ condition: CoreCall.Condition) -> CoreCall {
            CoreCall(.goForward, needs: [CoreCall.Need(condition, otherwise: "no")])
        }
        try call(.isOn("on")).check(fields)
        #expect(throws: CallError.needs("no")) { try call(.isOn("off")).check(fields) }
        #expect(throws: CallError.otherPage) { try call(.isOn("nowhere")).check(fields) }
        try fields.put("two", into: "word")
        // The words are on no page.
        let words = SecretWords(.onDemand, label: "")
        #expect(throws: CallError.otherPage) { try call(.word("word", number: 2, of: words)).check(fields) }
    }

    @Test("what has to be empty is, whether it is words or a secret, and stays where it is")
    func checksEmptiness() throws {
        func check(_ condition: CoreCall.Condition) throws {
            let call = CoreCall(.goForward, needs: [CoreCall.Need(condition, otherwise: "no")])
            try call.check(fields)
            _ = try call.values(fields, choices: nil)
        }
        fields.texts = ["none": "", "some": "x"]
        try fields.put("", into: "nothing")
        try fields.put("typed", into: "secret")
        try check(.isEmpty("none"))
        try check(.isEmpty("nothing"))
        for field: Field.ID in ["some", "secret"] {
            #expect(throws: CallError.needs("no")) { try check(.isEmpty(field)) }
        }
        #expect(fields.secrets["secret"]?.count == 5)
        #expect(throws: CallError.otherPage) { try check(.isEmpty("nowhere")) }
    }

    @Test(
        "a path is one without a password only where three slashes behind it begin one of its own",
        arguments: [
            ("", true), ("//a", true), ("//a/b", true), ("//a///x", false), ("//a/", false), ("///", false),
            // Read with a slash, a mark and what stands before it are still no slash.
            ("//a///\u{301}x", false), ("//a\u{600}///x", false), ("//a\u{600}/", false), ("//a/\u{301}", true),
        ])
    func checksPaths(_ path: String, isPlain: Bool) throws {
        fields.texts = ["path": path]
        let call = CoreCall(.goForward, needs: [CoreCall.Need(.isPlainPath("path"), otherwise: "no")])
        if isPlain { return try call.check(fields) }
        #expect(throws: CallError.needs("no")) { try call.check(fields) }
    }

    @Test("a choice that the page does not offer is another page's")
    func refusesChoices() {
        #expect(throws: CallError.otherPage) {
            try CoreCall(.pushWord, choice: 0).values(fields, choices: nil)
        }
    }
}
