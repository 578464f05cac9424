import AppAttest
import NIOCore

@testable import Gate

/// Tests write moments as milliseconds since 1970.
extension Timestamp: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }

    static func + (time: Timestamp, milliseconds: Int64) -> Timestamp { time + .milliseconds(milliseconds) }
    static func - (time: Timestamp, milliseconds: Int64) -> Timestamp { time - .milliseconds(milliseconds) }
}

// Tests write moments of the clock that nobody can set as nanoseconds.

extension RateLimiter {
    mutating func take(_ client: ClientKey, at nanoseconds: UInt64) -> Duration? {
        take(client, at: .uptimeNanoseconds(nanoseconds))
    }

    func wait(of client: ClientKey, at nanoseconds: UInt64) -> Duration? {
        wait(of: client, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension AllowanceTable {
    mutating func take(_ client: ClientKey, at nanoseconds: UInt64) -> Bool {
        take(client, at: .uptimeNanoseconds(nanoseconds))
    }

    mutating func has(_ client: ClientKey, at nanoseconds: UInt64) -> Bool {
        has(client, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension MessageRate {
    mutating func count(_ messages: Int = 1, at nanoseconds: UInt64) -> Verdict {
        count(messages, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension SharedMessageRate {
    func count(_ messages: Int = 1, at nanoseconds: UInt64) -> MessageRate.Verdict {
        count(messages, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension ConnectionLease {
    func count(_ messages: Int, at nanoseconds: UInt64) -> MessageRate.Verdict {
        count(messages, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension KeyShares {
    mutating func search(for client: ClientKey, at nanoseconds: UInt64) -> Bool {
        search(for: client, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension EventSampler {
    mutating func pass(_ event: GateEvent, at nanoseconds: UInt64) -> GateEvent? {
        pass(event, at: .uptimeNanoseconds(nanoseconds))
    }
}

extension DeviceTokens {
    mutating func keep(_ token: [UInt8], of key: KeyID, at nanoseconds: UInt64) {
        keep(token, of: key, at: .uptimeNanoseconds(nanoseconds))
    }

    mutating func want(_ key: KeyID, at nanoseconds: UInt64) { want(key, at: .uptimeNanoseconds(nanoseconds)) }

    func token(of key: KeyID, at nanoseconds: UInt64) -> [UInt8]? {
        token(of: key, at: .uptimeNanoseconds(nanoseconds))
    }
}
