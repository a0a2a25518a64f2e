import { assert, describe, it } from "@effect/vitest"
import * as FrameRates from "./FrameRates.ts"

describe("FrameRates", () => {
  it.each([
    ["24000/1001", "24000/1001", "24000/1001"],
    ["25/1", "25/1", "25/1"],
    ["30000/1001", "30000/1001", "30000/1001"],
    ["60000/1001", "60000/1001", "60000/1001"],
    // A rate of its own.
    ["10/1", "10/1", "10/1"],
    ["25/2", "25/2", "25/2"],
    // Rounded by the container.
    ["2997/100", "2997/100", "30000/1001"],
    ["19001/317", "19001/317", "60000/1001"],
    ["23976/1000", "24000/1001", "24000/1001"],
    // Interlaced: two fields make a frame.
    ["25/1", "50/1", "25/1"],
    ["30000/1001", "60000/1001", "30000/1001"],
    // Uneven frames of a telephone.
    ["89400/2981", "30/1", "30/1"],
    ["27120000/904531", "90000/1", "30000/1001"],
    ["31/2", "90000/1", "31/2"],
    // One of the two alone.
    ["0/0", "25/1", "25/1"],
    [undefined, "25/1", "25/1"],
    ["25/1", undefined, "25/1"],
    ["0/0", "0/0", null],
    ["90000/1", "90000/1", null],
    ["x", "", null]
  ])("REV-1 an average of %s and time stamps of %s are a rate of %s", (average, lowest, rate) => {
    const stream = {
      ...(average === undefined ? {} : { avg_frame_rate: average }),
      ...(lowest === undefined ? {} : { r_frame_rate: lowest })
    }
    assert.strictEqual(FrameRates.of(stream), rate)
  })
})
