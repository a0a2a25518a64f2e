/** The page's program: Uppy's Dashboard chooses and shows files, the client sends them. */
import { createClient, DriveError } from "@filedrive/client"
import { FiledriveUpload } from "@filedrive/client/uppy"
import Uppy from "@uppy/core"
import Dashboard from "@uppy/dashboard"

/** The session of who has signed in here, from the page's own server. */
const session = async (): Promise<string> => {
  const response = await fetch("/upload/session", { method: "POST" })
  if (response.ok) return response.text()
  // Only what may pass is waited for.
  throw new DriveError({
    code: "no_session",
    error: response.status === 401
      ? "You are signed out: sign in in another tab, then retry."
      : "The site is not well.",
    retryable: response.status >= 500
  })
}

const client = createClient({ url: location.origin, session })

const uppy = new Uppy()
  .use(Dashboard, {
    inline: true,
    target: "#files",
    width: "100%",
    theme: "auto",
    fileManagerSelectionType: "both",
    proudlyDisplayPoweredByUppy: false,
    metaFields: [{ id: "name", name: "Name" }, { id: "description", name: "Description" }]
  })
  .use(FiledriveUpload, {
    client,
    optionsOf: ({ meta }) => typeof meta["description"] === "string" ? { description: meta["description"] } : {}
  })

// Uploads go on while the page is open: who closes it is asked first.
addEventListener("beforeunload", (event) => {
  if (Object.keys(uppy.getState().currentUploads).length > 0) event.preventDefault()
})
