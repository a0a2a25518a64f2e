import { assert, describe, it } from "@effect/vitest"
import * as Synthesis from "../../test/Synthesis.ts"
import { keyOf } from "./Key.ts"
import { sampleRate, sound } from "./Sound.ts"
import { tempoOf } from "./Tempo.ts"

const listen = (samples: Float32Array) => sound(new Uint8Array(samples.slice().buffer))

/** Within 1 %, or of half or double. */
const isTempo = (measured: number | null, truth: number) => {
  const octaves = [truth / 2, truth, truth * 2]
  const near = (octave: number) => measured !== null && Math.abs(measured - octave) <= octave / 100
  assert.isTrue(octaves.some(near), `${measured} is not ${truth}`)
}

describe("how a track sounds", () => {
  it.each([
    { tempo: 92, key: "Am" },
    { tempo: 100, key: "F#m" },
    { tempo: 128, key: "A#" },
    { tempo: 140, key: "Dm" },
    { tempo: 174, key: "G" },
    { tempo: 75.5, key: "C#m" },
    { tempo: 111.3, key: "E" }
  ])("MEDIA-20 measures a song of $tempo beats a minute in $key", ({ key, tempo }) => {
    const song = Synthesis.song(tempo, key)
    isTempo(tempoOf(song, sampleRate), tempo)
    assert.strictEqual(keyOf(song, sampleRate), key)
  })

  it.each([60, 90, 128, 174])("MEDIA-20 measures clicks of %d a minute, which have no key", (tempo) => {
    const clicks = Synthesis.clicks(tempo)
    isTempo(tempoOf(clicks, sampleRate), tempo)
    assert.isNull(keyOf(clicks, sampleRate))
  })

  it.each([440, 660, 1_000, 1_500])("MEDIA-21 ticks of %d hertz on a beat have no key", async (hertz) => {
    const ticks = await listen(Synthesis.ticks(128, hertz))
    isTempo(ticks.tempo, 128)
    assert.isNull(ticks.key)
  })

  it("MEDIA-20 hears a quiet recording like a loud one", async () => {
    const quiet = await listen(Synthesis.song(128, "Am").map((sample) => sample / 200))
    isTempo(quiet.tempo, 128)
    assert.strictEqual(quiet.key, "Am")
  })

  it.each([
    { what: "silence", samples: Synthesis.silence() },
    { what: "speech", samples: Synthesis.speech() },
    { what: "noise", samples: Synthesis.noise() },
    { what: "a tone", samples: Synthesis.tone() },
    { what: "a tone that rises by hertz", samples: Synthesis.sweep(200, 2_000, "hertz") },
    { what: "a tone that rises by hertz, in ten seconds", samples: Synthesis.sweep(50, 1_000, "hertz", 10) },
    { what: "a tone that rises by hertz, over all that is heard", samples: Synthesis.sweep(20, 10_000, "hertz") },
    { what: "a tone that rises by octaves", samples: Synthesis.sweep(20, 20_000, "octaves", 30) },
    { what: "a tone that rises by octaves, slowly", samples: Synthesis.sweep(50, 1_000, "octaves", 30) },
    { what: "ticks that follow no beat", samples: Synthesis.unevenClicks() },
    { what: "two seconds of a song", samples: Synthesis.song(128, "Am", 2) },
    { what: "nothing", samples: new Float32Array() },
    { what: "what is no number", samples: new Float32Array(sampleRate * 10).fill(Number.NaN) }
  ])("MEDIA-21 $what has neither tempo nor key", async ({ samples }) => {
    const { key, tempo } = await listen(samples)
    assert.deepStrictEqual({ key, tempo }, { key: null, tempo: null })
  })
})
