/** Storage for tests of downloads without a drive. */
import { createClient } from "../src/createClient.ts"

type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>

/** A client of a drive with files by their ids; `extra` is what storage sends behind a range, by its number of the request. */
export const fakeStorage = (
  files: Files,
  extra: (nth: number) => number | Promise<number> = () => 0,
  answer: (nth: number) => Response | undefined = () => undefined,
  create = createClient
) => {
  let nth = 0
  return create({
    url: "https://drive.example",
    session: async () => "one",
    retries: 0,
    fetch: async (url, init) => {
      if (!url.startsWith("https://storage.example/")) {
        const { id } = JSON.parse(String(init?.body)) as { readonly id: string }
        return Response.json({ downloadUrl: `https://storage.example/${id}`, fileSize: files[id]!.byteLength })
      }
      const id = url.split("/").at(-1)!
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init!.headers).get("range")!)!
      const ifRange = new Headers(init!.headers).get("if-range")
      if (ifRange !== null && ifRange !== `"${id}"`) return new Response(files[id]!, { status: 200 })
      const more = new Uint8Array(await extra(++nth)).fill(255)
      const headers = { etag: `"${id}"`, "content-range": `bytes ${start}-${end}/${files[id]!.byteLength}` }
      return answer(nth) ??
        new Response(new Blob([files[id]!.subarray(Number(start), Number(end) + 1), more]), { status: 206, headers })
    }
  })
}
