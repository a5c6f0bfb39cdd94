# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Chromium, driven over a pipe with the DevTools protocol: the standard library is enough."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--metrics-recording-only",
         "--disable-default-apps", "--disable-client-side-phishing-detection", "--disable-features=Translate,OptimizationHints",
         "--host-resolver-rules=MAP * ~NOTFOUND"]
KEYS = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Home": 36,
        "End": 35, "PageUp": 33, "PageDown": 34}


def find():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="joular-chromium-")
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()

        def pipes():
            # 3 and 4 are what Chromium reads and writes; copies first, since either may be one of the originals
            a, b = os.dup(to_read), os.dup(to_write)
            high = [os.dup(a), os.dup(b)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        for fd in (to_read, to_write):
            os.set_inheritable(fd, True)
        self.process = subprocess.Popen([program, *FLAGS, "--user-data-dir=" + self.profile, "about:blank"], close_fds=False,
                                        preexec_fn=pipes, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.pending = b""
        self.number = 0
        self.events = []

    def close(self):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except Exception:  # it is to go in any case
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self, deadline):
        while b"\0" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.pending += piece
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, params=None, session=None, timeout=60):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        deadline = time.monotonic() + timeout
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def page(self, **how):
        return Page(self, **how)


class Page:
    """One tab. SCRIPTS false is a reader without scripts."""

    def __init__(self, browser, width=1366, height=768, touch=False, dark=False, scripts=True, scale=1):
        self.browser = browser
        self.target = browser.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = browser.send("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch})
        self.send("Emulation.setTouchEmulationEnabled", {"enabled": touch, "maxTouchPoints": 1})
        self.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        if not scripts:
            self.send("Emulation.setScriptExecutionDisabled", {"value": True})

    def send(self, method, params=None, timeout=60):
        return self.browser.send(method, params, self.session, timeout)

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})

    def seen(self, *methods):
        return [e for e in self.browser.events if e.get("sessionId") == self.session and e["method"] in methods]

    def open(self, path, timeout=60):
        self.url = "file://" + path
        self.send("Page.navigate", {"url": self.url}, timeout)
        deadline = time.monotonic() + timeout
        while not self.seen("Page.loadEventFired"):
            self.browser.events.append(self.browser._receive(deadline))
        return self

    def run(self, expression, timeout=60):
        answer = self.send("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}, timeout)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self):
        """Two frames on."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def shown(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).getClientRects().length > 0")

    def box(self, selector):
        return self.run("(() => { const b = document.querySelector(%s).getBoundingClientRect();"
                        "return {x: b.x, y: b.y, w: b.width, h: b.height}; })()" % json.dumps(selector))

    def mouse(self, kind, x, y, held=False):
        pressed = kind == "mousePressed" or held
        button = "left" if kind != "mouseMoved" or held else "none"
        self.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": button, "buttons": 1 if pressed else 0,
                                               "clickCount": 0 if kind == "mouseMoved" else 1})

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.hover(x, y)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)
        self.settle()

    def press(self, selector):
        box = self.box(selector)
        self.click(box["x"] + box["w"] / 2, box["y"] + box["h"] / 2)

    def drag(self, x, y, to):
        self.hover(x, y)
        self.mouse("mousePressed", x, y)
        for step in range(1, 6):
            self.mouse("mouseMoved", x + (to - x) * step / 5, y, held=True)
            self.settle()
        self.mouse("mouseReleased", to, y)
        self.settle()

    def touch(self, kind, x=None, y=None):
        self.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if x is None else [{"x": x, "y": y}]})

    def tap(self, x, y):
        self.touch("touchStart", x, y)
        self.touch("touchEnd")
        self.settle()

    def key(self, key, shift=False):
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        params = {"key": key, "windowsVirtualKeyCode": code, "code": key, "modifiers": 8 if shift else 0}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        self.send("Input.dispatchKeyEvent", {"type": "keyDown", **params, **({"text": text} if text else {})})
        self.send("Input.dispatchKeyEvent", {"type": "keyUp", **params})
        self.settle()

    def write(self, text):
        self.send("Input.insertText", {"text": text})
        self.settle()

    def picture(self, path=None, full=False):
        data = base64.b64decode(self.send("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": full})["data"])
        if path:
            with open(path, "wb") as out:
                out.write(data)
        return data
