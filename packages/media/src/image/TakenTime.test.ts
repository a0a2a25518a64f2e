import { assert, describe, it } from "@effect/vitest"
import { type Clocks, takenTime } from "./TakenTime.ts"

const none: Clocks = {
  original: undefined,
  originalOffset: undefined,
  digitized: undefined,
  digitizedOffset: undefined,
  gps: undefined,
  others: []
}

describe("TakenTime", () => {
  it.each([
    {
      what: "its own zone wins over the satellites'",
      clocks: {
        original: "2019:10:20 18:34:30",
        originalOffset: "+02:00",
        gps: "2019:10:20 15:34:30",
        others: ["2019-10-20T18:34:30+05:00"]
      },
      taken: "2019-10-20T16:34:30.000Z"
    },
    {
      what: "the satellites' time tells the zone, to a quarter of an hour",
      clocks: { original: "2009:06:24 09:41:07", gps: "2009:06:24 13:40:26", others: ["2009-06-24T09:41:07+01:00"] },
      taken: "2009-06-24T13:41:07.000Z"
    },
    {
      what: "a zone of a quarter hour is one",
      clocks: { original: "2024:05:01 12:00:00", gps: "2024-05-01 06:15:00" },
      taken: "2024-05-01T06:15:00.000Z"
    },
    {
      what: "satellites' time of another day tells nothing",
      clocks: { original: "2003:12:14 12:01:44", gps: "2018:07:25 14:34:23" },
      taken: "2003-12-14T12:01:44.000Z"
    },
    {
      what: "another's zone counts when it wrote the same time",
      clocks: { original: "2004:03:20 14:54:55", others: ["2004-03-20", "2004-03-20T14:54:55.12+02:00"] },
      taken: "2004-03-20T12:54:55.000Z"
    },
    {
      what: "another's zone does not when it wrote another time",
      clocks: { original: "2010:08:13 21:00:01", others: ["2017-03-03T17:59:30-07:00"] },
      taken: "2010-08-13T21:00:01.000Z"
    },
    {
      what: "without the camera's time another's counts, with its zone",
      clocks: { original: "0000:00:00 00:00:00", others: ["2012-01-02T03:04:05-02:30"] },
      taken: "2012-01-02T05:34:05.000Z"
    },
    {
      what: "a day alone is its first moment",
      clocks: { others: ["2009-06-24"], digitized: "2011:01:01 00:00:00" },
      taken: "2009-06-24T00:00:00.000Z"
    },
    {
      what: "the time it was digitised comes last",
      clocks: { digitized: "2011:01:01 10:20:30" },
      taken: "2011-01-01T10:20:30.000Z"
    },
    { what: "a clock never set is no time", clocks: { original: "0000:00:00 00:00:00" }, taken: null },
    { what: "blanks are no time", clocks: { original: "    :  :     :  :  " }, taken: null },
    { what: "months that are not are no time", clocks: { original: "2011:13:01 10:20:30" }, taken: null },
    {
      what: "the time it was digitised has its own zone",
      clocks: { digitized: "2011:01:01 10:20:30", digitizedOffset: "+09:00", originalOffset: "-05:00" },
      taken: "2011-01-01T01:20:30.000Z"
    },
    { what: "a day that is not is no time", clocks: { original: "2021:02:31 10:20:30" }, taken: null },
    { what: "a leap day is one", clocks: { original: "2024:02:29 10:20:30" }, taken: "2024-02-29T10:20:30.000Z" },
    { what: "the year 1 is not 1901", clocks: { original: "0001:01:01 00:00:00" }, taken: null },
    {
      what: "where the camera's day is not, another's counts",
      clocks: { original: "2023:02:29 10:20:30", others: ["2023-03-01"] },
      taken: "2023-03-01T00:00:00.000Z"
    },
    { what: "nothing is no time", clocks: {}, taken: null }
  ])("MEDIA-44 $what", ({ clocks, taken }) => {
    assert.strictEqual(takenTime({ ...none, ...clocks }), taken === null ? null : Date.parse(taken))
  })
})
