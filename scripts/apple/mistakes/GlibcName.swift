// both: 'MSG_NOSIGNAL' is not known to be in Darwin's C library
import Foundation

func flags() -> Int { Int(MSG_NOSIGNAL) }
