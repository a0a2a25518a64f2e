/** The multipart body of a form: its fields, then the file. */

export const formBody = (fields: Readonly<Record<string, string>>, file: BlobPart): FormData => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append("file", new Blob([file]))
  return body
}

/** The same as text, for tests that send it piece by piece: what comes before the file's bytes, and after them. */
export const formText = (fields: Readonly<Record<string, string>>, boundary = "XX") => {
  const part = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  const before = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`).join("")
  return { before: `${before}${part("file")}; filename="x"\r\n\r\n`, after: `\r\n--${boundary}--\r\n` }
}
