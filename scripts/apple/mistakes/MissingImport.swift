// both: cannot find type 'CFString' in scope
import Security

func text() -> String { kSecAttrAccessibleWhenUnlockedThisDeviceOnly as CFString as String }
