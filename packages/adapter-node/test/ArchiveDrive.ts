/** A drive on disk storage for the tests of archives, without its database. */
import { AccountsSql, Drive, JobsSql, MediaTools } from "@filedrive/core"
import { Layer } from "effect"
import * as FileTypeKinds from "../src/media/FileTypeKinds.ts"
import * as NodeRemoteFile from "../src/remote/NodeRemoteFile.ts"
import * as DiskStore from "../src/storage/disk/DiskStore.ts"

/** Its objects are below `root`. */
export const driveOn = (root: string) =>
  Drive.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(AccountsSql.layer, JobsSql.layer)),
    Layer.provideMerge(Layer.mergeAll(
      DiskStore.layer({ root, endpoint: "http://127.0.0.1/storage" }),
      FileTypeKinds.layer,
      MediaTools.none,
      NodeRemoteFile.layer({ allowPrivateAddresses: false })
    ))
  )
