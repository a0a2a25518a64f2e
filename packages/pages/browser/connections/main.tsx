/** The page that shows what is connected to a person's drive, and what their agent does. */
import { SignedInFrame } from "../components/SignedInFrame.tsx"
import { mountPage } from "../foundation/mountPage.tsx"
import { makeConnections } from "./Connections.ts"
import { ConnectionsPage } from "./ConnectionsPage.tsx"

const connections = makeConnections()

mountPage(
  <SignedInFrame page="connections">
    <ConnectionsPage connections={connections} />
  </SignedInFrame>
)
