export { Faults, MemoryObjectStore } from "./MemoryObjectStore.ts"
