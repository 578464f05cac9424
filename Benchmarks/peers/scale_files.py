"""What the SCALE peers are measured on: (file, transfer call, batch_all call), both as pallet index and call index."""
BOB = bytes.fromhex("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")
FILES = [
    ("polkadot_v15", "0503", "1a02"),
    ("polkadot9220", "0503", "1a02"),
    ("westend9122", "0403", "1002"),
    ("statemint2000000_v15", "0a03", "2802"),
]


def compact(value):
    if value < 64:
        return bytes([value << 2])
    if value < 1 << 14:
        return (value << 2 | 1).to_bytes(2, "little")
    return (value << 2 | 2).to_bytes(4, "little")


def calls(transfer, batch):
    one = bytes.fromhex(transfer) + b"\0" + BOB + bytes.fromhex("070010a5d4e8")
    return {"transfer": one, "batch_of_100": bytes.fromhex(batch) + compact(100) + one * 100}
