/** The page on which files are sent to a request. */
import { mountPage } from "../foundation/mountPage.tsx"
import { linkId } from "../foundation/settings.ts"
import { makeRequestLink } from "./RequestLink.ts"
import { RequestPage } from "./RequestPage.tsx"

const link = makeRequestLink(linkId())

mountPage(<RequestPage link={link} />)

// What is dropped where nothing takes it must not lead away from the page.
for (const type of ["dragover", "drop"] as const) {
  document.addEventListener(type, (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault()
  })
}

// What changed while nobody looked: closed, or no room any more.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && link.view.peek() === "open") void link.refresh()
})
