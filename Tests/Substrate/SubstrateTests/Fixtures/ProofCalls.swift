import SCALE
import Substrate
import TextForms

/// Calls of ``ProofChain``, alone and inside each other.
enum ProofCalls {
    static func transfer(to account: [UInt8], _ value: UInt128) -> [UInt8] {
        encoded([5, 3, 0] + account) { $0.compact(value) }
    }

    static func assetTransfer(_ id: Int, to account: [UInt8], _ amount: UInt128) -> [UInt8] {
        encoded([50, 8]) { encoder in
            encoder.compact(id)
            encoder.raw([0] + account)
            encoder.compact(amount)
        }
    }

    static func remark(_ text: String) -> [UInt8] {
        encoded([0, 0]) { $0.string(text) }
    }

    // MARK: Around others

    static func batch(_ calls: [[UInt8]]) -> [UInt8] {
        encoded([26, 2]) { $0.sequence(calls) { $0.raw($1) } }
    }

    static func derivative(_ index: UInt16, _ call: [UInt8]) -> [UInt8] {
        encoded([26, 1]) { encoder in
            encoder.integer(index)
            encoder.raw(call)
        }
    }

    static func dispatch(as origin: [UInt8], _ call: [UInt8]) -> [UInt8] { [26, 3] + origin + call }

    static func ifElse(_ main: [UInt8], fallback: [UInt8]) -> [UInt8] { [26, 6] + main + fallback }

    static func proxy(of account: [UInt8], _ call: [UInt8]) -> [UInt8] { [30, 0, 0] + account + [0] + call }

    static func announcedProxy(_ delegate: [UInt8], of account: [UInt8], call: [UInt8]) -> [UInt8] {
        [30, 9, 0] + delegate + [0] + account + [1, 1] + call
    }

    static func multisig(_ threshold: UInt16, with others: [[UInt8]], _ call: [UInt8]) -> [UInt8] {
        encoded([31, 1]) { encoder in
            encoder.integer(threshold)
            encoder.sequence(others) { $0.raw($1) }
            encoder.integer(UInt8(0))
            encoder.raw(call)
            encoder.compact(1000)
            encoder.compact(1000)
        }
    }

    static func multisigOfOne(with others: [[UInt8]], _ call: [UInt8]) -> [UInt8] {
        encoded([31, 0]) { encoder in
            encoder.sequence(others) { $0.raw($1) }
            encoder.raw(call)
        }
    }

    static func sudo(_ call: [UInt8]) -> [UInt8] { [32, 0] + call }

    static func sudo(as account: [UInt8], _ call: [UInt8]) -> [UInt8] { [32, 3, 0] + account + call }

    static func schedule(_ call: [UInt8]) -> [UInt8] { [34, 0, 9, 0, 0, 0] + call }

    private static func encoded(_ head: [UInt8], _ write: (inout ScaleEncoder) -> Void) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(head)
        write(&encoder)
        return encoder.bytes
    }

    // MARK: All

    /// At least one call for each kind of type and each pallet.
    static let all: [(name: String, bytes: [UInt8])] =
        values.map { ("echo of \($0.key)", TestChain.echo($0.key, Hex.decode($0.value) ?? [])) }.sorted { $0.0 < $1.0 }
        + [
            ("transfer", transfer(to: TestChain.bob, 1_000_000_000_000)),
            ("amount", [0, 1] + [UInt8](repeating: 1, count: 16)), ("remark", remark("hi")),
            ("binary remark", [0, 0, 8, 0xff, 0]), ("asset transfer", assetTransfer(1984, to: ProofChain.alice, 7)),
            ("batch", batch([remark("hi"), transfer(to: TestChain.bob, 1), transfer(to: ProofChain.alice, 2)])),
            ("empty batch", batch([])), ("derivative", derivative(0, remark("a"))),
            ("dispatch as signed", dispatch(as: [0, 1] + ProofChain.alice, remark("a"))),
            ("if else", ifElse(remark("a"), fallback: remark("b"))),
            ("proxy", proxy(of: ProofChain.alice, remark("a"))),
            ("multisig", multisig(2, with: [TestChain.bob, ProofChain.charlie], sudo(remark("a")))),
            ("multisig of one", multisigOfOne(with: [TestChain.bob], remark("a"))),
            ("sudo as", sudo(as: ProofChain.alice, remark("a"))), ("schedule", schedule(remark("a"))),
        ]

    private static let values = [
        "bool": "01", "char": "61000000", "str": "086869", "u8": "ff", "u16": "0102", "u32": "01020304",
        "u64": "0102030405060708", "u128": "ffffffffffffffffffffffffffffffff",
        "u256": "0102030405060708010203040506070801020304050607080102030405060708", "i8": "ff", "i16": "feff",
        "i32": "feffffff", "i64": "feffffffffffffff", "i128": "feffffffffffffffffffffffffffffff",
        "i256": "ff02030405060708010203040506070801020304050607080102030405060788", "unit": "", "bytes": "0c616200",
        "[u8;32]": "0102030405060708010203040506070801020304050607080102030405060708", "Compact<u128>": "a8",
        "Compact<()>": "", "AccountId32": "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48",
        "AccountId20": "000102030405060708090a0b0c0d0e0f10111213", "Option<bool>": "0101", "(u8,bool)": "0700",
        "[u32;2]": "0100000002000000", "Vec<u32>": "0803000000ffffffff", "Vec<()>": "0c", "BitsLsb0": "140b",
        "BitsMsb0": "100080", "Pair": "0102", "Level": "09", "MultiAddress": "01",
        "RuntimeCall": "0000086869",
    ]
}
