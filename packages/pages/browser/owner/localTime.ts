/** Times as a field for them has them: local, to the minute. */

const two = (value: number): string => String(value).padStart(2, "0")

/** Empty for none. */
export const localTime = (iso: string | null): string => {
  if (iso === null) return ""
  const time = new Date(iso)
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** What a field has as the drive takes it; null for none, undefined for what is no time. */
export const isoTime = (local: string): string | null | undefined => {
  if (local === "") return null
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
