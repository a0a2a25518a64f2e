/** An existing app that gets a drive: users sign in and have a cookie. */
import { filedriveRouter } from "@filedrive/adapter-express"
import type { Drive } from "@filedrive/adapter-node"
import express, { type Express, type Request, type RequestHandler } from "express"
import { randomBytes } from "node:crypto"
import type { User, Users } from "./users.ts"

export const makeApp = (users: Users, drive: Pick<Drive, "nodeHandler" | "owns" | "sessions">): Express => {
  const app = express()
  const signedIn = new Map<string, string>()

  const userOf = (request: Request): User | undefined => {
    const cookie = /(?:^|;\s*)sid=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1]
    return users.find(signedIn.get(cookie ?? "") ?? "")
  }
  const mustBeSignedIn: RequestHandler = (request, response, next) => {
    const user = userOf(request)
    if (user === undefined || user.blocked) return void response.status(401).send("Sign in first.")
    response.locals["user"] = user
    next()
  }

  // The drive, in two places. Mounted before the body parser, it may take large uploads itself.
  app.use("/drive", filedriveRouter(drive))
  app.post("/drive-session", mustBeSignedIn, async (_request, response) => {
    response.json(await drive.sessions.open(response.locals["user"].id))
  })

  app.use(express.json())
  app.post("/sign-in", (request, response) => {
    const user = users.signIn(request.body.name, request.body.password)
    if (user === undefined) return void response.status(401).send("Wrong name or password.")
    const cookie = randomBytes(24).toString("base64url")
    signedIn.set(cookie, user.id)
    response.cookie("sid", cookie, { httpOnly: true, sameSite: "strict" }).json({ id: user.id })
  })
  app.get("/me", mustBeSignedIn, (_request, response) => {
    const { name, subscription } = response.locals["user"]
    response.json({ name, subscription })
  })
  return app
}
