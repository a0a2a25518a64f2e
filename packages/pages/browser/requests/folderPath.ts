import { line } from "../foundation/sendable.ts"

/** What is typed as a folder as the drive takes it; empty for none. A slash before it is no matter, nor one at its end. */
export const folderPath = (text: string): string => {
  const path = line(text)
  if (path === "") return ""
  const names = path.replaceAll(/\s*\/\s*/g, "/").replace(/\/$/, "")
  return names.startsWith("/") ? names : `/${names}`
}
