/** The multipart body of an upload form: its fields, then the file. */

const boundary = "filedrive-bench-boundary"

export const formType = `multipart/form-data; boundary=${boundary}`

/** What comes before the bytes of the file. */
export const formText = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields).map(([name, value]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  ).join("") +
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n` +
  "Content-Type: application/octet-stream\r\n\r\n"

/** What comes after them. */
export const formEnd = `\r\n--${boundary}--\r\n`
