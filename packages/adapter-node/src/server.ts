/** A node:http server that suits long uploads, without the drive: for a host that has composed one of layers. */
export { type DriveServer, listen, type ListenOptions } from "./http/DriveServer.ts"
