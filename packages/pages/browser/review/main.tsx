/** The page on which a file is played and noted. */
import { mountPage } from "../foundation/mountPage.tsx"
import { linkId } from "../foundation/settings.ts"
import { makeReviewLink } from "./ReviewLink.ts"
import { ReviewPage } from "./ReviewPage.tsx"

const link = makeReviewLink(linkId())

mountPage(<ReviewPage link={link} />)

document.addEventListener(
  "visibilitychange",
  () => document.visibilityState === "visible" ? link.comeBack() : link.leave()
)
