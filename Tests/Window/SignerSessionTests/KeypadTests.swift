import Testing

@testable import SignerSession

@Suite struct KeypadTests {
    private func press(_ key: Keypad.Key, on keypad: inout Keypad) throws -> Keypad.Key? {
        let place = try #require(keypad.places.first { $0.key == key })
        return keypad.press(x: place.x + place.width / 2, y: place.y + place.height / 2)
    }

    @Test("each key of each layer is pressed where it is drawn", arguments: [Keypad.Layer.digits, .letters, .signs])
    func presses(_ layer: Keypad.Layer) throws {
        let keypad = Keypad(beginningWith: layer, hasAllSigns: true)
        for place in keypad.places {
            var pressed = keypad
            let key = try press(place.key, on: &pressed)
            switch place.key {
            case .sign, .delete: #expect(key == place.key)
            case .layer(let layer): #expect(key == nil && pressed.layer == layer)
            case .shift: #expect(key == nil && pressed.isShifted)
            }
        }
    }

    @Test("keys lie within the keypad and over none of each other", arguments: [Keypad.Layer.digits, .letters, .signs])
    func lies(_ layer: Keypad.Layer) {
        let places = Keypad(beginningWith: layer, hasAllSigns: true).places
        for (index, place) in places.enumerated() {
            #expect(place.x > -1e-9 && place.x + place.width < 1 + 1e-9)
            #expect(place.y >= 0 && place.y + place.height < 1 + 1e-9)
            for other in places[(index + 1)...] where other.y == place.y {
                #expect(other.x >= place.x + place.width - 1e-9)
            }
        }
    }

    @Test("the layers together have every sign of ASCII that is printed")
    func isComplete() throws {
        var keypad = Keypad(beginningWith: .letters, hasAllSigns: true)
        var signs = Set<Unicode.Scalar>()
        func collect() { for case .sign(let sign) in keypad.places.map(\.key) { signs.insert(sign) } }
        collect()
        _ = try press(.shift, on: &keypad)
        collect()
        _ = try press(.layer(.signs), on: &keypad)
        collect()
        _ = try press(.layer(.letters), on: &keypad)
        _ = try press(.layer(.digits), on: &keypad)
        collect()
        #expect(signs == Set((0x20...0x7e).map { Unicode.Scalar(UInt8($0)) }))
    }

    @Test("shift is for one key")
    func shifts() throws {
        var keypad = Keypad(beginningWith: .letters, hasAllSigns: true)
        _ = try press(.shift, on: &keypad)
        #expect(try press(.sign("Q"), on: &keypad) == .sign("Q"))
        #expect(!keypad.isShifted)
    }

    @Test("a keypad for words has small letters and nothing else")
    func isForWords() {
        let keypad = Keypad(beginningWith: .letters, hasAllSigns: false)
        let keys = Set(keypad.places.map(\.key))
        #expect(keys == Set("abcdefghijklmnopqrstuvwxyz ".unicodeScalars.map(Keypad.Key.sign)).union([.delete]))
    }
}
