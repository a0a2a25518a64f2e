/** Signing out at the host. */
import { isStillSignedIn, tellOthers } from "./session.ts"
import { settings } from "./settings.ts"

/**
 * Signs the reader out and goes to `path`, from which the server leads to where people sign in. False when the host did not do it: then they stay
 * signed in, and are told so. Fails without a network.
 */
export const signOut = async (path: string): Promise<boolean> => {
  // A host may lead on afterwards, also to another site, where no page of the drive's may ask: that it does is enough.
  const response = await fetch(settings.logoutUrl!, { method: "POST", redirect: "manual" })
  if (!response.ok && response.type !== "opaqueredirect" || await isStillSignedIn()) return false
  tellOthers()
  // Back does not lead to what was shown.
  location.replace(path)
  return true
}
