import { DataPlane, objectStoreSuite } from "@filedrive/testing/suites"
import { Layer } from "effect"
import { minPartBytes, onS3Engine, preparedLayer } from "./S3Engine.ts"

onS3Engine("S3 store", (options) => {
  objectStoreSuite("s3", Layer.merge(preparedLayer(options), DataPlane.layerHttp), {
    // The key a form wrote to is never a recorded file's, so writing it again does no harm.
    refusesReplay: false,
    needsEveryPart: true,
    minPartBytes
  })
})
