// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
(() => {
const begun = performance.now();
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const Z95 = 1.96;
const LEAST_WIDTH = 0.6; // pixels; narrower frames are drawn together
const TILE = 600;
const MIDDLE_CUT = 130; // pixels; in less room a name is cut to its method
const coarse = matchMedia("(pointer: coarse)");

/* ---- The tree. Node 0 is the process; a node's subtree is the nodes from it up to END of it. ---- */

const nodeCount = data.up.length;
const labels = data.label;
const parent = new Int32Array(nodeCount);
const end = new Int32Array(nodeCount);
for (let i = 0; i < nodeCount; i++) {
    parent[i] = i - data.up[i];
    end[i] = i + 1;
}
for (let i = nodeCount - 1; i > 0; i--)
    end[parent[i]] = Math.max(end[parent[i]], end[i]);

const ownCount = data.own.length;
const ownNode = new Int32Array(ownCount);
const cellsFrom = new Int32Array(ownCount + 1);
const weightsFrom = new Int32Array(ownCount + 1);
for (let i = 0; i < ownCount; i++) {
    ownNode[i] = data.own[i] + (i > 0 ? ownNode[i - 1] : 0);
    cellsFrom[i + 1] = cellsFrom[i] + data.cells[i];
    weightsFrom[i + 1] = weightsFrom[i] + data.weights[i];
}

/* Of a comparison: {per, base, fresh, half, sure}, each by node; the energies drawn are those of the larger side. */
const sides = data.sides || null;

/* Joules of each own node, and of each node with all below it, in the buckets FROM up to TO. */
function energies(from, to) {
    const own = new Float64Array(ownCount), total = new Float64Array(nodeCount);
    for (let i = 0; i < ownCount; i++) {
        let units = 0;
        for (let c = cellsFrom[i]; c < cellsFrom[i + 1]; c++)
            if (data.bucket[c] >= from && data.bucket[c] < to)
                units += data.units[c];
        own[i] = units * data.unit;
        total[ownNode[i]] = own[i];
    }
    for (let i = nodeCount - 1; i > 0; i--)
        total[parent[i]] += total[i];
    return { own, total };
}

/* The first own node at or behind NODE. */
function ownAt(node) {
    let low = 0, high = ownCount;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (ownNode[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- Frames: what is drawn, in either view. OWN are the own nodes that a frame is made of. ---- */

class CalleeFrame {
    constructor(node, above) {
        this.node = node;
        this.label = node > 0 ? labels[node] : -1;
        this.above = above;
        this.depth = above ? above.depth + 1 : 0;
        this.j = now.total[node];
    }
    kids() {
        if (this.list)
            return this.list;
        this.list = [];
        for (let n = this.node + 1; n < end[this.node]; n = end[n])
            this.list.push(new CalleeFrame(n, this));
        return this.list;
    }
    ownJ() {
        const at = ownAt(this.node);
        return at < ownCount && ownNode[at] === this.node ? now.own[at] : 0;
    }
    own() {
        const list = [];
        for (let i = ownAt(this.node); i < ownCount && ownNode[i] < end[this.node]; i++)
            list.push(i);
        return list;
    }
}

/* Callers merged backwards: LEAVES are own nodes, AT the callers that come next, one for each of them. */
class CallerFrame {
    constructor(label, above) {
        this.label = label;
        this.above = above;
        this.depth = above ? above.depth + 1 : 0;
        this.j = 0;
        this.whole = 0;
        this.leaves = [];
        this.at = [];
    }
    kids() {
        if (this.list)
            return this.list;
        const byLabel = new Map();
        for (let i = 0; i < this.leaves.length; i++) {
            const node = this.at[i], leaf = this.leaves[i];
            if (node === 0)
                continue;
            let kid = byLabel.get(labels[node]);
            if (!kid)
                byLabel.set(labels[node], kid = new CallerFrame(labels[node], this));
            kid.leaves.push(leaf);
            kid.at.push(parent[node]);
            kid.j += now.own[leaf];
            kid.whole += always.own[leaf];
        }
        const last = (frame) => "uox".indexOf(data.kinds[frame.label]);
        this.list = [...byLabel.values()].sort((a, b) => last(a) - last(b) || b.whole - a.whole || a.label - b.label);
        return this.list;
    }
    ownJ() {
        return this.depth <= 1 ? this.j : 0;
    }
    own() {
        return this.leaves;
    }
}

function rootFrame() {
    if (!inverted)
        return new CalleeFrame(0, null);
    const root = new CallerFrame(-1, null);
    for (let i = 0; i < ownCount; i++) {
        root.leaves.push(i);
        root.at.push(ownNode[i]);
    }
    root.j = now.total[0];
    return root;
}

/* Half the width of the 95 % interval: joular-attribution(7), section 7. NaN where too few samples allow none. */
function halfWidth(own) {
    const byThread = new Map();
    let variance = 0, marked = false;
    for (const i of own)
        for (let w = weightsFrom[i]; w < weightsFrom[i + 1]; w++)
            byThread.set(data.thread[w], (byThread.get(data.thread[w]) || 0) + data.weight[w]);
    for (const [number, weight] of byThread) {
        const [factor, all, few] = data.threads[number];
        const p = all > 0 ? weight / all : 0;
        if (p > 0) {
            variance += factor * p * Math.max(0, 1 - p);
            marked = marked || few === 1;
        }
    }
    return marked ? NaN : Z95 * Math.sqrt(variance);
}

function samplesOf(own) {
    let samples = 0;
    for (const i of own)
        samples += data.samples[i];
    return samples;
}

/* ---- State ---- */

const bucketCount = data.start.length;
const always = energies(0, bucketCount);
let from = 0, to = bucketCount; // the time span, in buckets
let now = always;
let inverted = false;
let zoom = null, root = null, focus = null;
let query = "";
let hits = null; // by label, while something is searched
const brushed = () => from > 0 || to < bucketCount;

function secondsOf(first, behind) {
    let seconds = 0;
    for (let b = first; b < behind; b++)
        seconds += data.seconds[b];
    return seconds;
}

/* ---- Words ---- */

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\ufeff\ufff0-\uffff]/g;
const visible = (text) =>
    text.replace(HIDDEN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const ROOT_NAME = "process";
const NO_NAME = "(no name)";
const rawName = (label) => (label < 0 ? ROOT_NAME : data.names[label]);

function cutMiddle(text, most) {
    const half = Math.floor(most / 2);
    return text.length <= most ? text : text.slice(0, most - half) + "\u2026" + text.slice(text.length - half);
}

/* "package.", "Class.method" */
function nameParts(label) {
    const name = rawName(label);
    if (label < 0 || !"al".includes(data.kinds[label]))
        return ["", visible(cutMiddle(name, 400)) || NO_NAME];
    const method = name.lastIndexOf(".");
    const type = method > 0 ? name.lastIndexOf(".", method - 1) + 1 : 0;
    return [visible(cutMiddle(name.slice(0, type), 400)), visible(cutMiddle(name.slice(type), 400)) || NO_NAME];
}

function joules(j) {
    const size = Math.abs(j);
    if (size === 0)
        return "0 J";
    if (size < 0.0001)
        return (j * 1e6).toPrecision(3) + " \u00b5J";
    if (size < 0.1)
        return (j * 1e3).toPrecision(3) + " mJ";
    return j.toFixed(size >= 10000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3) + " J";
}

function watts(w) {
    if (!Number.isFinite(w))
        return "\u2013 W";
    return (w >= 100 ? w.toFixed(0) : w >= 10 || w === 0 ? w.toFixed(1) : w >= 0.1 ? w.toFixed(2) : w.toPrecision(2)) + " W";
}

const share = (part, all) => (all > 0 ? (100 * part) / all : 0).toFixed(1) + " %";
const meanW = (j) => watts(j / secondsOf(from, to));

function clock(seconds) {
    const length = bucketCount > 0 ? data.end[bucketCount - 1] : 0;
    if (length <= 180)
        return (Math.round(seconds * 10) / 10).toFixed(Number.isInteger(Math.round(seconds * 10) / 10) ? 0 : 1) + " s";
    const whole = Math.round(seconds), two = (n) => String(n).padStart(2, "0");
    const h = Math.floor(whole / 3600), m = Math.floor(whole / 60) % 60, s = whole % 60;
    return h > 0 ? h + ":" + two(m) + ":" + two(s) : m + ":" + two(s);
}

function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined)
        made.textContent = text;
    if (className)
        made.className = className;
    return made;
}

/* ---- Colours ---- */

let palette = new Map(); // custom properties of the theme that is on
let colours = []; // by label, likewise
const KIND_COLOUR = { a: "app", l: "lib", r: "remark", g: "gc", j: "jit", f: "vm", v: "vm", u: "nobody", o: "nobody", x: "nobody" };

/* Kept, since asking the style is slow. */
function variable(name) {
    if (!palette.has(name))
        palette.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
    return palette.get(name);
}

/* Frames of one class look alike, neighbours of another class a little different, where they are wide enough to tell. */
function colourOf(label, w) {
    if (label < 0)
        return "hsl(" + variable("root") + ")";
    if (w < 3 && "al".includes(data.kinds[label]))
        return "hsl(" + variable(KIND_COLOUR[data.kinds[label]]) + ")";
    if (colours[label])
        return colours[label];
    const kind = data.kinds[label], base = variable(KIND_COLOUR[kind]);
    let shift = 0;
    if ("al".includes(kind)) {
        const name = data.names[label].slice(0, 300), type = name.slice(0, Math.max(0, name.lastIndexOf(".")));
        for (let i = 0; i < type.length; i++)
            shift = (shift * 31 + type.charCodeAt(i)) >>> 0;
        shift = ((shift >>> 8) % 13) - 6;
    }
    const [hue, saturation, lightness] = base.split(" ").map(parseFloat);
    const lighter = kind === "o" ? 4 : shift * 0.7;
    return (colours[label] = `hsl(${hue + shift * 0.9} ${saturation}% ${lightness + lighter}%)`);
}

/* Of a comparison: more is orange, less is blue, and what is not certain grey; the stronger, the larger the part. */
function colourOfSides(node) {
    const base = sides.base[node], fresh = sides.fresh[node], most = Math.max(base, fresh);
    const lightness = parseFloat(variable("lib").split(" ")[2]), isDark = lightness < 50;
    if (!sides.sure[node] || most <= 0)
        return "hsl(" + variable("nobody") + ")";
    const part = Math.min(1, Math.abs(fresh - base) / most);
    const light = isDark ? 30 + 6 * part : 82 - 18 * part;
    return `hsl(${fresh > base ? 22 : 212} ${50 + 40 * part}% ${light}%)`;
}

const signed = (j) => (j > 0 ? "+" : j < 0 ? "\u2212" : "") + joules(Math.abs(j));

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    palette = new Map();
    colours = [];
}

/* ---- Layout: rows of rectangles, by x ---- */

let width = 0, rowHeight = 20;
let rows = []; // of {frame, x, w, above}; frame null where many are drawn together; above: a caller of the zoomed frame

function layOut() {
    rows = [];
    width = $("stage").clientWidth;
    rowHeight = coarse.matches ? 28 : 20;
    const callers = [];
    for (let f = zoom.above; f; f = f.above)
        callers.unshift(f);
    const shown = callers.length > 4 ? [callers[0], null, ...callers.slice(-2)] : callers;
    for (const f of shown)
        rows.push([{ frame: f, x: 0, w: width, above: true, gap: f ? 0 : callers.length - 3 }]);
    const first = rows.length - zoom.depth;
    const scale = zoom.j > 0 ? width / zoom.j : 0;
    const waiting = [{ frame: zoom, x: 0, w: width, above: false, gap: 0 }];
    const put = (row, rect) => {
        while (rows.length <= row)
            rows.push([]);
        rows[row].push(rect);
    };
    while (waiting.length > 0) {
        const rect = waiting.pop();
        const row = first + rect.frame.depth;
        put(row, rect);
        let x = rect.x;
        const next = [];
        let small = x;
        for (const kid of rect.frame.kids()) {
            const w = kid.j * scale;
            if (w >= LEAST_WIDTH) {
                if (x - small >= LEAST_WIDTH)
                    put(row + 1, { frame: null, x: small, w: x - small, above: false, gap: 0 });
                next.push({ frame: kid, x, w, above: false, gap: 0 });
                small = x + w;
            }
            x += w;
        }
        if (x - small >= LEAST_WIDTH)
            put(row + 1, { frame: null, x: small, w: x - small, above: false, gap: 0 });
        for (let i = next.length - 1; i >= 0; i--)
            waiting.push(next[i]);
    }
    // a walk in depth meets each row from left to right, but for rectangles drawn together, which come early
    for (const row of rows)
        row.sort((a, b) => a.x - b.x);
    $("stage").style.height = rows.length * rowHeight + "px";
}

function rectAt(x, y) {
    const row = rows[Math.floor(y / rowHeight)];
    if (!row)
        return null;
    let low = 0, high = row.length - 1;
    while (low <= high) {
        const middle = (low + high) >> 1;
        if (x < row[middle].x)
            high = middle - 1;
        else if (x >= row[middle].x + row[middle].w)
            low = middle + 1;
        else
            return row[middle].frame ? row[middle] : null;
    }
    return null;
}

function rectOf(frame) {
    for (const row of rows)
        for (const rect of row)
            if (rect.frame === frame)
                return rect;
    return null;
}

const rowOf = (rect) => rows.findIndex((row) => row.includes(rect));

/* ---- Drawing, in tiles near the screen: no canvas can be as high as a deep stack ---- */

const tiles = new Map();
let labelWidths = new Map();
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';

/* "Class.method", and "method" for where there is less room, with their widths. */
function widthOf(pen, label) {
    let known = labelWidths.get(label);
    if (!known) {
        const text = nameParts(label)[1].slice(0, 240), method = text.slice(text.lastIndexOf(".") + 1) || text;
        known = { text, w: pen.measureText(text).width, method, methodW: pen.measureText(method).width };
        labelWidths.set(label, known);
    }
    return known;
}

function fitting(pen, label, room) {
    const known = widthOf(pen, label);
    if (known.w <= room)
        return known.text;
    if (known.methodW <= room && room < MIDDLE_CUT)
        return known.method;
    const text = room < MIDDLE_CUT ? known.method : known.text;
    let length = Math.floor((text.length * room) / (room < MIDDLE_CUT ? known.methodW : known.w));
    const cut = () => (room < MIDDLE_CUT ? text.slice(0, length) + "\u2026" : cutMiddle(text, length));
    while (length > 1 && pen.measureText(cut()).width > room)
        length--;
    return length > 1 ? cut() : "";
}

function drawRect(pen, rect, y, look) {
    const h = rowHeight - 1;
    const w = Math.max(rect.w - (rect.w > 3 ? 1 : 0), 0.5);
    if (!rect.frame) {
        pen.globalAlpha = rect.gap ? 1 : 0.5;
        pen.fillStyle = rect.gap ? look.page : look.small;
        pen.fillRect(rect.x, y, w, h);
        if (rect.gap) {
            pen.fillStyle = look.muted;
            pen.fillText("\u22ef " + rect.gap + (rect.gap === 1 ? " frame" : " frames"), 6, y + h / 2 + 0.5);
        }
        pen.globalAlpha = 1;
        return;
    }
    const label = rect.frame.label;
    const hit = hits !== null && label >= 0 && hits[label] === 1;
    pen.globalAlpha = rect.above ? 0.55 : hits !== null && !hit ? 0.38 : 1;
    pen.fillStyle = hit ? look.hit : sides ? colourOfSides(rect.frame.node) : colourOf(label, rect.w);
    pen.fillRect(rect.x, y, w, h);
    if (rect.w > 22) {
        const room = rect.w - 10;
        pen.globalAlpha = hits !== null && !hit ? 0.75 : 1;
        pen.fillStyle = look.ink;
        pen.fillText(fitting(pen, label, room), rect.x + 5, y + h / 2 + 0.5);
        if (room > widthOf(pen, label).w + 84) {
            pen.globalAlpha *= 0.76;
            pen.textAlign = "right";
            const node = rect.frame.node;
            pen.fillText(sides ? signed(sides.fresh[node] - sides.base[node]) : joules(rect.frame.j), rect.x + rect.w - 7, y + h / 2 + 0.5);
            pen.textAlign = "left";
        }
    }
    pen.globalAlpha = 1;
    if (rect.frame === focus) {
        pen.strokeStyle = look.focus;
        pen.lineWidth = 2;
        pen.strokeRect(rect.x + 1, y + 1, Math.max(w - 2, 1), h - 2);
    }
}

function drawTile(number) {
    const rowsEach = Math.floor(TILE / rowHeight), first = number * rowsEach;
    const last = Math.min(rows.length, first + rowsEach);
    const ratio = Math.min(devicePixelRatio || 1, 3), high = (last - first) * rowHeight;
    let canvas = tiles.get(number);
    if (!canvas) {
        canvas = element("canvas");
        tiles.set(number, canvas);
        $("tiles").append(canvas);
    }
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.top = first * rowHeight + "px";
    canvas.style.width = width + "px";
    canvas.style.height = high + "px";
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = FONT;
    pen.textBaseline = "middle";
    pen.direction = "ltr";
    const look = {
        ink: variable("on-frame"), page: variable("page"), muted: variable("muted"), focus: variable("focus"),
        hit: "hsl(" + variable("hit") + ")", small: "hsl(" + variable("nobody") + ")",
    };
    for (let r = first; r < last; r++)
        for (const rect of rows[r])
            drawRect(pen, rect, (r - first) * rowHeight, look);
}

function draw(fresh = true) {
    const rowsEach = Math.floor(TILE / rowHeight), tall = rowsEach * rowHeight;
    const top = $("stage").getBoundingClientRect().top;
    const first = Math.max(0, Math.floor((-top - 200) / tall));
    const last = Math.min(Math.ceil(rows.length / rowsEach) - 1, Math.floor((innerHeight - top + 200) / tall));
    for (const [number, canvas] of tiles)
        if (number < first || number > last) {
            canvas.remove();
            tiles.delete(number);
        }
    for (let number = first; number <= last; number++)
        if (fresh || !tiles.has(number))
            drawTile(number);
}

/* ---- Words about a frame ---- */

function factsOfSides(frame) {
    const base = sides.base[frame.node], fresh = sides.fresh[frame.node], half = sides.half[frame.node];
    const percent = base > 0 ? ((100 * (fresh - base)) / base).toFixed(1).replace("-", "\u2212") + " %" : "new";
    const list = [["Base", joules(base)], ["New", joules(fresh)],
        ["Difference", signed(fresh - base) + " \u00b1 " + (half === null ? "?" : joules(half))],
        ["Of the base", (fresh > base && base > 0 ? "+" : "") + percent]];
    const note = sides.sure[frame.node] ? (fresh === 0 ? "It is gone." : "")
        : half === null ? "Nothing says how sure that is." : "It may be chance.";
    return { list, note };
}

function facts(frame) {
    if (sides)
        return factsOfSides(frame);
    const own = frame.own(), all = now.total[0], list = [];
    const kind = frame.label < 0 ? "" : data.kinds[frame.label];
    const width95 = () => {
        const half = halfWidth(own);
        return Number.isNaN(half) ? " \u00b1 ?" : " \u00b1 " + joules(half);
    };
    const samples = samplesOf(own);
    const sampled = kind !== "" && "alr".includes(kind);
    list.push(["Energy", joules(frame.j) + (sampled && !brushed() ? width95() : "")]);
    list.push(["Mean power", meanW(frame.j)]);
    list.push(["Of the process", share(frame.j, all)]);
    if (sampled && !inverted && frame.ownJ() < frame.j)
        list.push(["Own energy", joules(frame.ownJ())]);
    if (sampled && !brushed())
        list.push(["Samples", String(samples)]);
    let note = "";
    if (kind === "u")
        note = "Of threads without a sample in their cycle.";
    else if (kind === "o")
        note = "Used before the recording began and after it ended.";
    else if (kind === "x")
        note = "Of call branches that --include or --exclude leaves out.";
    else if (kind !== "" && "gjfv".includes(kind))
        note = "CPU time of these threads is counted, not sampled: there is no \u00b1.";
    else if (sampled && brushed())
        note = "\u00b1 and samples are known of the whole recording only.";
    else if (sampled && Number.isNaN(halfWidth(own)))
        note = "?: a thread had too few samples for an interval.";
    return { list, note };
}

function fillTip(frame) {
    const tip = $("tip"), [packageName, name] = nameParts(frame.label), { list, note } = facts(frame);
    const lines = element("dl");
    tip.replaceChildren();
    if (packageName !== "")
        tip.append(element("p", packageName, "package"));
    tip.append(element("p", name, "name"), lines);
    for (const [term, value] of list)
        lines.append(element("dt", term), element("dd", value));
    if (note !== "")
        tip.append(element("p", note, "note"));
    return tip;
}

function placeTip(x, y) {
    const tip = $("tip");
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(x + 14, document.documentElement.clientWidth - box.width - 8));
    const top = y + 18 + box.height < innerHeight ? y + 18 : Math.max(8, y - box.height - 12);
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

const hideTip = () => ($("tip").hidden = true);

function speak(frame) {
    const { list, note } = facts(frame);
    $("spoken").textContent =
        nameParts(frame.label).join("") + ": " + list.map((pair) => pair.join(" ")).join(", ") + ". " + note;
}

function say() {
    const all = now.total[0];
    const name = zoom === root ? "Whole process" : nameParts(zoom.label)[1];
    if (sides) {
        $("where").textContent = cutMiddle(name, 90) + ": " + joules(sides.base[zoom.node]) + " to " +
            joules(sides.fresh[zoom.node]) + ", " + sides.per;
        $("reset").disabled = zoom === root && query === "";
        $("found").textContent = hits === null ? "" : "matched " + joules(matched());
        $("notes").textContent = "Each frame is as wide as what it and all that it called used on the side where that was more, " +
            "so that what is gone is seen too. Orange: certainly more; blue: certainly less; grey: it may be chance. Each " +
            "frame is judged alone: of many that are the same, a few in a hundred get a colour by chance. " +
            "Keys: arrows move, Enter zooms, Escape goes back, / searches.";
        return;
    }
    $("where").textContent = always.total[0] <= 0 ? "Nothing to show: the process has no energy in these cycles."
        : cutMiddle(name, 90) + ": " + joules(zoom.j) + ", " + meanW(zoom.j) +
            (zoom === root ? "" : ", " + share(zoom.j, all) + " of the process");
    $("span").textContent = bucketCount === 0 ? "no cycles with power" : brushed()
        ? clock(data.start[from]) + " to " + clock(data.end[to - 1]) + " (" + secondsOf(from, to).toFixed(1) + " s with power)"
        : "drag to choose a time span";
    $("whole").hidden = !brushed();
    $("reset").disabled = zoom === root && query === "" && !brushed();
    $("found").textContent = hits === null ? "" : "matched " + joules(matched()) + ", " + share(matched(), all);
    $("notes").textContent =
        (inverted ? "At the top is each method's own energy, below it those that called it. "
                  : "Each frame is as wide as the energy of it and all that it called; what it called is below it. ") +
        "The whole width is the energy of the process. \u00b1 is the 95 % interval of sampling, of the whole recording. " +
        "Keys: arrows move, Enter zooms, Escape goes back, / searches, i inverts.";
}

/* ---- Search: a stack that has the word more than once counts once ---- */

function search() {
    hits = null;
    if (query !== "") {
        const word = query.toLowerCase();
        hits = new Uint8Array(data.names.length);
        for (let i = 0; i < hits.length; i++)
            hits[i] = data.names[i].toLowerCase().includes(word) ? 1 : 0;
    }
}

function matched() {
    const inside = new Uint8Array(nodeCount);
    let sum = 0;
    for (let i = 1; i < nodeCount; i++)
        inside[i] = inside[parent[i]] || hits[labels[i]];
    for (let i = 0; i < ownCount; i++)
        if (inside[ownNode[i]])
            sum += now.own[i];
    return sum;
}

/* ---- Changes ---- */

function show() {
    layOut();
    draw();
    say();
    sayFocus();
}

function sayFocus() {
    if (focus && document.activeElement === $("stage"))
        speak(focus);
}

/* FRAME again, in a tree that was made anew; the deepest of its callers that is still there. */
function findAgain(frame) {
    const path = [];
    for (let f = frame; f && f.above; f = f.above)
        path.unshift(f.label);
    let found = root;
    for (const label of path) {
        const next = found.kids().find((kid) => kid.label === label);
        if (!next)
            break;
        found = next;
    }
    return found;
}

function rebuild(keep) {
    const oldZoom = zoom, oldFocus = focus;
    root = rootFrame();
    zoom = keep && oldZoom ? findAgain(oldZoom) : root;
    focus = keep && oldFocus ? findAgain(oldFocus) : null;
    show();
}

function zoomTo(frame) {
    const start = performance.now();
    zoom = frame;
    focus = frame;
    hideTip();
    show();
    const top = $("stage").getBoundingClientRect().top;
    if (top < 0)
        scrollBy(0, top - 90);
    performance.measure("flame-zoom", { start, end: performance.now() });
}

function setSpan(first, behind) {
    first = Math.max(0, Math.min(first, bucketCount - 1));
    behind = Math.max(first + 1, Math.min(behind, bucketCount));
    if (first === from && behind === to)
        return;
    const start = performance.now();
    from = first;
    to = behind;
    now = brushed() ? energies(from, to) : always;
    placeGrips();
    fillLegend();
    rebuild(true);
    performance.measure("flame-brush", { start, end: performance.now() });
}

function setQuery(text) {
    query = text;
    search();
    draw();
    say();
}

function setInverted(on) {
    if (sides)
        return;
    inverted = on;
    $("invert").setAttribute("aria-pressed", String(on));
    hideTip();
    rebuild(false);
}

function reset() {
    $("search").value = "";
    query = "";
    search();
    zoom = focus = root;
    setSpan(0, bucketCount);
    zoom = focus = root;
    hideTip();
    show();
}

/* Goes one thing back: the zoom, then the search, then the time span. */
function back() {
    hideTip();
    if (zoom !== root) {
        zoomTo(root);
    } else if (query !== "") {
        $("search").value = "";
        setQuery("");
    } else {
        setSpan(0, bucketCount);
    }
}

/* ---- Frames by mouse, finger and keyboard ---- */

function setUpStage() {
    const stage = $("stage");
    let tapped = null;
    const rectUnder = (event) => {
        const box = stage.getBoundingClientRect();
        return rectAt(event.clientX - box.left, event.clientY - box.top);
    };
    let over = null;
    stage.addEventListener("pointermove", (event) => {
        if (event.pointerType === "touch")
            return;
        const rect = rectUnder(event);
        if (!rect) {
            over = null;
            hideTip();
            return;
        }
        if (over !== rect.frame)
            fillTip(over = rect.frame);
        placeTip(event.clientX, event.clientY);
    });
    stage.addEventListener("pointerleave", () => {
        over = null;
        if (!tapped)
            hideTip();
    });
    stage.addEventListener("click", (event) => {
        const rect = rectUnder(event);
        if (!rect)
            return;
        over = null;
        if (event.pointerType === "touch" && tapped !== rect.frame) {
            tapped = focus = rect.frame;
            draw();
            fillTip(rect.frame).append(element("p", "Tap again to zoom.", "note"));
            placeTip(event.clientX, event.clientY);
            return;
        }
        tapped = null;
        zoomTo(rect.frame);
    });
    addEventListener("scroll", () => {
        tapped = null;
        hideTip();
        draw(false);
    }, { passive: true });
    stage.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        const at = focus || zoom, some = (frame) => frame.j > 0;
        const beside = (step) => {
            const all = at.above && at !== zoom ? at.above.kids().filter(some) : [at];
            return all[all.indexOf(at) + step] || at;
        };
        let next = null;
        if (event.key === "ArrowDown")
            next = at.kids().find(some) || at;
        else if (event.key === "ArrowUp")
            next = at.above || at;
        else if (event.key === "ArrowRight")
            next = beside(1);
        else if (event.key === "ArrowLeft")
            next = beside(-1);
        else if (event.key === "Home")
            next = zoom;
        else if (event.key === "Enter" || event.key === " ") {
            zoomTo(at);
            event.preventDefault();
            return;
        }
        if (next === null)
            return;
        event.preventDefault();
        moveFocus(next);
    });
    stage.addEventListener("focus", () => {
        if (stage.matches(":focus-visible"))
            moveFocus(focus || zoom);
    });
    stage.addEventListener("blur", hideTip);
}

function moveFocus(frame) {
    focus = frame;
    let rect = rectOf(frame);
    if (!rect && frame.depth < zoom.depth) {
        zoom = frame;
        show();
        rect = rectOf(frame);
    }
    const y = rect ? rowOf(rect) * rowHeight : -1, box = $("stage").getBoundingClientRect();
    if (rect && box.top + y < 60)
        scrollBy(0, box.top + y - 60);
    else if (rect && box.top + y + rowHeight > innerHeight - 60)
        scrollBy(0, box.top + y + rowHeight - innerHeight + 60);
    draw();
    speak(frame);
    fillTip(frame);
    const moved = $("stage").getBoundingClientRect();
    if (rect)
        placeTip(moved.left + rect.x + Math.min(rect.w / 2, 60), moved.top + y + rowHeight - 10);
}

function setUpKeys() {
    addEventListener("keydown", (event) => {
        const writing = event.target === $("search");
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
            return;
        if (event.key === "/" && !writing) {
            event.preventDefault();
            $("search").focus();
            $("search").select();
        } else if (event.key === "i" && !writing) {
            setInverted(!inverted);
        } else if (event.key === "Escape" && writing && query !== "") {
            event.preventDefault();
            $("search").value = "";
            setQuery("");
        } else if (event.key === "Escape") {
            back();
        }
    });
}

/* ---- Power over time ---- */

const PARTS = [ // from below
    { name: "Java", kinds: "alr", colour: "java" },
    { name: "JIT", kinds: "j", colour: "jit" },
    { name: "GC", kinds: "g", colour: "gc" },
    { name: "Rest", kinds: "fvuox", colour: "nobody", title: "JFR, VM, unattributed, outside the recording, left out" },
];

function fillParts() {
    for (const part of PARTS)
        part.j = new Float64Array(bucketCount);
    for (let i = 0; i < ownCount; i++) {
        const part = PARTS.find((p) => p.kinds.includes(data.kinds[labels[ownNode[i]]]));
        for (let c = cellsFrom[i]; c < cellsFrom[i + 1]; c++)
            part.j[data.bucket[c]] += data.units[c] * data.unit;
    }
}

function sumOf(list) {
    let sum = 0;
    for (let b = from; b < to; b++)
        sum += list[b] || 0;
    return sum;
}

function fillLegend() {
    const entries = [];
    if (data.machine)
        entries.push(["Machine", sumOf(data.machine), "dashed", null]);
    entries.push(["Process", now.total[0], "line", null]);
    for (const part of PARTS)
        entries.push([part.name, sumOf(part.j), "", part]);
    $("legend").replaceChildren(...entries.map(([name, j, look, part]) => {
        const item = element("li"), swatch = element("i", "", "swatch " + look);
        if (part) {
            swatch.style.background = "hsl(" + variable(part.colour) + ")";
            item.title = part.title || "";
        }
        item.append(swatch, element("span", name), element("b", joules(j)), element("small", meanW(j)));
        return item;
    }));
}

/* 1, 2 or 5 times a power of ten (or what a clock has), so that about COUNT of it make ALL. */
function niceStep(all, count, isTime) {
    const rough = all / count;
    if (isTime && rough > 5)
        for (const step of [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400])
            if (step >= rough)
                return step;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].find((n) => n * power >= rough) * power;
}

let chartTop = 1, chartLength = 1;
const xOf = (seconds) => (1000 * seconds) / chartLength;
const yOf = (w) => 100 - (100 * w) / chartTop;
const powerOf = (list, b) => (data.seconds[b] > 0 && list[b] !== null ? list[b] / data.seconds[b] : NaN);

/* Steps along the top of LIST on top of BELOW, and back along BELOW where it is an area. */
function steps(list, below) {
    let path = "";
    for (let b = 0; b < bucketCount;) {
        if (Number.isNaN(powerOf(list, b))) {
            b++;
            continue;
        }
        const forth = [], home = [];
        do {
            const low = below ? powerOf(below, b) : 0, y = yOf(powerOf(list, b) + low).toFixed(2);
            const left = xOf(data.start[b]).toFixed(2), right = xOf(data.end[b]).toFixed(2);
            forth.push(left + " " + y, right + " " + y);
            home.unshift(right + " " + yOf(low).toFixed(2), left + " " + yOf(low).toFixed(2));
            b++;
        } while (b < bucketCount && !Number.isNaN(powerOf(list, b)) && data.start[b] - data.end[b - 1] < 0.5);
        path += "M" + forth.join("L") + (below ? "L" + home.join("L") + "Z" : "");
    }
    return path;
}

function drawChart() {
    $("chart").hidden = bucketCount === 0;
    const curves = $("curves"), paths = [];
    const process = new Float64Array(bucketCount);
    const curve = (d, fill, stroke, dashes) => {
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", d);
        path.style.fill = fill;
        path.style.stroke = stroke;
        path.style.strokeWidth = dashes ? "1.4" : "1.6";
        path.style.strokeDasharray = dashes;
        paths.push(path);
    };
    let highest = 0;
    for (let b = 0; b < bucketCount; b++) {
        for (const part of PARTS)
            process[b] += part.j[b];
        highest = Math.max(highest, powerOf(process, b) || 0, data.machine ? powerOf(data.machine, b) || 0 : 0);
    }
    const step = niceStep(Math.max(highest, 1e-3), 4, false);
    chartTop = Math.max(highest * 1.04, step);
    chartLength = bucketCount > 0 ? Math.max(data.end[bucketCount - 1], 1e-3) : 1;
    const ticks = [];
    let grid = "";
    for (let w = 0; w <= chartTop; w += step) {
        const tick = element("span", Number(w.toPrecision(6)) + (w === 0 ? "" : " W"));
        tick.style.right = "calc(100% + 6px)";
        tick.style.top = `calc(${yOf(w)}% - 7px)`;
        ticks.push(tick);
        grid += `M0 ${yOf(w)}H1000`;
    }
    const across = niceStep(chartLength, Math.max(2, $("plot").clientWidth / 75), true);
    for (let s = 0; s <= chartLength * 0.985; s += across) {
        const tick = element("span", clock(s));
        tick.style.left = xOf(s) / 10 + "%";
        tick.style.top = "calc(100% + 4px)";
        if (s > 0)
            tick.style.transform = "translateX(-50%)";
        ticks.push(tick);
    }
    curve(grid, "none", "var(--grid)", "");
    const below = new Float64Array(bucketCount);
    for (const part of PARTS) {
        curve(steps(part.j, below), "hsl(" + variable(part.colour) + ")", "none", "");
        for (let b = 0; b < bucketCount; b++)
            below[b] += part.j[b];
    }
    if (data.machine)
        curve(steps(data.machine, null), "none", "var(--muted)", "4 3");
    curve(steps(process, null), "none", "var(--ink)", "");
    curves.replaceChildren(...paths);
    $("ticks").replaceChildren(...ticks);
}

function placeGrips() {
    const left = bucketCount > 0 ? (100 * data.start[from]) / chartLength : 0;
    const right = bucketCount > 0 ? (100 * data.end[to - 1]) / chartLength : 100;
    $("plot").classList.toggle("brushed", brushed());
    $("from").style.left = left + "%";
    $("to").style.left = right + "%";
    $("before").style.width = left + "%";
    $("after").style.width = 100 - right + "%";
    for (const [id, value, least, most, text] of [
        ["from", from, 0, to - 1, bucketCount > 0 ? clock(data.start[from]) : ""],
        ["to", to, from + 1, bucketCount, bucketCount > 0 ? clock(data.end[to - 1]) : ""],
    ]) {
        $(id).setAttribute("aria-valuemin", String(least));
        $(id).setAttribute("aria-valuemax", String(most));
        $(id).setAttribute("aria-valuenow", String(value));
        $(id).setAttribute("aria-valuetext", text);
    }
}

function setUpChart() {
    const plot = $("plot");
    const bucketUnder = (event) => {
        const box = plot.getBoundingClientRect();
        const seconds = ((event.clientX - box.left) / box.width) * chartLength;
        let b = 0;
        while (b + 1 < bucketCount && data.start[b + 1] <= seconds)
            b++;
        return b;
    };
    let dragged = null; // {grip, bucket, x, moved}
    let wanted = null;
    const later = (first, behind) => {
        if (!wanted)
            requestAnimationFrame(() => {
                const [a, b] = wanted;
                wanted = null;
                setSpan(a, b);
            });
        wanted = [first, behind];
    };
    plot.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || bucketCount === 0)
            return;
        const grip = event.target.closest(".grip");
        // at the ends the grips lie over the plot: from there a span is drawn as from anywhere
        const held = grip && brushed() ? grip.id : null;
        dragged = { grip: held, bucket: bucketUnder(event), x: event.clientX, moved: false };
        plot.setPointerCapture(event.pointerId);
        hideTip();
    });
    plot.addEventListener("pointermove", (event) => {
        if (!dragged) {
            pointAt(event, bucketUnder(event));
            return;
        }
        const b = bucketUnder(event);
        dragged.moved = dragged.moved || Math.abs(event.clientX - dragged.x) > 4;
        if (!dragged.moved)
            return;
        $("guide").hidden = true;
        if (dragged.grip === "from")
            later(Math.min(b, to - 1), to);
        else if (dragged.grip === "to")
            later(from, Math.max(b + 1, from + 1));
        else
            later(Math.min(b, dragged.bucket), Math.max(b, dragged.bucket) + 1);
    });
    plot.addEventListener("pointerup", () => {
        if (dragged && !dragged.moved && !dragged.grip)
            setSpan(0, bucketCount);
        dragged = null;
    });
    plot.addEventListener("pointercancel", () => (dragged = null));
    plot.addEventListener("pointerleave", () => {
        $("guide").hidden = true;
        hideTip();
    });
    for (const id of ["from", "to"])
        $(id).addEventListener("keydown", (event) => {
            const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10,
                Home: -bucketCount, End: bucketCount };
            const move = moves[event.key];
            if (move === undefined || bucketCount === 0)
                return;
            event.preventDefault();
            if (id === "from")
                setSpan(Math.min(from + move, to - 1), to);
            else
                setSpan(from, Math.max(to + move, from + 1));
        });
    $("whole").addEventListener("click", () => setSpan(0, bucketCount));
}

function pointAt(event, b) {
    if (event.pointerType === "touch" || bucketCount === 0)
        return;
    const tip = $("tip"), lines = element("dl");
    const middle = (data.start[b] + data.end[b]) / 2;
    $("guide").hidden = false;
    $("guide").style.left = (100 * middle) / chartLength + "%";
    tip.replaceChildren(element("p", clock(data.start[b]) + " to " + clock(data.end[b]), "name"), lines);
    const line = (name, w) => lines.append(element("dt", name), element("dd", watts(w)));
    if (data.machine)
        line("Machine", powerOf(data.machine, b));
    let process = 0;
    for (const part of PARTS)
        process += part.j[b];
    line("Process", data.seconds[b] > 0 ? process / data.seconds[b] : NaN);
    for (const part of PARTS)
        line(part.name, powerOf(part.j, b));
    placeTip(event.clientX, event.clientY);
}

/* ---- Start ---- */

function fillKinds() {
    if (sides) {
        const looks = [["more", "hsl(22 90% 60%)"], ["less", "hsl(212 90% 60%)"], ["may be chance", "hsl(" + variable("nobody") + ")"]];
        $("kinds").replaceChildren(...looks.map(([name, colour]) => {
            const item = element("li"), swatch = element("i", "", "swatch");
            swatch.style.background = colour;
            item.append(swatch, element("span", name));
            return item;
        }));
        return;
    }
    const kinds = [["app", "application"], ["lib", data.jdk ? "JDK" : "JDK and libraries"], ["gc", "GC"], ["jit", "JIT"],
        ["nobody", "unattributed, outside"]];
    $("kinds").replaceChildren(...kinds.map(([colour, name]) => {
        const item = element("li"), swatch = element("i", "", "swatch");
        swatch.style.background = "hsl(" + variable(colour) + ")";
        item.append(swatch, element("span", name));
        return item;
    }));
}

function paint() {
    fillKinds();
    fillLegend();
    drawChart();
    placeGrips();
    show();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = false;
setTheme(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => {
    if (!chosen) {
        setTheme(dark.matches ? "dark" : "light");
        paint();
    }
});
$("theme").addEventListener("click", () => {
    chosen = true;
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    paint();
});
$("app").hidden = false;
$("power").hidden = $("invert").hidden = sides !== null;
$("theme").hidden = false;
fillParts();
root = zoom = rootFrame();
setUpStage();
setUpKeys();
setUpChart();
$("search").addEventListener("input", () => setQuery($("search").value));
$("invert").addEventListener("click", () => setInverted(!inverted));
$("reset").addEventListener("click", reset);
paint();
performance.measure("flame-first", { start: begun, end: performance.now() });
new ResizeObserver(() => {
    if ($("stage").clientWidth === width)
        return;
    labelWidths = new Map();
    paint();
}).observe($("stage"));
})();
