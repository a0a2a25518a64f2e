/** Some places and the boxes that hold them, for photos and videos that know where they were taken. */

export interface Box {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

const boxes: Readonly<Record<string, readonly [south: number, west: number, north: number, east: number]>> = {
  amsterdam: [52.25, 4.7, 52.45, 5.1],
  athens: [37.85, 23.6, 38.15, 23.9],
  australia: [-44, 112, -10, 154],
  austria: [46.3, 9.5, 49.1, 17.2],
  bangkok: [13.5, 100.3, 14, 100.9],
  barcelona: [41.3, 2, 41.5, 2.3],
  berlin: [52.3, 13, 52.7, 13.8],
  brazil: [-34, -74, 5.3, -34],
  brussels: [50.7, 4.2, 50.95, 4.5],
  budapest: [47.3, 18.9, 47.65, 19.4],
  canada: [41.6, -141.1, 83.2, -52.5],
  chicago: [41.6, -88, 42.1, -87.5],
  china: [18, 73, 54, 135],
  cologne: [50.8, 6.75, 51.1, 7.2],
  copenhagen: [55.55, 12.4, 55.8, 12.7],
  croatia: [42.3, 13.4, 46.6, 19.5],
  denmark: [54.5, 8, 57.8, 15.3],
  dublin: [53.2, -6.5, 53.5, -6],
  edinburgh: [55.85, -3.4, 56, -3.05],
  egypt: [22, 24.6, 31.7, 37],
  england: [49.9, -5.8, 55.9, 1.8],
  finland: [59.7, 20.5, 70.1, 31.6],
  florence: [43.7, 11.1, 43.85, 11.35],
  france: [41.3, -5.2, 51.1, 9.6],
  germany: [47.2, 5.8, 55.1, 15.1],
  greece: [34.7, 19.3, 41.8, 29.7],
  hamburg: [53.35, 9.7, 53.75, 10.4],
  iceland: [63.2, -24.6, 66.6, -13.4],
  india: [6.5, 68, 35.7, 97.4],
  ireland: [51.3, -10.7, 55.4, -5.9],
  istanbul: [40.8, 28.5, 41.4, 29.5],
  italy: [36.6, 6.6, 47.1, 18.6],
  japan: [24, 122.9, 45.6, 146],
  lisbon: [38.6, -9.35, 38.85, -9],
  london: [51.25, -0.55, 51.75, 0.35],
  losangeles: [33.6, -118.7, 34.4, -117.6],
  madrid: [40.2, -4, 40.65, -3.4],
  mexico: [14.5, -118.4, 32.8, -86.7],
  milan: [45.35, 9, 45.6, 9.35],
  morocco: [27.6, -13.2, 36, -1],
  munich: [48, 11.3, 48.3, 11.8],
  netherlands: [50.7, 3.3, 53.6, 7.3],
  newyork: [40.45, -74.3, 41, -73.65],
  newzealand: [-47.4, 166.3, -34.3, 178.7],
  norway: [57.9, 4.5, 71.3, 31.2],
  oslo: [59.8, 10.5, 60.1, 11],
  paris: [48.7, 2.1, 49.05, 2.65],
  poland: [49, 14.1, 54.9, 24.2],
  porto: [41.1, -8.75, 41.25, -8.5],
  portugal: [36.8, -9.6, 42.2, -6.1],
  prague: [49.9, 14.2, 50.2, 14.75],
  rome: [41.7, 12.2, 42.1, 12.75],
  sanfrancisco: [37.6, -122.6, 37.95, -122.2],
  scotland: [54.6, -8.7, 60.9, -0.7],
  singapore: [1.15, 103.6, 1.5, 104.1],
  spain: [35.9, -9.4, 43.9, 4.4],
  stockholm: [59.2, 17.7, 59.5, 18.3],
  sweden: [55.2, 10.9, 69.1, 24.2],
  switzerland: [45.8, 5.9, 47.9, 10.6],
  sydney: [-34.2, 150.5, -33.5, 151.4],
  thailand: [5.6, 97.3, 20.5, 105.7],
  tokyo: [35.45, 139.3, 35.95, 140.1],
  turkey: [35.8, 25.6, 42.2, 44.9],
  usa: [24.4, -125, 49.4, -66.9],
  venice: [45.35, 12.2, 45.55, 12.5],
  vienna: [48.05, 16.1, 48.4, 16.65],
  zurich: [47.25, 8.35, 47.5, 8.7]
}

const otherNames: Readonly<Record<string, string>> = {
  america: "usa",
  athen: "athens",
  brussel: "brussels",
  danemark: "denmark",
  deutschland: "germany",
  florenz: "florence",
  frankreich: "france",
  griechenland: "greece",
  holland: "netherlands",
  italien: "italy",
  koln: "cologne",
  kroatien: "croatia",
  lissabon: "lisbon",
  mailand: "milan",
  munchen: "munich",
  norwegen: "norway",
  nyc: "newyork",
  osterreich: "austria",
  polen: "poland",
  prag: "prague",
  rom: "rome",
  schweden: "sweden",
  schweiz: "switzerland",
  spanien: "spain",
  unitedstates: "usa",
  venedig: "venice",
  wien: "vienna"
}

/** What is near a point, in kilometres. */
const nearby = 22

const kilometresPerDegree = 111

/** A box with so many kilometres more on each side. */
const widened = ({ east, north, south, west }: Box, kilometres: number): Box => {
  const up = kilometres / kilometresPerDegree
  // Degrees of longitude are narrower away from the equator.
  const aside = up / Math.max(0.05, Math.cos(((south + north) / 2) * Math.PI / 180))
  return { south: south - up, north: north + up, west: west - aside, east: east + aside }
}

/** The name of what is within so many kilometres of a place or a point, as {@link boxOf} reads it. */
export const around = (place: string, kilometres: number): string => `${place} @${kilometres}`

/**
 * The box of a place by its name in lower case without accents, of a point like "37.87, -122.26", or of what is {@link around} one; null for
 * another name.
 */
export const boxOf = (said: string): Box | null => {
  const [, name = said, radius] = /^(.*) @(\d+(?:\.\d+)?)$/.exec(said) ?? []
  const point = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(name)
  if (point !== null) {
    const [latitude, longitude] = [Number(point[1]), Number(point[2])]
    const exact = { south: latitude, north: latitude, west: longitude, east: longitude }
    return widened(exact, radius === undefined ? nearby : Number(radius))
  }
  const key = name.replaceAll(/[^a-z]/g, "").replace(/^the/, "")
  const found = boxes[key] ?? boxes[otherNames[key] ?? ""]
  if (found === undefined) return null
  const box = { south: found[0], west: found[1], north: found[2], east: found[3] }
  return radius === undefined ? box : widened(box, Number(radius))
}

export const isWithin = (
  { east, north, south, west }: Box,
  at: { readonly latitude: number; readonly longitude: number }
): boolean => at.latitude >= south && at.latitude <= north && at.longitude >= west && at.longitude <= east
