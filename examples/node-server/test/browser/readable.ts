/** What makes a page hard to read, as the browser has laid it out. Runs in the page. */

/* oxlint-disable no-undef */
declare const document: any
declare const getComputedStyle: any
declare const innerWidth: number

/** Sentences; none for a page that is fine. */
export const faultsOf = (): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push(`The page is ${root.scrollWidth} px wide.`)
  const channels = (color: string) => [...color.matchAll(/[\d.]+/g)].map(Number)
  const luminance = (color: string) => {
    const [red, green, blue] = channels(color).slice(0, 3).map((one) => {
      const share = one / 255
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
  }
  const backgroundOf = (element: any): string => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one)
      if (channels(backgroundColor)[3] !== 0) return backgroundColor
    }
    return "rgb(255, 255, 255)"
  }
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node: any) => node.nodeType === 3 && node.data.trim() !== "")
    if (!hasText || element.tagName === "STYLE" || element.tagName === "OPTION") continue
    const [one, other] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))]
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    // WCAG 2.2, 1.4.3.
    if (contrast < 4.5) faults.push(`"${element.textContent.slice(0, 40)}" has a contrast of ${contrast.toFixed(2)}.`)
  }
  for (const element of document.querySelectorAll("button, input:not([type=hidden]), select")) {
    const { height, width } = (element.closest("label") ?? element).getBoundingClientRect()
    // WCAG 2.2, 2.5.8.
    if (height < 24 || width < 24) faults.push(`${element.tagName} is ${width} × ${height} px.`)
  }
  return faults
}
