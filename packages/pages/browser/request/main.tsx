/** The page on which files are sent to a request. */
import { mountPage } from "../foundation/mountPage.tsx"
import { linkId } from "../foundation/settings.ts"
import { makeRequestLink } from "./RequestLink.ts"
import { RequestPage } from "./RequestPage.tsx"

const link = makeRequestLink(linkId())

mountPage(<RequestPage link={link} />)

// What changed while nobody looked: closed, or no room any more.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && link.view.peek() === "open") void link.refresh()
})
