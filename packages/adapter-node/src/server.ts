/** A node:http server that is set up for long uploads, for a host that has composed its drive of layers. */
export { type DriveServer, listen, type ListenOptions } from "./http/DriveServer.ts"
