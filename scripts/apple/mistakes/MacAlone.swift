// iOS: cannot find 'NSXPCConnection' in scope
import Foundation

func connect() { NSXPCConnection(serviceName: "service").resume() }
