import { DataPlane, objectStoreSuite } from "@filedrive/testing/suites"
import { Layer } from "effect"
import { served, webPlane } from "./DiskStoreTest.ts"

objectStoreSuite("disk", Layer.merge(served(), DataPlane.layerHttp), { refusesReplay: true })
objectStoreSuite("disk, web-standard", webPlane, { refusesReplay: true })
