/** Every state of the connections page, brought about in a real browser. */
import type { Page } from "puppeteer-core"
import { connectApp } from "./connectApp.ts"
import type { PagesHost } from "./PagesHost.ts"
import { clickText, waitForText } from "./RequestStates.ts"

export const pathOf = (host: PagesHost): string => `${host.drive.urls.site}/connections`

export const openConnections = async (page: Page, host: PagesHost): Promise<void> => {
  await host.signIn(page)
  await page.goto(pathOf(host))
  await page.waitForSelector("#tokens")
}

/** Gives a task on the page. */
export const give = async (page: Page, text: string): Promise<void> => {
  await page.locator(".composer textarea").fill(text)
  await page.locator(".composer .button-primary").click()
  await page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>(".composer textarea")!.value === "" ||
    document.querySelector(".composer .field-error") !== null
  )
}

export const waitForState = (page: Page, state: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    (selector, wanted) =>
      [...document.querySelectorAll(".task")].some((task) =>
        task.querySelector(selector) !== null && task.querySelector(".item-title")?.textContent?.includes(wanted)
      ),
    {},
    `.state-${state}`,
    text
  )

/** Opens the dialog for a new token and gives it a name. */
export const nameToken = async (page: Page, name: string): Promise<void> => {
  await clickText(page, "New token")
  await page.locator("dialog input[name=name]").fill(name)
}

export const makeToken = (page: Page): Promise<void> => clickText(page, "Make token")

/** What people have: tokens and apps with all kinds of limits, tasks, something that waits. */
export const furnish = async (host: PagesHost): Promise<void> => {
  const { id: folder } = await host.owner.createFolder({
    path: "/Projects/A film/Rushes of the second week, all cameras"
  })
  await host.owner.createApiToken({ name: "Backup of the office" })
  await host.owner.createApiToken({
    name: `${"A very long name of a token ".repeat(6)}<b>end</b>`,
    permissions: ["read", "add"],
    folder,
    expireTime: "2030-01-01T00:00:00.000Z"
  })
  await connectApp(host, "Photo Sorter", ["read", "organize"])
  await connectApp(host, `<img src=x onerror="alert(1)">`, ["read"])
  await host.owner.files.put(new TextEncoder().encode("%PDF"), { fileName: "report of the year.pdf" })
}

/** What one looks like that is used. */
export const furnishNicely = async (host: PagesHost): Promise<void> => {
  const { id: folder } = await host.owner.createFolder({ path: "/Scans" })
  await host.owner.createApiToken({
    name: "Scanner in the office",
    permissions: ["read", "add"],
    folder,
    expireTime: "2030-01-01T00:00:00.000Z"
  })
  await connectApp(host, "Photo Sorter", ["read", "organize"])
  await host.owner.files.put(new TextEncoder().encode("%PDF"), { fileName: "report of the year.pdf" })
}

export interface State {
  readonly name: string
  readonly bring: (page: Page, host: PagesHost) => Promise<void>
}

/** On a drive with nothing. */
export const emptyStates: ReadonlyArray<State> = [
  { name: "empty", bring: openConnections },
  {
    name: "failedToLoad",
    bring: async (page, host) => {
      await host.signIn(page)
      await page.setRequestInterception(true)
      page.on("request", (request) =>
        void (request.url().endsWith("/select-api-tokens")
          ? request.respond({ status: 500, body: "{}" })
          : request.continue()))
      await page.goto(pathOf(host))
      await page.waitForSelector(".notable", { timeout: 60_000 })
    }
  },
  {
    name: "signedOut",
    bring: async (page, host) => {
      await host.signIn(page)
      await page.setRequestInterception(true)
      page.on("request", (request) =>
        void (request.url().endsWith("/page-session")
          ? request.respond({ status: 401, contentType: "application/json", body: `{"code":"not_signed_in"}` })
          : request.continue()))
      await page.goto(pathOf(host))
      await page.waitForSelector(".notable")
    }
  }
]

/** On one with everything. */
export const states: ReadonlyArray<State> = [
  { name: "open", bring: openConnections },
  {
    name: "tasks",
    bring: async (page, host) => {
      await openConnections(page, host)
      await give(page, "find all reports <script>alert(1)</script>")
      await waitForState(page, "completed", "find all")
      await give(page, "wait for the pictures of Saturday")
      await waitForState(page, "waiting", "wait for")
      await give(page, "hold the line")
      await waitForState(page, "working", "hold the line")
    }
  },
  {
    name: "asks",
    bring: async (page, host) => {
      await openConnections(page, host)
      await give(page, "ask me where to put them")
      await waitForState(page, "asks", "ask me where")
    }
  },
  {
    name: "answering",
    bring: async (page, host) => {
      await openConnections(page, host)
      await give(page, "hello there")
      await waitForState(page, "completed", "hello there")
      await page.locator("::-p-xpath(//li[contains(., 'hello there')]//button[contains(., 'Answer')])").click()
      await page.waitForSelector(".answering")
    }
  },
  {
    name: "newToken",
    bring: async (page, host) => {
      await openConnections(page, host)
      await nameToken(page, "Scanner")
    }
  },
  {
    name: "newTokenWrong",
    bring: async (page, host) => {
      await openConnections(page, host)
      await clickText(page, "New token")
      await page.locator("dialog input[name=read]").click()
      await makeToken(page)
      await waitForText(page, "Choose at least one")
    }
  },
  {
    name: "madeToken",
    bring: async (page, host) => {
      await openConnections(page, host)
      await nameToken(page, "Scanner")
      await makeToken(page)
      await page.waitForSelector(".copy-field")
    }
  },
  {
    name: "notCopied",
    bring: async (page, host) => {
      await openConnections(page, host)
      await nameToken(page, "Scanner")
      await makeToken(page)
      await page.waitForSelector(".copy-field")
      await clickText(page, "Done")
      await waitForText(page, "You have not copied it yet")
    }
  },
  {
    name: "revoke",
    bring: async (page, host) => {
      await openConnections(page, host)
      await page.locator("::-p-xpath(//button[starts-with(@aria-label, 'Revoke')])").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "disconnect",
    bring: async (page, host) => {
      await openConnections(page, host)
      await page.locator("::-p-xpath(//button[starts-with(@aria-label, 'Disconnect')])").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "offline",
    bring: async (page, host) => {
      await openConnections(page, host)
      await page.setOfflineMode(true)
      await give(page, "hello")
      await page.waitForSelector(".composer .field-error", { timeout: 60_000 })
      await page.evaluate(() => void dispatchEvent(new Event("online")))
      await page.waitForSelector(".stale", { timeout: 60_000 })
    }
  }
]
