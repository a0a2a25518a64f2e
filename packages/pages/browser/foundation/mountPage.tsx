/** Puts a page in the place of what the document shows while it loads. */
import { type ComponentChild, render } from "preact"
import { Notices } from "../components/Notices.tsx"
import "../style/tokens.css"
import "../style/base.css"
import { root } from "./settings.ts"

export const mountPage = (page: ComponentChild): void => {
  root.replaceChildren()
  render(
    <>
      {page}
      <Notices />
    </>,
    root
  )
}
