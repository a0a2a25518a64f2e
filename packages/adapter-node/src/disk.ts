/** Storage in a directory, with the routes that its links and forms point to. */
export { digestsOf, isDigest } from "./storage/Digests.ts"
export { DiskRoutes } from "./storage/disk/DiskRoutes.ts"
export { type DiskStoreOptions, layer, layerConfig } from "./storage/disk/DiskStore.ts"
