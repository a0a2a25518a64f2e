/**
 * The script of the documentation page: it finds operations, exchanges an API token, and sends calls. It writes only text
 * (`textContent`), never markup, so nothing that a drive answers can become code. The session is kept only in this module's
 * variables.
 *
 * `node scripts/docsAssets.ts` puts it, made small, into `src/http/docs/Assets.ts`.
 */
interface Session {
  readonly token: string
  readonly userId: string
}

let session: Session | undefined

/** The most of an answer that is shown: with more the page would become too slow. */
const shownMaxChars = 200_000

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  given: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Tag] => {
  const element = Object.assign(document.createElement(tag), given)
  element.append(...children)
  return element
}

const articles = [...document.querySelectorAll("article")]

const findOperations = (): void => {
  const field = byId<HTMLInputElement>("filter")
  const contents = byId<HTMLDetailsElement>("contents")
  const links = [...contents.querySelectorAll("a")]
  const lists = [...contents.querySelectorAll("ul")]
  const texts = new Map(articles.map((one) => [one, one.querySelector(".told")!.textContent!.toLowerCase()]))

  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const article of articles) {
      const text = `${article.id} ${article.dataset["path"]} ${article.querySelector("h3")!.textContent}`.toLowerCase()
      const isFound = words.every((word) => text.includes(word)) ||
        (words.length > 0 && words.every((word) => texts.get(article)!.includes(word)))
      article.hidden = !isFound
      if (isFound) count++
    }
    const isHidden = (id: string) => {
      const target = byId(id)
      return target.matches("article") ? target.hidden : words.length > 0
    }
    for (const link of links) {
      if (link.parentElement!.matches("li")) link.parentElement!.hidden = isHidden(link.hash.slice(1))
    }
    for (const list of lists) {
      const isEmpty = ![...list.children].some((item) => !(item as HTMLElement).hidden)
      list.hidden = isEmpty
      if (list.previousElementSibling?.matches("h2")) (list.previousElementSibling as HTMLElement).hidden = isEmpty
    }
    for (const section of document.querySelectorAll<HTMLElement>("main > section")) {
      section.hidden = words.length > 0 && section.querySelector("article:not([hidden])") === null
    }
    byId("found").textContent = words.length === 0 ? "" : count === 1 ? "1 operation" : `${count} operations`
  }

  const showAll = () => {
    field.value = ""
    filter()
  }

  field.parentElement!.hidden = false
  field.addEventListener("input", filter)
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === field) showAll()
    if (event.key !== "/" || event.ctrlKey || event.metaKey || (event.target as Element).matches("input, textarea")) {
      return
    }
    event.preventDefault()
    contents.open = true
    field.focus()
  })
  // The target of a link may be hidden by the filter.
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']")
    if (link === null) return
    const target = document.getElementById(link.hash.slice(1))
    if (target?.closest("[hidden]")) showAll()
    if (contents.contains(link) && narrow.matches) contents.open = false
  })
  // On a wide screen the list is beside the text and always open; on a narrow one it is above it, and closed at first.
  const narrow = matchMedia("(max-width: 59.99rem)")
  const fold = () => contents.open = !narrow.matches
  narrow.addEventListener("change", fold)
  fold()
}

const headersOf = (article: HTMLElement): Record<string, string> => {
  const { auth } = article.dataset
  if (auth === "link") return {}
  const token = auth === "token" ? byId<HTMLInputElement>("token").value.trim() : session?.token
  return {
    ...token !== undefined && token !== "" && { authorization: `Bearer ${token}` },
    ...auth !== "token" && { "x-service-app": byId<HTMLInputElement>("app").value.trim() }
  }
}

const showSession = (text: string): void => {
  byId("state").textContent = text
  byId("forget").hidden = session === undefined
  byId("signed").textContent = session === undefined ? "No session" : "Session open"
}

const exchangeTokens = (): void => {
  const form = byId<HTMLFormElement>("session")
  const article = byId("exchangeToken")
  form.hidden = byId("signed").hidden = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    session = undefined
    showSession("Exchanging the token …")
    try {
      const answer = await fetch(article.dataset["path"]!, { method: "POST", headers: headersOf(article) })
      const body = await answer.json()
      if (!answer.ok) return showSession(`${answer.status} ${body.code}: ${body.error}`)
      session = { token: String(body.gelToken), userId: String(body.userId) }
      byId<HTMLInputElement>("token").value = ""
      const ends = new Date(Date.now() + Number(body.expiresIn) * 1000)
      showSession(`The session is open until ${ends.toLocaleString()}, for the user ${session.userId}.`)
    } catch (cause) {
      showSession(`The drive did not answer: ${cause}`)
    }
  })
  byId("forget").addEventListener("click", () => {
    session = undefined
    showSession("The page has forgotten the session.")
  })
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Shows an answer as it arrives; JSON is formatted when all of it has arrived. */
const showAnswer = async (answer: Response, output: HTMLElement): Promise<number> => {
  let bytes = 0
  let text = ""
  const decoder = new TextDecoder()
  const reader = answer.body?.getReader()
  for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader!.read()) {
    bytes += chunk.value.length
    text += decoder.decode(chunk.value, { stream: true })
    if (text.length > 2 * shownMaxChars) break
    output.textContent = text.slice(0, shownMaxChars)
  }
  await reader?.cancel()
  const whole = pretty(text)
  output.textContent = whole.length > shownMaxChars
    ? `${whole.slice(0, shownMaxChars)}\n… (the rest is not shown)`
    : whole
  return bytes
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const asCurl = (article: HTMLElement, url: string, body: string | undefined): string => {
  const { auth, method } = article.dataset
  const lines = [
    `curl -X ${method} ${quoted(new URL(url, location.href).href)}`,
    ...auth === "link" ? [] : [`-H "Authorization: Bearer ${auth === "token" ? "$API_TOKEN" : "$SESSION"}"`],
    ...auth === "token" || auth === "link"
      ? []
      : [`-H ${quoted(`X-Service-App: ${byId<HTMLInputElement>("app").value.trim()}`)}`],
    ...body === undefined ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(body)}`]
  ]
  return lines.join(" \\\n  ")
}

/** The form of one operation. Its body is the example, with the id of the session's user. */
const tryForm = (article: HTMLElement): HTMLFormElement => {
  const { auth, effect, method, path, query } = article.dataset
  const request = article.querySelector(".request")?.textContent
  const id = `try-${article.id}`
  const exampleUser = /users\/([0-9a-f-]{36})\//.exec(request ?? "")?.[1]
  const body = request === undefined ? undefined : make("textarea", {
    id,
    spellcheck: false,
    rows: Math.min(20, request.split("\n").length + 1),
    value: session === undefined || exampleUser === undefined
      ? request
      : request.replaceAll(exampleUser, session.userId)
  })
  const inputs = Object.entries<string>(JSON.parse(query ?? "{}")).map(([name, value]) =>
    [name, make("input", { id: `${id}-${name}`, placeholder: value, autocomplete: "off" })] as const
  )
  const url = () => {
    const sent = new URLSearchParams(inputs.flatMap(([name, { value }]) => value === "" ? [] : [[name, value]]))
    return path! + (sent.size === 0 ? "" : `?${sent}`)
  }
  const send = make("button", {}, "Send")
  const stop = make("button", { type: "button", hidden: true }, "Stop")
  const copy = make("button", { type: "button" }, "Copy as curl")
  const status = make("p", {})
  status.setAttribute("role", "status")
  const output = make("pre", { hidden: true, tabIndex: 0 })
  output.setAttribute("aria-label", "Answer")
  const form = make(
    "form",
    { className: "try" },
    ...body === undefined ? [] : [make("label", { htmlFor: id }, "Body"), body],
    ...inputs.flatMap(([name, input]) => [make("label", { htmlFor: input.id }, name), input]),
    ...effect === "deletes" ? [make("p", { className: "note" }, "Deletes what no other call can restore.")] : [],
    make("p", { className: "actions" }, send, " ", stop, " ", copy),
    status,
    output
  )

  let aborter: AbortController | undefined
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (auth === "session" && session === undefined) {
      return status.replaceChildren("First ", make("a", { href: "#session" }, "open a session"), ".")
    }
    aborter?.abort()
    const { signal } = aborter = new AbortController()
    const start = performance.now()
    const took = () => `${Math.round(performance.now() - start)} ms`
    let said = ""
    stop.hidden = false
    output.hidden = true
    status.textContent = "Sent …"
    try {
      const answer = await fetch(url(), {
        method: method!,
        signal,
        headers: { ...headersOf(article), ...body !== undefined && { "content-type": "application/json" } },
        ...body !== undefined && { body: body.value }
      })
      said = `${answer.status} ${answer.statusText}`.trim()
      status.className = answer.ok ? "ok" : "wrong"
      status.textContent = `${said} · ${took()}`
      output.hidden = false
      const bytes = await showAnswer(answer, output)
      status.textContent = `${said} · ${took()} · ${bytes.toLocaleString("en-US")} bytes`
    } catch (cause) {
      status.textContent = signal.aborted ? `${said} Stopped after ${took()}.` : `The drive did not answer: ${cause}`
    } finally {
      if (aborter.signal === signal) stop.hidden = true
    }
  })
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  stop.addEventListener("click", () => aborter?.abort())
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(asCurl(article, url(), body?.value))
    status.className = ""
    status.textContent =
      "Copied. Set SESSION or API_TOKEN in your shell: the copied command does not contain the token."
  })
  return form
}

const tryOperations = (): void => {
  for (const article of articles) {
    const button = make("button", { type: "button", className: "open" }, "Try it")
    button.setAttribute("aria-expanded", "false")
    button.setAttribute("aria-label", `Try ${article.querySelector("h3")!.textContent}`)
    let form: HTMLFormElement | undefined
    button.addEventListener("click", () => {
      if (form === undefined) button.after(form = tryForm(article))
      else form.hidden = !form.hidden
      button.setAttribute("aria-expanded", String(!form.hidden))
      if (!form.hidden) form.querySelector<HTMLElement>("textarea, input, button")!.focus()
    })
    article.querySelector(".shown")!.append(button)
  }
}

findOperations()
exchangeTokens()
tryOperations()
