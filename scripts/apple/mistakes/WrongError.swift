// both: no exact matches in call to instance method 'send'
import XPC

func ask(_ session: XPCSession) throws {
    try session.send("question") { (result: Result<XPCReceivedMessage, any Error>) in _ = result }
}
