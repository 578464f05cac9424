// both: risks causing data races
import XPC

func answer(_ message: XPCReceivedMessage) {
    Task { message.reply("later") }
}
