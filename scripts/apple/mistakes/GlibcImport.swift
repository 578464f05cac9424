// both: no such module 'GlibcIsNotOnApplePlatforms'
import Glibc

func leave() -> Never { exit(0) }
