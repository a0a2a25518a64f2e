import type { Doc } from "../src/docindex/Doc.ts"

/** A doc of a file that hardly anything is known of. */
export const bareDoc: Omit<Doc, "id"> = {
  time: 0,
  type: 0,
  isPublic: false,
  size: 0,
  nameKey: "",
  folderNo: null,
  taken: null,
  duration: null,
  tempo: null,
  latitude: null,
  longitude: null,
  key: null,
  lexemes: []
}
