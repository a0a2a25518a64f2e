/** Reads exported notes as other programs do: by the formats, and by none of the code that writes them. */
import { assert } from "vitest"

/** The cells of RFC 4180. */
export const rows = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const all: Array<Array<string>> = []
  let row: Array<string> = []
  let at = 0
  while (at < text.length) {
    let cell = ""
    if (text[at] === "\"") {
      for (at++; !(text[at] === "\"" && text[at + 1] !== "\""); at++) {
        assert.isBelow(at, text.length, "a quoted cell has an end")
        if (text[at] === "\"") at++
        cell += text[at]
      }
      at++
    } else {
      while (text[at] !== "," && text[at] !== "\r") cell += text[at++]
    }
    row.push(cell)
    if (text[at] === ",") {
      at++
      continue
    }
    assert.strictEqual(text.slice(at, at + 2), "\r\n")
    at += 2
    all.push(row)
    row = []
  }
  assert.deepStrictEqual(row, [], "the last row has an end")
  return all
}

/** The frame of a timecode. SMPTE ST 12-1: of drop frame, numbers 0 and 1 are left out in minutes that ten doesn't divide. */
const frameOf = (timecode: string, perSecond: number): number => {
  const [, hours, minutes, seconds, mark, frames] = /^(\d\d):([0-5]\d):([0-5]\d)([:;])(\d\d)$/.exec(timecode)!
  assert.isBelow(Number(frames), perSecond)
  const minute = Number(hours) * 60 + Number(minutes)
  if (mark === ";" && Number(minutes) % 10 !== 0 && Number(seconds) === 0) assert.isAtLeast(Number(frames), 2)
  return (minute * 60 + Number(seconds)) * perSecond + Number(frames)
    - (mark === ";" ? 2 * (minute - Math.floor(minute / 10)) : 0)
}

/** Event, reel, tracks, a cut, and the times of source and record. */
const event =
  /^(\d{3,})  (\S{1,8}) +([AVB]) +C +(\d\d:\d\d:\d\d[:;]\d\d) (\d\d:\d\d:\d\d[:;]\d\d) (\d\d:\d\d:\d\d[:;]\d\d) (\d\d:\d\d:\d\d[:;]\d\d)$/

/** An edit decision list. CMX 3600; markers as DaVinci Resolve writes them. */
export const readEdl = (text: string, perSecond: number) => {
  const [title, mode, ...lines] = text.split(/[\n\r\v\f\u0085\u2028\u2029]+/)
  assert.match(title!, /^TITLE: .{1,70}$/u)
  assert.match(mode!, /^FCM: (NON-)?DROP FRAME$/)
  const isDropFrame = mode === "FCM: DROP FRAME"
  const events: Array<{ readonly first: number; readonly count: number; readonly track: string }> = []
  const locators: Array<number> = []
  let durations = 0
  for (const line of lines.filter((line) => line !== "")) {
    if (/^\d/.test(line)) {
      const [, number, , track, ...times] = event.exec(line) ?? assert.fail(`no event: ${line}`)
      assert.strictEqual(Number(number), events.length + 1)
      assert.deepStrictEqual(times.slice(0, 2), times.slice(2), "source and record are the same")
      for (const one of times) assert.strictEqual(one.includes(";"), isDropFrame)
      const [first, end] = times.slice(0, 2).map((one) => frameOf(one, perSecond)) as [number, number]
      events.push({ first, count: end - first, track: track! })
    } else if (line.startsWith(" |C:")) {
      const [, colour, name, frames] = /^ \|C:(\w+) \|M:([^|]+) \|D:(\d+)$/u.exec(line) ??
        assert.fail(`no marker: ${line}`)
      assert.match(colour!, /^ResolveColor(Blue|Green)$/)
      assert.isAbove(name!.length, 0)
      assert.strictEqual(Number(frames), events.at(-1)!.count)
      durations++
    } else if (line.startsWith("* LOC: ")) {
      const [, timecode] = /^\* LOC: (\S+) (?:RED|GREEN) +\S/.exec(line) ?? assert.fail(`no locator: ${line}`)
      locators.push(frameOf(timecode!, perSecond))
    } else {
      assert.match(line, /^\* FROM CLIP NAME: /)
    }
  }
  assert.strictEqual(durations, events.length)
  return { isDropFrame, events, locators }
}

interface XmlElement {
  readonly nodeName: string
  readonly getAttribute: (name: string) => string | null
}

interface XmlDocument {
  readonly getElementsByTagName: (name: string) => Iterable<XmlElement>
}

interface XmlLibrary {
  readonly DOMParser: new(options: object) => { readonly parseFromString: (text: string, type: string) => XmlDocument }
}

// By name, because no package of ours depends on it: a library of our media tools brings it.
const name = "@xmldom/xmldom"
const { DOMParser } = await import(name) as XmlLibrary

const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b)

/** A time as a fraction of a second. */
const fraction = (text: string | null): readonly [over: bigint, under: bigint] => {
  const [, over, under = "1"] = /^(\d+)(?:\/(\d+))?s$/.exec(text ?? "") ?? assert.fail(`no time: ${text}`)
  const divisor = gcd(BigInt(over!), BigInt(under))
  return [BigInt(over!) / (divisor || 1n), BigInt(under) / (divisor || 1n)]
}

/** Markers of an FCPXML, in whole frames: fails where a time is not exactly one. */
export const readFcpxml = (text: string) => {
  const document = new DOMParser({
    onError: (level: string, message: string) => assert.fail(`${level}: ${message}`)
  }).parseFromString(text, "text/xml")
  const all = (name: string) => [...document.getElementsByTagName(name)]
  const [over, under] = fraction(all("format")[0]!.getAttribute("frameDuration"))
  const framesOf = (time: string | null): number => {
    const [a, b] = fraction(time)
    assert.strictEqual(a * under % (b * over), 0n, `${time} is a whole number of frames`)
    return Number(a * under / (b * over))
  }
  const markers = all("marker").map((marker) => ({
    first: framesOf(marker.getAttribute("start")),
    count: framesOf(marker.getAttribute("duration")),
    value: marker.getAttribute("value")
  }))
  const clipFrames = framesOf(all("asset-clip")[0]!.getAttribute("duration"))
  for (const { count, first } of markers) assert.isAtMost(first + count, clipFrames)
  return {
    rate: { frames: Number(under), seconds: Number(over) },
    isDropFrame: all("sequence")[0]!.getAttribute("tcFormat") === "DF",
    clipFrames,
    markers,
    resolved: all("marker").map((marker) => marker.getAttribute("completed") === "1"),
    otherElements: all("*").map(({ nodeName }) => nodeName).filter((name) => name !== "marker")
  }
}
