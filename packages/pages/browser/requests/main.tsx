/** The page on which somebody who is signed in makes file requests and sees what was sent to them. */
import { SignedInFrame } from "../components/SignedInFrame.tsx"
import { mountPage } from "../foundation/mountPage.tsx"
import { sessionClient } from "../foundation/session.ts"
import { makeRequests } from "./requests.ts"
import { RequestsPage } from "./RequestsPage.tsx"

const requests = makeRequests(sessionClient())

mountPage(
  <SignedInFrame page="requests">
    <RequestsPage requests={requests} />
  </SignedInFrame>
)
