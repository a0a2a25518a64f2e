/** Zones of the world, as the minutes by which their clocks are ahead of UTC. */

const zoneMin = -12 * 60
const zoneMax = 14 * 60
const quarter = 15

/** Minutes of an offset as it is written, like `Z`, `+02:00` or `-0930`; null when no zone has it. */
export const offsetMinutes = (written: string | undefined): number | null => {
  if (written?.trim() === "Z") return 0
  const [, sign, hours, minutes] = /^\s*([+-])(\d\d):?(\d\d)\s*$/.exec(written ?? "") ?? []
  if (hours === undefined || Number(minutes) > 59) return null
  const offset = Number(hours) * 60 + Number(minutes)
  const signed = offset === 0 ? 0 : sign === "-" ? -offset : offset
  return signed >= zoneMin && signed <= zoneMax && signed % quarter === 0 ? signed : null
}

/** Zones in use that are no whole hours: those of half hours and quarters, with their summer times. */
const broken = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825]
const inUse = [...Array.from({ length: 27 }, (_, hour) => (hour - 12) * 60), ...broken]

/** So many minutes a fix of the satellites may be old, or a camera's clock wrong, to tell a zone. */
const tolerance = 15

/** The zone whose clocks are so many minutes ahead of the satellites' time, about; null when none is. */
export const nearestZone = (minutes: number): number | null => {
  const nearest = inUse.reduce((best, zone) => Math.abs(zone - minutes) < Math.abs(best - minutes) ? zone : best)
  return Math.abs(nearest - minutes) < tolerance ? nearest : null
}
