import QRCode
import TextForms

/// A page that shows the film by itself: no network, nothing but this one file.
///
/// It fills the window, can be slowed down, sped up, stopped and stepped, slows down by itself after each round that
/// could not be read in full, and mixes the order after the first round, so that a camera that misses every n-th
/// picture does not always miss the same. `#frame=N` shows frame N and stands still.
public struct HTMLFilmWriter: QRFilmWriter {
    private let shape: QRFilmShape
    private var isFirst = true

    /// Makes a writer of one film.
    public init(_ shape: QRFilmShape) {
        self.shape = shape
    }

    /// The bytes before the first frame.
    public mutating func head() -> [UInt8] {
        Array(
            (Self.beginning + "\nconst modules = \(shape.modules), dark = '\(Self.hex(shape.dark))';"
                + "\nlet speed = \(shape.framesPerSecond);\nconst frames = [").utf8)
    }

    /// A bit a module, row by row, dark is 1; as base64.
    public mutating func frame(_ symbol: QRSymbol) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: (shape.modules * shape.modules + 7) / 8)
        for y in 0..<shape.modules {
            for x in 0..<shape.modules where shape.isDark(symbol, x: x, y: y) {
                let bit = y * shape.modules + x
                bits[bit / 8] |= 0x80 >> UInt8(bit % 8)
            }
        }
        defer { isFirst = false }
        return Array(((isFirst ? "\n'" : ",\n'") + Base64.encode(bits) + "'").utf8)
    }

    /// The bytes behind the last frame.
    public mutating func tail() -> [UInt8] { Array(("\n];\n" + Self.script).utf8) }

    private static func hex(_ colour: QRPicture.Colour) -> String {
        "#"
            + [colour.red, colour.green, colour.blue].map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }.joined()
    }

    private static let beginning = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>airgap</title>
        <style>
        html, body { margin: 0; height: 100%; background: #fff; color: #333; font: 14px system-ui, sans-serif; }
        body { display: flex; flex-direction: column; }
        #stage { flex: 1; min-height: 0; display: flex; align-items: center; justify-content: center; }
        canvas { image-rendering: pixelated; }
        #bar { padding: 6px 12px; display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; }
        #bar button { font: inherit; }
        </style>
        <div id="stage"><canvas id="code"></canvas></div>
        <div id="bar">
        <span id="count"></span>
        <label>slower <input id="speed" type="range" min="1" max="60"> faster</label> <span id="rate"></span>
        <button id="pause">pause</button>
        <span>keys: + and - for the speed, space to stop, arrows to step, f for the whole screen</span>
        </div>
        <script>
        """

    private static let script = """
        const canvas = document.getElementById('code'), stage = document.getElementById('stage');
        const slider = document.getElementById('speed'), slowest = 4;
        let order = frames.map((_, i) => i), at = 0, paused = false, rounds = 0, last = 0;
        function draw(number) {
          const scale = Math.max(1, Math.floor(Math.min(stage.clientWidth, stage.clientHeight) / modules));
          canvas.width = canvas.height = modules * scale;
          const pen = canvas.getContext('2d'), bits = atob(frames[number]);
          pen.imageSmoothingEnabled = false;
          pen.fillStyle = '#fff';
          pen.fillRect(0, 0, canvas.width, canvas.height);
          pen.fillStyle = dark;
          for (let bit = 0; bit < modules * modules; bit++)
            if (bits.charCodeAt(bit >> 3) & 0x80 >> (bit & 7))
              pen.fillRect(bit % modules * scale, Math.floor(bit / modules) * scale, scale, scale);
          document.getElementById('count').textContent =
            'frame ' + (number + 1) + ' of ' + frames.length + (rounds ? ', round ' + (rounds + 1) : '');
        }
        function setSpeed(value) {
          speed = Math.min(60, Math.max(1, Math.round(value)));
          slider.value = speed;
          document.getElementById('rate').textContent = speed + ' a second';
        }
        function pause(value) {
          paused = value;
          document.getElementById('pause').textContent = paused ? 'go on' : 'pause';
        }
        function step(by) {
          at += by;
          if (at >= order.length) {
            at = 0;
            rounds++;
            for (let i = order.length - 1; i > 0; i--) {
              const j = Math.floor(Math.random() * (i + 1));
              [order[i], order[j]] = [order[j], order[i]];
            }
            if (frames.length > 1 && speed > slowest) setSpeed(Math.max(slowest, speed * 0.8));
          }
          if (at < 0) at = order.length - 1;
          draw(order[at]);
        }
        function tick(now) {
          if (!paused && frames.length > 1 && now - last >= 1000 / speed - 2) {
            last = now;
            step(1);
          }
          requestAnimationFrame(tick);
        }
        function toAnchor() {
          const wanted = /^#frame=([0-9]+)$/.exec(location.hash);
          if (wanted) {
            at = order.indexOf(Math.min(frames.length, Math.max(1, Number(wanted[1]))) - 1);
            pause(true);
          }
          draw(order[at]);
        }
        slider.oninput = () => setSpeed(Number(slider.value));
        document.getElementById('pause').onclick = () => pause(!paused);
        window.onresize = () => draw(order[at]);
        window.onhashchange = toAnchor;
        document.onkeydown = event => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.key === '+' || event.key === '=') setSpeed(speed + 1);
          else if (event.key === '-') setSpeed(speed - 1);
          else if (event.key === ' ') pause(!paused);
          else if (event.key === 'ArrowRight') { pause(true); step(1); }
          else if (event.key === 'ArrowLeft') { pause(true); step(-1); }
          else if (event.key === 'f') document.documentElement.requestFullscreen();
          else return;
          event.preventDefault();
        };
        setSpeed(speed);
        toAnchor();
        requestAnimationFrame(tick);
        </script>
        </html>

        """
}
