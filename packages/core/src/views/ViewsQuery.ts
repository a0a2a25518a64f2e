/** The query of files' views. Spec: "Library", `/select-file-views`. */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { Path } from "../shared/FolderPath.ts"
import { FileId } from "../shared/Ids.ts"
import { Day } from "../shared/Time.ts"

const { filesPerViewsCall, viewsPage } = Limits

export const ViewsQuery = Schema.Struct({
  /** These files, opened or not; else those opened most. */
  fileIds: Schema.optionalKey(
    Schema.Array(FileId).check(Schema.isBetweenLength(filesPerViewsCall.min, filesPerViewsCall.max))
  ),
  /** The first day that counts. Default: 30 days ago. */
  since: Schema.optionalKey(Day),
  /** Default: 25, and all of `fileIds`. */
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: viewsPage.min, maximum: viewsPage.max }))),
  /** Only files in this folder or inside it; unknown, it holds none. */
  folder: Schema.optionalKey(Path)
}).pipe(Schema.brand("ViewsQuery"))
export type ViewsQuery = typeof ViewsQuery.Type
