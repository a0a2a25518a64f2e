/** A sandbox at work on a picture. */
import { Effect } from "effect"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { assertQuadrants, awaited, quadrants } from "./PictureFixtures.ts"

export const options = { maxSide: 360, fileName: "a file" }

export const still = (sandbox: Sandbox.Sandbox, bytes: Uint8Array) =>
  sandbox.run("still", options, Sandbox.contentOf(bytes))

/** It continues as before: a picture comes out right. */
export const works = (sandbox: Sandbox.Sandbox) =>
  Effect.gen(function*() {
    const picture = yield* still(sandbox, yield* awaited(() => quadrants().jpeg().toBuffer()))
    yield* awaited(() => assertQuadrants(picture))
  })
