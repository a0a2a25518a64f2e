/** A component in a page, with a drive whose answers and a clock whose time the test gives. */
import type { Client } from "@filedrive/client"
import type { Listed } from "@filedrive/client/react"
import { afterEach, assert, beforeAll, beforeEach, vi } from "vitest"
import { FakeDrive } from "./FakeDrive.ts"
import { bundleOf, type Major, openPage, type Page } from "./reactPage.ts"

export const majors: ReadonlyArray<{ readonly major: Major }> = [{ major: 18 }, { major: 19 }]

/** What a list shows. */
export const names = ({ files, isLoading }: Listed): string =>
  `${files.map(({ fileName }) => fileName)}${isLoading ? "…" : ""}`

/** A page for each test of a `describe`; React must not complain of anything. */
export const stage = (major: Major, hasRealTime = false) => {
  const on = {} as { program: string; page: Page; drive: FakeDrive; client: Client }
  beforeAll(async () => {
    on.program = await bundleOf(major)
  })
  beforeEach(() => {
    if (!hasRealTime) vi.useFakeTimers()
    on.page = openPage(on.program)
    on.drive = new FakeDrive()
    on.client = on.drive as unknown as Client
  })
  afterEach(async () => {
    assert.deepStrictEqual(on.page.complaints, [])
    await on.page.close()
    vi.useRealTimers()
  })

  const act = (run: () => unknown): Promise<void> => on.page.bundle.React.act(async () => void await run())

  /** Shows what `use` returns, in StrictMode; the text is for the DOM. What a server has rendered is taken over. */
  const mount = async <Props extends object, A>(
    use: (props: Props) => A,
    props: Props,
    text: (value: A) => string = () => ""
  ) => {
    const { React, createRoot, hydrateRoot } = on.page.bundle
    const { container } = on.page
    const shown = { value: undefined as A }
    const Shown = (props: Props) => {
      const value = use(props)
      React.useEffect(() => {
        shown.value = value
      })
      return React.createElement("p", null, text(value))
    }
    const of = (props: Props) => React.createElement(React.StrictMode, null, React.createElement(Shown, props))
    const isHydrated = container.innerHTML !== ""
    const mistakes: Array<unknown> = []
    const onRecoverableError = (error: unknown) => void mistakes.push(error)
    let root: ReturnType<typeof createRoot>
    await act(() => {
      if (isHydrated) root = hydrateRoot(container, of(props), { onRecoverableError })
      else (root = createRoot(container, { onRecoverableError })).render(of(props))
    })
    return {
      shown,
      mistakes,
      render: (props: Props) => act(() => root.render(of(props))),
      unmount: () => act(() => root.unmount())
    }
  }

  return { on, act, mount, pass: (millis: number) => act(() => vi.advanceTimersByTimeAsync(millis)) }
}
