import { assert, describe, it } from "@effect/vitest"
import { type Clocks, takenTime } from "./TakenTime.ts"

const none: Clocks = {
  original: undefined,
  originalOffset: undefined,
  originalFraction: undefined,
  digitized: undefined,
  digitizedOffset: undefined,
  digitizedFraction: undefined,
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

  it.each<{ readonly what: string; readonly clocks: Partial<Clocks>; readonly taken: string | null }>([
    {
      what: "parts of a second are kept",
      clocks: { original: "2020:01:02 03:04:05", originalFraction: "05 ", originalOffset: "+00:00" },
      taken: "2020-01-02T03:04:05.050Z"
    },
    {
      what: "parts of a second are cut to a millisecond",
      clocks: { original: "2020:01:02 03:04:59", originalFraction: "999999" },
      taken: "2020-01-02T03:04:59.999Z"
    },
    {
      what: "parts of a second that are none are left out",
      clocks: { original: "2020:01:02 03:04:05", originalFraction: "x5" },
      taken: "2020-01-02T03:04:05.000Z"
    },
    {
      what: "another's parts of a second are kept",
      clocks: { others: ["2020-01-02T03:04:05.29+01:00"] },
      taken: "2020-01-02T02:04:05.290Z"
    },
    {
      what: "the time it was digitised has its own parts of a second",
      clocks: { digitized: "2011:01:01 10:20:30", digitizedFraction: "7", originalFraction: "9" },
      taken: "2011-01-01T10:20:30.700Z"
    },
    ...["+99:00", "+14:15", "-12:15", "+05:99", "+01:07"].map((originalOffset) => ({
      what: `a zone of ${originalOffset} is none`,
      clocks: { original: "2020:01:01 00:00:00", originalOffset, others: [`2020-01-01T00:00:00${originalOffset}`] },
      taken: "2020-01-01T00:00:00.000Z"
    })),
    {
      what: "a fix that is some minutes old tells the zone that there is",
      clocks: { original: "2015:07:04 09:07:40", gps: "2015:07:04 07:00:05" },
      taken: "2015-07-04T07:07:40.000Z"
    },
    {
      what: "a fix that is half an hour old tells nothing",
      clocks: { original: "2015:07:04 09:31:00", gps: "2015:07:04 07:00:05" },
      taken: "2015-07-04T09:31:00.000Z"
    },
    ...["2345-01-01T00:00:00", "12345-01-01", "20201-01-01", "0202-01-01", "9999-12-31", "2021-06-31", "2021-01-011"]
      .map(
        (written) => ({ what: `${written} is no day`, clocks: { others: [written] }, taken: null })
      )
  ])("MEDIA-90 $what", ({ clocks, taken }) => {
    assert.strictEqual(takenTime({ ...none, ...clocks }), taken === null ? null : Date.parse(taken))
  })
})
