"""Which names of C are of the C library, which of those Darwin has, and where newer symbols may stand."""
import pathlib
import re

# How the names of C libraries that come along begin: those of packages and of this project's own C targets.
PACKAGED = re.compile(
    r"clinux_|cforcefield_|CForceField|cgalois|cedwards25519_|casemate_|sodium_|crypto_|randombytes|secp256k1_|SECP256K1_|EVP_|OSSL_|OPENSSL_"
    r"|CRYPTO_|RAND_|ERR_|ZSTD_|sqlite3|SQLITE_|_?PQ|PG|pg_|pgNotify|CONNECTION_|Oid$|z_stream|Z_|inflate|deflate|crc32|adler32|compress2?$|uncompress")


class CLibrary:
    """The names that Darwin's C library has as glibc has them: c-library.txt, and what the stub of Darwin declares is its own."""

    def __init__(self):
        lines = (pathlib.Path(__file__).resolve().parent / "c-library.txt").read_text().split("\n")
        self.names = {word for line in lines if not line.startswith("#") for word in line.split()}

    def knows(self, name):
        return name in self.names or PACKAGED.match(name) is not None


def c_name(usr, text):
    """The name of a symbol of C, a field with its structure; None for what is Swift's."""
    if usr.startswith("s:5Glibc"):
        return text.split("(")[0].removeprefix("getter:").removeprefix("setter:")
    if not usr.startswith("c:") or "@M@" in usr:
        return None
    if found := re.search(r"@(?:S|SA|U|UA)@(\w+)@FI@(\w+)$", usr):
        return f"{found[1]}.{found[2]}"
    return usr.split("@")[-1]


def is_guarded(lines, row, platform, need):
    """Whether a line stands in something that only newer systems come to. The formatter sees to the indentation that this relies on."""
    def says(line):
        found = re.search(rf"[@#]available\([^)]*\b{platform}(?:ApplicationExtension)? (\d+)(?:\.(\d+))?", line)
        return found and (int(found[1]), int(found[2] or 0)) >= need

    depth = None
    while row >= 0:
        line = lines[row]
        indent = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith(("#if", "#else", "#end")):
            if depth is None or indent < depth:
                # Behind a list of parameters stands its end, at the depth of its beginning.
                depth = indent + 1 if line.lstrip().startswith(")") else indent
                if says(line):
                    return True
                # Attributes stand above what they belong to.
                above = row - 1
                while above >= 0 and lines[above].strip().startswith(("@", "///")) and len(lines[above]) - len(lines[above].lstrip()) == indent:
                    if says(lines[above]):
                        return True
                    above -= 1
            elif indent == depth and line.lstrip().startswith("guard #available") and says(line):
                return True
        row -= 1
    return False
