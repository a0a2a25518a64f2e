/** Why no file is made of stored bytes. Pure. */
import { InvalidField } from "../shared/DriveError.ts"

export const sizeMismatch = (because: string) => new InvalidField({ code: "size_mismatch", field: "fileSize", because })
export const otherSize = (storedBytes: number) => sizeMismatch(`${storedBytes} bytes are stored`)

export const objectNotFound = () =>
  new InvalidField({
    code: "object_not_found",
    field: "objectKey",
    because: "no bytes are stored under this key yet; send them first, and complete an upload in parts"
  })
