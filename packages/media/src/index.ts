export * as FileTypeKinds from "./FileTypeKinds.ts"
export { type MediaOptions } from "./MediaOptions.ts"
export * as NodeMediaTools from "./NodeMediaTools.ts"
export { type Shares, sharesOf } from "./Shares.ts"
